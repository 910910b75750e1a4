// Started by an MPI launcher: counts two small trees again and again, and ends with 1 at the first
// wrong count on any rank. repeat_test RUNS
#include <bench/uts/problem.hpp>
#include <filch/dist.hpp>

#include <cstdio>
#include <cstdlib>

namespace {

namespace uts = bench::uts;
using filch::dist::monoid;

struct node_task {
  uts::node node{};
  template <class A>
  void serialize(A& archive) {
    archive& node.state& node.depth;
  }
};

struct small_tree {
  uts::tree rule;
  std::uint64_t nodes;
};
const small_tree trees[] = {{{.root_branching = 4, .depth_limit = 7, .seed = 19}, 63'914},
                            {{.type = uts::kind::binomial,
                              .root_branching = 20,
                              .nonleaf_chance = 0.124875,
                              .nonleaf_children = 8,
                              .seed = 42},
                             6'213}};

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 20;
  filch::dist::world ranks{{.workers = 1}};
  for (int run = 0; run < runs; ++run) {
    for (const small_tree& tree : trees) {
      const auto expand = [&](node_task at, auto& push, std::uint64_t& count) {
        ++count;
        const int children = uts::child_count(tree.rule, at.node);
        for (int child = 0; child < children; ++child) push({uts::child(at.node, child)});
      };
      const std::uint64_t counted =
          for_each_task(ranks, std::vector{node_task{uts::root(tree.rule)}}, expand,
                        monoid{std::uint64_t{0}, std::plus<>{}});
      if (counted == tree.nodes) continue;
      std::fprintf(stderr, "rank %d, run %d: counted %llu of %llu nodes\n", ranks.rank(), run,
                   static_cast<unsigned long long>(counted),
                   static_cast<unsigned long long>(tree.nodes));
      return 1;
    }
  }
  if (ranks.rank() == 0) std::printf("%d runs on %d ranks\n", 2 * runs, ranks.size());
  return 0;
}
