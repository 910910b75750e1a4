#include <fmt/format.h>
#include <fnmatch.h>
#include <tools/cli/report.hpp>
#include <tools/dist/problem.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace filch::dist_cli {

namespace {

namespace fs = std::filesystem;

struct findings {
  std::vector<std::string> paths{};
  std::uint64_t files = 0, folders = 0, unreadable = 0;
  template <class A>
  void serialize(A& archive) {
    archive& paths& files& folders& unreadable;
  }
  static findings meet(findings a, findings b) {
    if (a.paths.size() < b.paths.size()) std::swap(a, b);
    std::ranges::move(b.paths, std::back_inserter(a.paths));
    a.files += b.files;
    a.folders += b.folders;
    a.unreadable += b.unreadable;
    return a;
  }
};

class find_problem final : public problem {
 public:
  void add_options(CLI::App& command) override {
    command.add_option("folder", roots_, "Folders to look in, on a file system that all ranks see")
        ->required()
        ->type_name("DIR");
    command.add_option("--pattern", pattern_, "Pattern of names, such as '*.hpp'")
        ->type_name("PATTERN")
        ->capture_default_str();
    command.add_flag("--count", only_counts_, "Print no names");
  }
  std::string parameters() const override {
    return fmt::format("{} in {}", pattern_, fmt::join(roots_, " "));
  }
  const char* tasks_are() const override { return "folders"; }

  outcome solve(dist::communicator& ranks, const dist::run_options& options) override {
    const auto expand = [this](const std::string& folder, auto& push, findings& found) {
      look_into(folder, push, found);
    };
    findings found = dist::for_each_task(ranks, roots_, expand,
                                         dist::monoid{findings{}, findings::meet}, options);
    std::ranges::sort(found.paths);
    return {fmt::format(
                "{} of {} in {}{}", cli::count_text(found.paths.size(), "matches"),
                cli::count_text(found.files, "files"), cli::count_text(found.folders, "folders"),
                found.unreadable == 0 ? "" : fmt::format(", {} not readable", found.unreadable)),
            wrong_with(found),
            {{"matches", found.paths.size()},
             {"files", found.files},
             {"folders", found.folders},
             {"unreadable", found.unreadable}},
            only_counts_ ? std::vector<std::string>{} : std::move(found.paths)};
  }

 private:
  template <class Push>
  void look_into(const std::string& folder, Push& push, findings& found) const {
    std::error_code error;
    fs::directory_iterator entries{folder, error};
    ++found.folders;
    for (; !error && entries != fs::directory_iterator{}; entries.increment(error)) {
      std::error_code unknown;  // what vanishes meanwhile is no folder
      const std::string path = entries->path().string();
      if (entries->is_directory(unknown) && !entries->is_symlink(unknown)) {
        push(path);
        continue;
      }
      ++found.files;
      if (::fnmatch(pattern_.c_str(), entries->path().filename().c_str(), 0) == 0)
        found.paths.push_back(path);
    }
    if (error) ++found.unreadable;
  }
  /// Compares with a walk of this rank alone.
  std::string wrong_with(const findings& found) const {
    findings alone;
    std::vector<std::string> open = roots_;
    while (!open.empty()) {
      const std::string next = std::move(open.back());
      open.pop_back();
      const auto push = [&](std::string path) { open.push_back(std::move(path)); };
      look_into(next, push, alone);
    }
    std::ranges::sort(alone.paths);
    if (alone.paths == found.paths && alone.folders == found.folders && alone.files == found.files)
      return {};
    return fmt::format(
        "one rank alone finds {} of {} in {}: the folders have changed, or differ between ranks",
        cli::count_text(alone.paths.size(), "matches"), cli::count_text(alone.files, "files"),
        cli::count_text(alone.folders, "folders"));
  }

  std::vector<std::string> roots_;
  std::string pattern_ = "*";
  bool only_counts_ = false;
};

}  // namespace

std::unique_ptr<problem> make_find() { return std::make_unique<find_problem>(); }

}  // namespace filch::dist_cli
