// Which words occur most often in the files below some folders: a pipeline over channels. One task
// finds the files, some read them, and as many as there are workers count. A stage that is ahead
// waits at a full channel, so the texts in memory are never more than a few dozen. Work O(bytes +
// words log words).
#include <filch/co.hpp>
#include <filch/sync.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;
using counts = std::unordered_map<std::string, std::uint64_t>;

/// A file that cannot be read has no words, and is named.
std::string contents_of(const fs::path& file) {
  std::ifstream stream{file, std::ios::binary};
  std::string text{std::istreambuf_iterator<char>{stream}, {}};
  if (!stream.is_open() || stream.bad()) std::fprintf(stderr, "%s cannot be read\n", file.c_str());
  return text;
}

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

void count_words(std::string_view text, counts& of) {
  std::string word;
  for (auto at = text.begin();;) {
    at = std::find_if(at, text.end(), is_letter);
    if (at == text.end()) return;
    const auto end = std::find_if_not(at, text.end(), is_letter);
    word.resize(static_cast<std::size_t>(end - at));
    std::transform(at, end, word.begin(), lower);
    ++of[word];
    at = end;
  }
}

// [pipeline]
filch::task<> find(const std::vector<fs::path>& folders, filch::channel<fs::path>& files) {
  for (const fs::path& folder : folders) {
    fs::recursive_directory_iterator at{folder, fs::directory_options::skip_permission_denied};
    const auto step = [&at] { ++at; };
    std::error_code unknown;  // what cannot be told, as of a link to itself, is no file
    for (; at != fs::recursive_directory_iterator{}; co_await filch::co::blocking(step)) {
      if (at->is_regular_file(unknown) &&
          co_await files.send(at->path()) == filch::send_result::closed)
        co_return;
    }
  }
  files.close();
}

filch::task<> read(filch::channel<fs::path>& files, filch::channel<std::string>& texts,
                   filch::async_latch& readers) {
  while (const std::optional<fs::path> file = co_await files.receive()) {
    const auto read_it = [&file] { return contents_of(*file); };
    if (co_await texts.send(co_await filch::co::blocking(read_it)) == filch::send_result::closed)
      co_return;
  }
  readers.count_down();
  if (readers.is_zero()) texts.close();  // the last one; closing twice does no harm
}

filch::task<> count(filch::channel<std::string>& texts, counts& mine) {
  while (const std::optional<std::string> text = co_await texts.receive()) count_words(*text, mine);
}

filch::task<counts> count_below(const std::vector<fs::path>& folders) {
  constexpr std::size_t reading_at_once = 8;
  filch::channel<fs::path> files{64};
  filch::channel<std::string> texts{16};
  filch::async_latch readers{reading_at_once};
  std::vector<counts> parts(filch::pool_here().concurrency());
  filch::co::scope stages;  // should one throw, the others are cancelled, and `join` throws it
  stages.spawn(find(folders, files));
  for (std::size_t i = 0; i < reading_at_once; ++i) stages.spawn(read(files, texts, readers));
  for (counts& mine : parts) stages.spawn(count(texts, mine));
  co_await stages.join();

  counts all;
  for (const counts& part : parts) {
    for (const auto& [word, times] : part) all[word] += times;
  }
  co_return all;
}
// [pipeline]

void print_most_frequent(const counts& of, std::size_t most) {
  std::vector<std::pair<std::string, std::uint64_t>> words{of.begin(), of.end()};
  most = std::min(most, words.size());
  const auto is_ahead = [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  };
  std::partial_sort(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(most), words.end(),
                    is_ahead);
  for (std::size_t i = 0; i < most; ++i)
    std::printf("%7llu %s\n", static_cast<unsigned long long>(words[i].second),
                words[i].first.c_str());
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::fprintf(stderr,
                 "usage: %s FOLDER...\nprints the twenty most frequent words of the files below\n",
                 arguments[0]);
    return 2;
  }
  try {
    print_most_frequent(filch::block_on(count_below({arguments + 1, arguments + count})), 20);
  } catch (const std::exception& failed) {
    std::fprintf(stderr, "%s\n", failed.what());
    return 1;
  }
  return 0;
}
