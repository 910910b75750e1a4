// Chase-Lev: work stealing as it is usually built. Every worker has a lock-free deque of its own:
// spawned children go to the young end and come back from there; a worker with nothing steals from
// the old end of a random victim's.
//
// Source: the deque is Chase and Lev, SPAA 2005, here `queue::deque`; thieves yield before each
// attempt as in Arora, Blumofe
//         and Plaxton, SPAA 1998; random victims and the bound on steals are Blumofe and Leiserson,
//         JACM 1999. Of this kind are oneTBB, Rayon, libfork and Taskflow, each with refinements.
// Cost: a spawn is a node from a private free list, a store, and a look for sleepers; taking it
// back is a locked
//         instruction, because the last job may be contested. No write to another worker's cache
//         line unless there is something to steal.
// Hurts: that locked instruction is paid for every job although hardly any is ever stolen. Each
// child is a record in memory,
//         where a function call would have kept it in registers.
// Tuned: an idle worker waits twice as long after each failed steal, then sleeps. The order between
// publishing a job and
//         looking for sleepers is free for the pusher; the sleeper pays for both sides
//         (`base::heavy_fence`).
#include <compare/crew.hpp>
#include <compare/rivals.hpp>
#include <filch/base/clock.hpp>
#include <filch/base/rng.hpp>
#include <filch/base/thread.hpp>
#include <filch/queue/deque.hpp>

#include <algorithm>
#include <deque>

namespace filch::compare {
namespace {

/// In `base::cpu_relax`: 10 to 25 us, about what a wake-up costs. Then sleep.
constexpr unsigned longest_pause = 1024;

/// Nodes for one worker's jobs. The worker that runs a job keeps its node; all nodes live as long
/// as the scheduler.
class job_pool {
 public:
  job* make(const job& content) {
    if (free_.empty()) return &storage_.emplace_back(content);
    job* node = free_.back();
    free_.pop_back();
    *node = content;
    return node;
  }
  void keep(job* node) { free_.push_back(node); }

 private:
  std::deque<job> storage_;
  std::vector<job*> free_;
};

class chase_lev final : public scheduler {
  struct alignas(base::cache_line_bytes) seat final : worker {
    seat(unsigned index, tally& counts, chase_lev& owner)
        : worker{index, counts}, room{owner}, random{index} {}

    void spawn(const job& child) override {
      jobs.push(nodes.make(child));
      room.pusher_fence();
      room.lobby_.wake_one();
    }
    void run_and_keep(job* next) {
      run(*next);
      nodes.keep(next);
    }

    chase_lev& room;
    base::split_mix64 random;
    job_pool nodes;
    queue::deque<job*> jobs;
  };

 public:
  explicit chase_lev(unsigned workers)
      : scheduler{workers}, lobby_{workers}, crew_{workers, [this](unsigned index) {
                                                     work(seats_[index]);
                                                   }} {
    for (unsigned index = 0; index < workers; ++index)
      seats_.emplace_back(index, tally_of(index), *this);
  }

 private:
  void run_tree(const job& root) override {
    lobby_.open();
    seats_.front().spawn(root);
    crew_.round();
  }

  void work(seat& me) {
    do {
      do {
        while (const std::optional<job*> next = me.jobs.pop()) me.run_and_keep(*next);
      } while (run_stolen(me));
    } while (lobby_.wait_for_work(me.index(), [this] { return has_work(); }));
  }

  bool run_stolen(seat& me) {
    if (seats_.size() == 1) return false;
    for (unsigned pause = 1; pause <= longest_pause; pause *= 2) {
      base::yield_thread();
      if (const auto loot = random_victim(me).jobs.steal()) {
        me.run_and_keep(loot.item);
        return true;
      }
      for (unsigned i = 0; i < pause; ++i) base::cpu_relax();
    }
    return false;
  }

  seat& random_victim(seat& me) {
    const std::size_t distance =
        1 + base::below(me.random(), static_cast<std::uint32_t>(seats_.size() - 1));
    return seats_[(me.index() + distance) % seats_.size()];
  }

  bool has_work() {
    sleeper_fence();
    return std::ranges::any_of(seats_,
                               [](const seat& other) { return other.jobs.size_hint() > 0; });
  }

  // Without the kernel's help both sides pay alike. Only waking depends on it, no data: the deque
  // has orders of its own.
  void pusher_fence() const noexcept { asymmetric_ ? base::light_fence() : full_fence(); }
  void sleeper_fence() const noexcept { asymmetric_ ? base::heavy_fence() : full_fence(); }
  // tidy: seam orders no data
  static void full_fence() noexcept { std::atomic_thread_fence(base::seq_cst<edge::sleep>); }

  const bool asymmetric_ = base::has_asymmetric_fence();
  lobby lobby_;
  std::deque<seat> seats_;
  crew crew_;  // last: its threads use the rest
};

}  // namespace

std::unique_ptr<scheduler> make_chase_lev(unsigned workers) {
  return std::make_unique<chase_lev>(workers);
}

}  // namespace filch::compare
