// One worker gets all: the root goes to one worker, and nothing ever leaves it.
//
// Source: none needed; it is what a program does that hands its work to "a background thread".
// Cost:   a spawn is a copy into a private stack, without locks or atomics: the cheapest here.
// Hurts:  everything else. The other workers sleep through the round, so the speed-up is at most 1.
//         Its row shows what the jobs cost if they are never moved: all that a scheduler takes
//         beyond this, at one worker, is its own price.
#include <compare/crew.hpp>
#include <compare/private_stack.hpp>
#include <compare/rivals.hpp>

namespace filch::compare {
namespace {

class one_worker_gets_all final : public scheduler {
 public:
  explicit one_worker_gets_all(unsigned workers)
      : scheduler{workers}, crew_{workers, [this](unsigned index) { work(index); }} {}

 private:
  void run_tree(const job& root) override {
    lucky_.spawn(root);
    crew_.round();
  }

  void work(unsigned index) {
    if (index == lucky_.index()) lucky_.drain();
  }

  private_stack lucky_{0, tally_of(0)};
  crew crew_;  // last: its threads use the rest
};

}  // namespace

std::unique_ptr<scheduler> make_one_worker_gets_all(unsigned workers) {
  return std::make_unique<one_worker_gets_all>(workers);
}

}  // namespace filch::compare
