// Locked deques: every worker has its own list of jobs. It works at the young end; a worker without
// jobs takes from the old end of another's. A lock on each list keeps the two from meeting.
//
// Source: Burton and Sleep, FPCA 1981, and Halstead, "Multilisp", ACM TOPLAS 1985, had the idea;
//         Cilk-5 (Frigo, Leiserson and Randall, PLDI 1998) still lets thieves lock; this is also
//         the "simple work stealing" of many courses and game engines.
// Cost:   a lock and an unlock for each spawn and for each job taken, on a lock that is rarely
//         contended.
// Hurts:  small jobs, since locking costs as much as they do. A thief that holds a lock makes the
//         owner of that list wait.
// Tuned:  thieves take the oldest job, the largest subtree; they start with the victim after the
//         last one, round robin, so that they do not all probe the same one; they yield the
//         processor a few times before they sleep.
#include <compare/crew.hpp>
#include <compare/rivals.hpp>
#include <filch/base/thread.hpp>

#include <algorithm>
#include <deque>
#include <optional>

namespace filch::compare {
namespace {

constexpr int rounds_before_sleep = 16;  ///< A guess: about as long as a wake-up takes.

class mutex_deques final : public scheduler {
  struct alignas(base::cache_line_bytes) seat final : worker {
    seat(unsigned index, tally& counts, mutex_deques& owner)
        : worker{index, counts}, room{owner}, next_victim{index + 1} {}

    void spawn(const job& child) override {
      {
        const base::lock_guard lock{mutex};
        jobs.push_back(child);
      }
      room.lobby_.wake_one();
    }
    std::optional<job> take_youngest() {
      const base::lock_guard lock{mutex};
      if (jobs.empty()) return std::nullopt;
      const std::optional<job> youngest{jobs.back()};
      jobs.pop_back();
      return youngest;
    }
    std::optional<job> take_oldest() {
      const base::lock_guard lock{mutex};
      if (jobs.empty()) return std::nullopt;
      const std::optional<job> oldest{jobs.front()};
      jobs.pop_front();
      return oldest;
    }
    bool has_jobs() {
      const base::lock_guard lock{mutex};
      return !jobs.empty();
    }

    mutex_deques& room;
    unsigned next_victim;  ///< Owner only. Counts up; taken modulo the number of workers.
    base::mutex mutex;
    std::deque<job> jobs FILCH_GUARDED_BY(mutex);
  };

 public:
  explicit mutex_deques(unsigned workers)
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
      for (int rounds = 0; rounds < rounds_before_sleep; ++rounds) {
        while (const std::optional<job> next = take_any(me)) {
          me.run(*next);
          rounds = 0;
        }
        base::yield_thread();
      }
    } while (lobby_.wait_for_work(me.index(),
                                  [this] { return std::ranges::any_of(seats_, &seat::has_jobs); }));
  }

  std::optional<job> take_any(seat& me) {
    std::optional<job> next = me.take_youngest();
    for (std::size_t tries = 0; !next && tries < seats_.size(); ++tries) {
      next = seats_[me.next_victim++ % seats_.size()].take_oldest();
    }
    return next;
  }

  lobby lobby_;
  std::deque<seat> seats_;
  crew crew_;  // last: its threads use the rest
};

}  // namespace

std::unique_ptr<scheduler> make_mutex_deques(unsigned workers) {
  return std::make_unique<mutex_deques>(workers);
}

}  // namespace filch::compare
