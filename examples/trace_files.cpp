// Recordings in files and in memory: write one, read it back, and refuse what is none.
#include <filch/algo/parallel_for.hpp>
#include <filch/trace.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <unistd.h>

namespace {

void work() {
  std::vector<double> values(200'000, 2.0);
  filch::parallel_for(values, [](double& each) { each = each * each + 1; });
}

// [options]
// Every job, not just steals, and in a file that `filch report` and `filch view` show.
void record_jobs(const std::string& path) {
  const filch::trace_options options{.file = path, .level = filch::trace_level::jobs};
  filch::trace_session session{options};
  work();
  session.end();  // writes the file, and throws if that fails; the destructor would only say so
}

// How parallel the program was: the calls into pools run serially meanwhile, to be watched.
double parallelism() {
  filch::trace_options options;
  options.level = filch::trace_level::span;
  filch::trace_session session{options};
  work();
  return session.end().analyzed->parallelism();
}
// [options]

// [read_file]
// Why a file cannot be shown, or nothing. What the system says names the file, too.
std::optional<std::string> fault_of(const std::string& path) {
  try {
    const filch::event::recording run = filch::trace::read_file(path);
    std::printf("%.1f ms, %zu events\n", static_cast<double>(run.length_ns) * 1e-6,
                run.entries.size());
    return std::nullopt;
  } catch (const filch::trace::bad_file& none) {
    return none.what();  // no recording, or only a part of one
  } catch (const std::system_error& refused) {
    return refused.what();
  }
}
// [read_file]

// [write_file]
// The part of a recording that one pool made, as a file of its own.
void keep_pool(const std::string& from, std::uint32_t pool, const std::string& to) {
  filch::event::recording run = filch::trace::read_file(from);
  std::erase_if(run.entries, [&](const filch::event::entry& each) {
    return run.workers[each.worker].pool != pool;
  });
  filch::trace::write_file(run, to);
}
// [write_file]

// [bytes]
// The same without a file, say to send it.
std::string recorded_bytes() {
  filch::trace_session session;
  work();
  return filch::trace::to_bytes(session.end());
}
std::size_t workers_in(std::string_view bytes) {
  return filch::trace::from_bytes(bytes).workers.size();
}
// [bytes]

bool check(const char* what, bool is_right) {
  if (!is_right) std::printf("%s: wrong\n", what);
  return is_right;
}

}  // namespace

int main() {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("filch_trace_files." + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const std::string run = folder / "run.filch", first = folder / "first.filch",
                    gone = folder / "gone";
  record_jobs(run);
  bool is_right = check("read_file", !fault_of(run));
  keep_pool(run, 0, first);
  is_right &= check("write_file", !fault_of(first));
  std::ofstream{first, std::ios::trunc} << "no recording";
  for (const std::string& path : {first, gone}) {
    const std::optional<std::string> fault = fault_of(path);
    is_right &= check("fault", fault.has_value());
    std::printf("%s\n", fault.value_or("").c_str());
  }
  is_right &= check("bytes", workers_in(recorded_bytes()) >= 1);
  is_right &= check("span", parallelism() > 1);
  std::filesystem::remove_all(folder);
  return is_right ? 0 : 1;
}
