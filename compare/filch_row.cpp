// filch: the library itself, through its public `join` and nothing else.
//
// Source: the rooms `queue`, `sched` and `fork`.
// Cost: a job's children are gathered in its own frame and forked by halves with `filch::join`: a
// fork is a few stores that
//         only this worker reads. No allocation, no locked instruction, no shared list.
// Tuned: a subtree that would go too deep for the stack is left to a `task_group`, which has other
// stacks.
// Hurts: children wait until their parent has returned, where the other schedulers show each one as
// soon as it is spawned. A
//         natural filch program would pass results up as return values and have no jobs at all, so
//         it is faster than this row; here it runs the same computation, through the same virtual
//         calls, as everyone else.
#include <compare/rivals.hpp>
#include <filch/fork.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

namespace filch::compare {
namespace {

/// Collects the children of one job: the first few in the frame, more on the heap.
class nest final : public worker {
 public:
  using worker::worker;
  void spawn(const job& child) override {
    if (count_ < few_.size()) {
      few_[count_] = child;
    } else {
      if (count_ == few_.size()) many_.assign(few_.begin(), few_.end());
      many_.push_back(child);
    }
    ++count_;
  }
  const job* jobs() const noexcept { return many_.empty() ? few_.data() : many_.data(); }
  std::size_t count() const noexcept { return count_; }

 private:
  std::array<job, 8> few_;  ///< Left as it is: most jobs have no children.
  std::vector<job> many_;
  std::size_t count_ = 0;
};

class filch_row final : public scheduler {
 public:
  explicit filch_row(unsigned workers)
      : filch_row{std::make_unique<thread_pool>(pool_options{.workers = workers})} {}

 private:
  explicit filch_row(std::unique_ptr<thread_pool> pool)
      : scheduler{pool->worker_capacity()}, pool_{std::move(pool)} {
    pool_->warm_up();
  }

  void run_tree(const job& root) override {
    pool_->run([&] {
      task_group deep;
      job mine = root;
      // The caller is a worker for the call, and which one only the pool knows
      mine.spawner = worker_index();
      visit(mine, {0, deep});
      deep.wait();
    });
  }

  /// How far down a visit is on its stack, and where it leaves what would go too far.
  struct place {
    static constexpr unsigned deepest = 2000;  ///< Levels of about 1 KiB each, of the usual 8 MiB.
    unsigned depth;
    task_group& deep;
    place below() const noexcept { return {depth + 1, deep}; }
  };

  [[gnu::noinline]] void visit(const job& next, place at) {
    if (at.depth == place::deepest)
      return at.deep.run([this, next, &deep = at.deep] { visit(next, {0, deep}); });
    const unsigned index = worker_index();
    nest children{index, tally_of(index)};
    children.run(next);
    if (children.count() > 0) visit_all(children.jobs(), children.count(), at.below());
  }

  void visit_all(const job* first, std::size_t count, place at) {
    if (count == 1) return visit(*first, at);
    const std::size_t half = count / 2;
    join([=, this] { visit_all(first, half, at); },
         [=, this] { visit_all(first + half, count - half, at); });
  }

  std::unique_ptr<thread_pool> pool_;
};

}  // namespace

std::unique_ptr<scheduler> make_filch(unsigned workers) {
  return std::make_unique<filch_row>(workers);
}

}  // namespace filch::compare
