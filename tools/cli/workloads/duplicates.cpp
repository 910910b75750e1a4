#include <bench/duplicates/filch.hpp>
#include <fmt/format.h>
#include <tools/cli/progress.hpp>
#include <tools/cli/report.hpp>
#include <tools/cli/workloads/workload.hpp>

#include <numeric>

namespace filch::cli {

namespace {

namespace fs = std::filesystem;

class duplicates final : public workload {
 public:
  void add_options(CLI::App& command) override {
    command.add_option("PATH", roots_, "Folders or files to look at")
        ->required()
        ->type_name("")
        ->check(CLI::Validator{CLI::ExistingPath}.description(""));
    command.add_flag("--all", all_, "List everything, not only the most wasteful");
  }

  std::string size() const override { return fmt::format("in {}", fmt::join(roots_, ", ")); }
  /// One: what matters here is the answer, and a second run would find all files in memory.
  unsigned usual_repeats() const override { return 1; }

  void solve() override {
    progress_bar bar{stderr};
    found_ = bench::duplicates::on_filch({{roots_.begin(), roots_.end()}}, bar);
  }

  std::string check() const override {
    progress_bar bar{stderr};
    return bench::duplicates::check(found_, bar);
  }
  const char* checked_against() const override { return "the SHA-1 of all candidates"; }

  summary summarise() const override {
    return {fmt::format("{}, {} wasted", count_text(found_.groups.size(), "groups"),
                        bytes_text(wasted_bytes())),
            values(), found_.files.size(), "files"};
  }

  void list_findings() const override {
    list_groups();
    list_failures();
  }

 private:
  std::uint64_t wasted_bytes() const {
    return std::transform_reduce(found_.groups.begin(), found_.groups.end(), std::uint64_t{0},
                                 std::plus<>{},
                                 [](const auto& group) { return group.wasted_bytes(); });
  }

  nlohmann::json values() const {
    nlohmann::json groups = nlohmann::json::array(), failures = nlohmann::json::array();
    for (const auto& group : found_.groups) {
      nlohmann::json paths = nlohmann::json::array();
      for (const fs::path& path : group.paths) paths.push_back(path.string());
      groups.push_back({{"size", group.size},
                        {"wasted_bytes", group.wasted_bytes()},
                        {"paths", std::move(paths)}});
    }
    for (const auto& failure : found_.failures) {
      failures.push_back({{"path", failure.path.string()}, {"reason", failure.reason.message()}});
    }
    return {{"files", found_.files.size()},
            {"wasted_bytes", wasted_bytes()},
            {"groups", groups},
            {"unreadable", failures}};
  }

  std::size_t shown(std::size_t count, std::size_t usual) const {
    return all_ ? count : std::min(count, usual);
  }

  void list_groups() const {
    const std::size_t group_count = shown(found_.groups.size(), 5);
    for (std::size_t i = 0; i < group_count; ++i) {
      const auto& group = found_.groups[i];
      fmt::print(
          "\n  {}  {}\n",
          painted(stdout, tone::strong, bytes_text(group.wasted_bytes()) + " wasted"),
          painted(stdout, tone::faint,
                  fmt::format("{} files of {}", group.paths.size(), bytes_text(group.size))));
      const std::size_t path_count = shown(group.paths.size(), 4);
      for (std::size_t j = 0; j < path_count; ++j)
        fmt::print("    {}\n", name_text(group.paths[j].string()));
      print_rest(group.paths.size() - path_count, "more", "    ");
    }
    if (group_count > 0) fmt::print("\n");
    print_rest(found_.groups.size() - group_count, "more groups; --all lists everything\n", "  ");
  }

  void list_failures() const {
    const std::size_t count = shown(found_.failures.size(), 10);
    for (std::size_t i = 0; i < count; ++i) {
      const auto& failure = found_.failures[i];
      fmt::print(stderr, "filch: cannot read {}: {}\n", name_text(failure.path.string()),
                 failure.reason.message());
    }
    if (count < found_.failures.size())
      fmt::print(stderr, "filch: nor {} more\n", found_.failures.size() - count);
  }

  static void print_rest(std::size_t count, const char* what, const char* indent) {
    if (count == 0) return;
    fmt::print("{}{}\n", indent,
               painted(stdout, tone::faint, fmt::format("and {} {}", count_text(count), what)));
  }

  std::vector<std::string> roots_;
  bool all_ = false;
  bench::duplicates::answer found_;
};

}  // namespace

std::unique_ptr<workload> make_duplicates() { return std::make_unique<duplicates>(); }

}  // namespace filch::cli
