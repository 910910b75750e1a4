#include <filch/base/text_file.hpp>

#include <cerrno>
#include <cstdio>
#include <memory>

namespace filch::inline v0_2::base {
namespace {

struct close_file {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

file_text failed() { return {{}, std::error_code{errno, std::generic_category()}}; }

}  // namespace

file_text read_text(const std::string& path) {
  const std::unique_ptr<std::FILE, close_file> file{std::fopen(path.c_str(), "re")};
  if (!file) {
    return failed();
  }
  std::setvbuf(file.get(), nullptr, _IONBF, 0);  // the chunk below is the only buffer needed
  std::string text;
  char chunk[16384];  // this reads recordings, too
  while (const std::size_t count = std::fread(chunk, 1, sizeof chunk, file.get())) {
    text.append(chunk, count);
  }
  return std::ferror(file.get()) != 0 ? failed() : file_text{std::move(text), {}};
}

}  // namespace filch::base
