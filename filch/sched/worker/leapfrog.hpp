#pragma once
// Leapfrogging: a join whose job was stolen takes from the thief what descends from that job, and
// nothing else. README.md, "Helping the thief", is the argument; leapfrog_model.cpp checks this
// text.
#include <filch/queue/fork_stack.hpp>
#include <filch/sched/edges.hpp>

#include <array>
#include <cstddef>
#include <span>

namespace filch::inline v0_2::sched {

/// What a worker publishes for stalled joins that may help it: the stolen job it runs, and the
/// stolen job that its own join waits for.
///
/// Threads: `begin`, `go_back_to`, `wait_for` and `help` are its owner's.
/// Source: Wagner and Calder, "Leapfrogging: A Portable Technique for Implementing Efficient
/// Futures", PPoPP 1993. We differ: chains of thieves are followed, and the thief's private jobs
/// are requested or exposed by force.
template <class Sync>
class basic_leapfrog {
 public:
  using fork_stack = queue::basic_fork_stack<Sync>;
  using entry = typename fork_stack::entry;

  /// `index` is the worker's, for reports.
  basic_leapfrog(fork_stack& mine, unsigned index) noexcept : number{index}, forks_{mine} {}
  basic_leapfrog(const basic_leapfrog&) = delete;
  basic_leapfrog& operator=(const basic_leapfrog&) = delete;

  const unsigned number;
  /// The thief of the job at `at`, or null: it has not named itself yet.
  /// Threads: any that waits for the job.
  static basic_leapfrog* thief_of(const entry& at) noexcept {
    return static_cast<basic_leapfrog*>(at.thief.load(base::acquire<edge::named_thief>));
  }

  /// Call before it runs `stolen`, or a job that was not forked (null). Returns the stolen job that
  /// it ran before.
  entry* begin(entry* stolen) noexcept {
    entry* const before = current_job_.load(base::relaxed);
    // From one job that was not forked to the next nothing changes. The lock was taken once since
    // the last stolen job: helpers that came for that one are gone, or find null.
    if (stolen != nullptr || !is_known_free_) [[unlikely]]
      change_to(stolen);
    return before;
  }
  /// Call after the job ran, before it is completed. If it was run inside a stolen job, that one is
  /// current again, and the next `begin` takes the lock.
  void go_back_to(entry* before) noexcept {
    if (before != nullptr) is_known_free_ = false;
    current_job_.store(before, base::relaxed);
  }

  /// Names the stolen job that its join waits for. Returns the one named before.
  entry* wait_for(entry* job) noexcept {
    entry* const before = waiting_for_.load(base::relaxed);
    waiting_for_.store(job, base::relaxed);
    return before;
  }

  /// A stolen job and its thief.
  struct theft {
    basic_leapfrog* thief = nullptr;
    entry* job = nullptr;
  };
  /// Takes a job that descends from `mine`, which was stolen: from its thief, or if that waits for
  /// a job stolen in turn, from that job's thief, and so on. `by_force`: the thief did not answer a
  /// request. Null job: there is none now.
  theft help(entry* mine, bool by_force) noexcept;
  /// Whether there is more to take. Threads: any.
  bool has_public() const noexcept { return !forks_.peek().is_empty(); }
  std::uint32_t public_count() const noexcept { return forks_.peek().size(); }

 private:
  /// Out of line: most jobs were not forked, and follow one that was not.
  [[gnu::noinline]] void change_to(entry* stolen) noexcept;
  entry* give_descendant(std::span<const theft> chain, bool by_force) noexcept;
  static bool runs_chain(std::span<const theft> chain) noexcept;

  fork_stack& forks_;
  /// The stolen job it runs. Writer: itself. Readers: helpers.
  typename Sync::template atomic<entry*> current_job_{nullptr};
  /// No helper can find a stolen job here. Read and written by the owner.
  bool is_known_free_ = false;
  typename Sync::template atomic<entry*> waiting_for_{
      nullptr};  ///< The entry its join waits for. Writer: itself. Readers: helpers.
};

template <class Sync>
void basic_leapfrog<Sync>::change_to(entry* stolen) noexcept {
  // An exchange, though a store would do: it brings the line here to stay, for the reads now and
  // the completion later.
  if (stolen != nullptr) stolen->thief.exchange(this, base::release<edge::named_thief>);
  forks_.exposing().lock();  // a helper that holds it must not see the job change under it
  current_job_.store(stolen, base::relaxed);
  forks_.exposing().unlock();
  is_known_free_ = stolen == nullptr;
}

template <class Sync>
auto basic_leapfrog<Sync>::help(entry* mine, bool by_force) noexcept -> theft {
  constexpr std::size_t longest_chain = 8;
  std::array<theft, longest_chain> chain;
  std::size_t length = 0;
  for (entry* job = mine; job != nullptr && length < longest_chain;) {
    basic_leapfrog* const thief = thief_of(*job);
    if (thief == nullptr || thief == this) return {};
    chain[length++] = {thief, job};
    if (entry* const taken = thief->give_descendant({chain.data(), length}, by_force))
      return {thief, taken};
    job = thief->waiting_for_.load(base::relaxed);  // relaxed: checked under the lock
  }
  return {};
}

// While the last thief's expose lock is held it cannot begin another job. So if it runs the job we
// came for, and that job is not done, each job that can be won from its stack was forked below it.
template <class Sync>
auto basic_leapfrog<Sync>::give_descendant(std::span<const theft> chain, bool by_force) noexcept
    -> entry* {
  if (forks_.peek().is_empty()) {
    if (!forks_.has_private()) return nullptr;
    if (!by_force) {
      forks_.request_work();
      return nullptr;
    }
  }
  if (!forks_.exposing().try_lock()) return nullptr;
  entry* taken = nullptr;
  if (runs_chain(chain)) {
    if (forks_.peek().is_empty() && by_force) forks_.force_locked();
    taken = forks_.steal();
  }
  forks_.exposing().unlock();
  return taken;
}

// Relaxed: each link of the chain was stolen, and begun under the thief's expose lock, after the
// one before had been begun. So holding the last thief's lock, this thread sees no older job of any
// of them than the one that led here.
template <class Sync>
bool basic_leapfrog<Sync>::runs_chain(std::span<const theft> chain) noexcept {
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const theft& here = chain[i];
    if (here.thief->current_job_.load(base::relaxed) != here.job) return false;
    if (i + 1 < chain.size() && here.thief->waiting_for_.load(base::relaxed) != chain[i + 1].job)
      return false;
  }
  // Saves a try: a thief that has completed it runs something else already
  return !chain.back().job->is_done();
}

}  // namespace filch::sched
