#include <bench/uts/problem.hpp>
#include <fmt/format.h>
#include <tools/cli/report.hpp>
#include <tools/dist/problem.hpp>

namespace filch::dist_cli {

namespace {

namespace uts = bench::uts;

struct node_task {
  uts::node node{};
  template <class A>
  void serialize(A& archive) {
    archive& node.state& node.depth;
  }
};
struct sum {
  uts::tally counted{};
  template <class A>
  void serialize(A& archive) {
    archive& counted.nodes& counted.leaves& counted.depth;
  }
  static sum meet(sum a, sum b) { return {a.counted + b.counted}; }
};

class uts_problem final : public problem {
 public:
  void add_options(CLI::App& command) override {
    std::vector<std::string> names;
    for (const auto& entry : uts::sample_trees) names.emplace_back(entry.name);
    command.add_option("--tree", name_, "Sample tree of the UTS suite: T1 to T5, T1L or T3L")
        ->type_name("NAME")
        ->capture_default_str()
        ->check(CLI::IsMember(names).description(""));
  }
  std::string parameters() const override { return name_; }
  const char* tasks_are() const override { return "nodes"; }

  outcome solve(dist::communicator& ranks, const dist::run_options& options) override {
    const uts::sample_tree& entry = uts::sample(name_);
    const uts::tree& tree = entry.parameters;
    const auto expand = [&](node_task at, auto& push, sum& found) {
      const int children = uts::child_count(tree, at.node);
      found.counted = found.counted + uts::tally{1, children == 0, at.node.depth};
      for (int child = 0; child < children; ++child) push({uts::child(at.node, child)});
    };
    dist::run_options fine = options;
    fine.grain = 8;  // a node takes 0.1 us
    const uts::tally counted = dist::for_each_task(ranks, std::vector{node_task{uts::root(tree)}},
                                                   expand, dist::monoid{sum{}, sum::meet}, fine)
                                   .counted;
    return {fmt::format("{}, depth {}, {}", cli::count_text(counted.nodes, "nodes"), counted.depth,
                        cli::count_text(counted.leaves, "leaves")),
            uts::check(entry, counted),
            {{"tree", name_},
             {"nodes", counted.nodes},
             {"depth", counted.depth},
             {"leaves", counted.leaves}}};
  }

 private:
  std::string name_ = "T1";
};

}  // namespace

std::unique_ptr<problem> make_uts() { return std::make_unique<uts_problem>(); }

}  // namespace filch::dist_cli
