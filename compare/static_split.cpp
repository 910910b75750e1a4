// Static split: the top of the tree is dealt out like cards, and after that nothing moves.
//
// Source: OpenMP's `schedule(static, chunk)` and every hand-written "one slice per thread". Why
//         search trees need more is the subject of Kumar, Grama and Vempaty, J. Parallel Distrib.
//         Comput. 22, 1994.
// Cost:   a spawn is a copy into a private stack. Dealing is serial: it opens the tree level by
//         level until there are `hands` subtrees for each worker.
// Hurts:  trees whose subtrees differ in size, which cannot be seen from above: the worker with the
//         big ones finishes last, alone. More and smaller hands balance better but cost serial time
//         first. No number helps if one subtree is most of the tree: on UTS T3 with 8 workers the
//         busiest runs 5 times the mean, with 2 hands as with 512.
#include <compare/crew.hpp>
#include <compare/private_stack.hpp>
#include <compare/rivals.hpp>

namespace filch::compare {
namespace {

/// Subtrees for each worker. On UTS T1 with 8 workers the busiest runs 3.5, 2.0, 1.18, 1.08 and
/// 1.10 times the mean with 2, 8, 32, 128 and 512 of them; but a tree that never gets so wide is
/// run by the dealer alone.
constexpr std::size_t hands = 32;

class static_split final : public scheduler {
 public:
  explicit static_split(unsigned workers)
      : scheduler{workers}, crew_{workers, [this](unsigned index) { seats_[index].drain(); }} {
    for (unsigned index = 0; index < workers; ++index) seats_.emplace_back(index, tally_of(index));
  }

 private:
  void run_tree(const job& root) override {
    deal(open_top(root));
    crew_.round();
  }

  /// Runs the jobs nearest to the root, oldest first, until enough others wait. They are the first
  /// worker's.
  private_stack& open_top(const job& root) {
    private_stack& dealer = seats_.front();
    dealer.spawn(root);
    while (dealer.size() > 0 && dealer.size() < hands * seats_.size())
      dealer.run(dealer.pop_oldest());
    return dealer;
  }

  void deal(private_stack& dealer) {
    for (std::size_t left = dealer.size(), card = 0; card < left; ++card) {
      job subtree = dealer.pop_oldest();
      private_stack& owner = seats_[card % seats_.size()];
      subtree.spawner = owner.index();  // given before the start, not moved
      owner.spawn(subtree);
    }
  }

  std::deque<private_stack> seats_;
  crew crew_;  // last: its threads use the rest
};

}  // namespace

std::unique_ptr<scheduler> make_static_split(unsigned workers) {
  return std::make_unique<static_split>(workers);
}

}  // namespace filch::compare
