#include <bench/uts/filch.hpp>
#include <fmt/format.h>
#include <tools/cli/report.hpp>
#include <tools/cli/workloads/workload.hpp>

namespace filch::cli {

namespace {

class uts final : public workload {
 public:
  void add_options(CLI::App& command) override {
    std::vector<std::string> names;
    for (const auto& entry : bench::uts::sample_trees) names.emplace_back(entry.name);
    command.add_option("--tree", name_, "Sample tree of the UTS suite: T1 to T5, T1L or T3L")
        ->type_name("NAME")
        ->capture_default_str()
        ->check(CLI::IsMember(names).description(""));
  }

  std::string size() const override { return name_; }
  void solve() override { counted_ = bench::uts::on_filch(bench::uts::sample(name_).parameters); }
  std::string check() const override {
    return bench::uts::check(bench::uts::sample(name_), counted_);
  }
  const char* checked_against() const override { return "the published counts"; }

  summary summarise() const override {
    return {fmt::format("{}, depth {}, {}", count_text(counted_.nodes, "nodes"), counted_.depth,
                        count_text(counted_.leaves, "leaves")),
            {{"tree", name_},
             {"nodes", counted_.nodes},
             {"depth", counted_.depth},
             {"leaves", counted_.leaves}},
            counted_.nodes,
            "nodes"};
  }

 private:
  std::string name_ = "T1";
  bench::uts::tally counted_;
};

}  // namespace

std::unique_ptr<workload> make_uts() { return std::make_unique<uts>(); }

}  // namespace filch::cli
