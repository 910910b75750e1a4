#pragma once
// What the four programs of the tutorial share: the files below a folder, and the matches in one.
#include <filch/fork.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace search {

namespace fs = std::filesystem;
using files = std::vector<fs::path>;

// [walk]
// Each folder is a job of the group, and starts a job for each folder in it.
inline void list_folder(const fs::path& folder, filch::task_group& jobs,
                        filch::worker_local<files>& found) {
  std::error_code failed;  // what cannot be read is passed over
  for (const auto& entry : fs::directory_iterator{folder, failed}) {
    if (entry.is_symlink(failed)) continue;
    if (entry.is_directory(failed)) {
      jobs.run([inner = entry.path(), &jobs, &found] { list_folder(inner, jobs, found); });
    } else if (entry.is_regular_file(failed)) {
      found.local().push_back(entry.path());
    }
  }
}

inline files files_below(const fs::path& folder) {
  filch::worker_local<files> found;  // one list a worker, so no lock
  filch::task_group jobs;
  jobs.run([&] { list_folder(folder, jobs, found); });
  jobs.wait();
  files all;
  for (const files& each : found) all.insert(all.end(), each.begin(), each.end());
  std::sort(all.begin(), all.end());  // the lists depend on the schedule
  return all;
}
// [walk]

// [matches]
inline std::string text_of(const fs::path& file) {
  std::ifstream stream{file, std::ios::binary};
  std::string text{std::istreambuf_iterator<char>{stream}, {}};
  if (!stream.is_open() || stream.bad()) std::fprintf(stderr, "%s cannot be read\n", file.c_str());
  return text;
}

inline std::size_t matches_in(std::string_view text, std::string_view wanted) {
  std::size_t count = 0;
  for (auto at = text.find(wanted); at != text.npos; at = text.find(wanted, at + wanted.size()))
    ++count;
  return count;
}
// [matches]

}  // namespace search
