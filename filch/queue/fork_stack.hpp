#pragma once
// The fork stack: jobs that only their owner may take until a thief asks. README.md, "Fork stack",
// is the argument.
#include <filch/base/cache_line.hpp>
#include <filch/base/panic.hpp>
#include <filch/base/sync.hpp>
#include <filch/policy/stealing.hpp>
#include <filch/queue/fork_edges.hpp>

#include <cstddef>
#include <cstdint>

namespace filch::inline v0_2::queue {

/// What a queue holds: a function and its argument. `run` never throws; it stores exceptions in the
/// environment.
struct job {
  void (*run)(void* environment);
  void* environment;
};

/// One forked job, in place until its join has seen it complete.
template <class Sync>
struct basic_fork_entry {
  typename Sync::template plain<void (*)(void*)> run;
  typename Sync::template plain<void*> environment;
  /// Writers: the thief, the joining owner. 0, done, or a waiter.
  typename Sync::template atomic<std::uintptr_t> completion;
  /// Writer: the thief; owner at reset. Readers: owner, its helpers.
  typename Sync::template atomic<void*> thief;

  static constexpr std::uintptr_t done = 1;
  bool is_done() const noexcept {
    return completion.load(base::acquire<fork_edge::complete>) == done;
  }
  /// The thief's last access: the owner may reuse the entry as soon as it is done. Returns the
  /// sleeper that waits for it, or 0.
  std::uintptr_t complete() noexcept {
    return completion.exchange(done, base::acq_rel<fork_edge::complete>);
  }
  /// The same for a job for which no thread can sleep.
  void let_go() noexcept { completion.store(done, base::release<fork_edge::complete>); }
  /// Owner: either the thread that completes the job sees `sleeper`, or it is done: returns false.
  bool leave_sleeper(std::uintptr_t sleeper) noexcept {
    std::uintptr_t nobody = 0;
    return completion.compare_exchange(nobody, sleeper, base::release<fork_edge::complete>);
  }
};

/// `top` and `split` of a fork stack in one word: [top, split) is public.
struct public_range {
  std::uint32_t top;
  std::uint32_t split;

  static constexpr public_range unpack(std::uint64_t word) noexcept {
    return {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)};
  }
  constexpr std::uint64_t pack() const noexcept { return std::uint64_t{top} << 32 | split; }
  constexpr bool is_empty() const noexcept { return top >= split; }
  constexpr std::uint32_t size() const noexcept { return is_empty() ? 0 : split - top; }
};

enum class [[nodiscard]] pop_outcome{popped, stolen};

/// Whether the owner should expose. `guessed`: the owner expects a thief that is awake. `placed`: a
/// thief has asked, and may be asleep by now.
enum class request : std::uint32_t { none, guessed, placed };

/// A stack of forked jobs, split in a private part that costs its owner no ordering and a public
/// part that thieves take from.
///
/// Cost: push and pop of a private job: four stores, of which the pop makes one, and two compares;
/// no locked instruction, no fence.
/// Threads: one owner; any number of thieves. `push`, `pop_private`, `settle`, `expose`, `occupy`
/// and `release` are the owner's.
/// Source: van Dijk and van de Pol, "Lace: Non-blocking Split Deque for Work-Stealing", 2014. We
/// differ: `top` and `split` share a word changed by compare-and-swap, and a thief may expose by
/// force with an asymmetric fence.
template <class Sync>
class basic_fork_stack {
 public:
  using entry = basic_fork_entry<Sync>;
  template <class T>
  using atomic = typename Sync::template atomic<T>;

  /// A stack without room, for a thread outside every pool: every fork takes the slow path.
  constexpr basic_fork_stack() noexcept = default;
  basic_fork_stack(const basic_fork_stack&) = delete;
  basic_fork_stack& operator=(const basic_fork_stack&) = delete;

  /// Gives the stack its entries. `settle_always` makes every pop take the lock, for systems
  /// without the asymmetric fence.
  void adopt(entry* entries, std::size_t capacity, bool settle_always) noexcept {
    base_ = entries;
    end_ = entries + capacity;
    settle_always_ = settle_always;
    bottom_.store(entries, base::relaxed);  // no other thread knows the stack yet
    limit_.store(end_, base::relaxed);
    lock_.lock();  // a thread that pauses pops may know it already
    publish_split(0);
    lock_.unlock();
  }

  // -----------------------------------------------------------------------------------------------
  // owner, fast path
  // Relaxed: only the owner writes it
  [[gnu::always_inline]] entry* bottom() const noexcept { return bottom_.load(base::relaxed); }
  /// How many forks of this thread have not been joined. Owner only.
  std::size_t depth() const noexcept { return static_cast<std::size_t>(bottom() - base_); }
  /// True if the next fork must take the slow path: the stack is full, a thief has asked, or the
  /// thread is in no pool.
  [[gnu::always_inline]] bool must_pause(const entry* at) const noexcept {
    // Relaxed: a request seen late is only answered late
    return at >= limit_.load(base::relaxed);
  }
  [[gnu::always_inline]] void push(entry* at, job forked) noexcept {
    at->run.write(forked.run);
    at->environment.write(forked.environment);
    bottom_.store(at + 1, base::release<fork_edge::force_publish>);
  }
  /// Takes back the youngest job, at `at`. False if it may be public, or if pops pause: then
  /// `is_private` and `settle` decide.
  [[gnu::always_inline]] bool pop_private(entry* at) noexcept {
    // Release: a thief that exposes by force may read this bottom, and needs the entries below it
    // as their pushes left them.
    bottom_.store(at, base::release<fork_edge::force_publish>);
    Sync::template light_fence<fork_edge::force>();
    return at >= pop_limit_.load(base::relaxed);  // relaxed: ordered by the fence pair
  }

  // -----------------------------------------------------------------------------------------------
  // owner, slow path
  /// Whether `pop_private` refused the job at `at` only because pops pause: then it is taken back.
  bool is_private(const entry* at) const noexcept {
    return at >= public_end_.load(base::relaxed);  // relaxed: as in `pop_private`
  }
  /// Decides a pop that is not private. Takes back the younger half of what is still public, or
  /// returns that the job was stolen.
  pop_outcome settle(entry* at) noexcept;
  /// Makes the older part of the private jobs public, as `policy::exposed_count` says. Returns how
  /// many. Answers a request.
  std::uint32_t expose() noexcept;
  /// Keeps the entry of a stolen job in place while its owner runs others above it.
  void occupy(entry* at) noexcept {
    bottom_.store(at + 1, base::release<fork_edge::force_publish>);
  }
  /// Frees the entry of a stolen job that has completed; it may be used again.
  void release(entry* at) noexcept;
  /// Sends forks through the slow path, until `take_request`.
  // Relaxed: only this thread reads it
  void pause_forks() noexcept { limit_.store(nullptr, base::relaxed); }
  /// Lets forks take the fast path again. Returns the request, if any, which `expose` answers.
  [[nodiscard]] request take_request() noexcept;
  /// Places a request with itself, for a thief that has finished and will look here. Needs neither
  /// its help nor a transfer of the line.
  void request_eagerly() noexcept;
  /// True once the thieves of all entries from `first` to the youngest have set `done`, although no
  /// join waits for these.
  static bool are_let_go(const entry* first, const entry* youngest) noexcept {
    for (const entry* each = first; each <= youngest; ++each) {
      if (!each->is_done()) return false;
    }
    return true;
  }
  /// Frees entries that `are_let_go`, from `first` to the youngest.
  void release_all(entry* first, entry* youngest) noexcept {
    // Relaxed: as in `release`
    for (entry* each = first; each <= youngest; ++each) each->completion.store(0, base::relaxed);
    release(first);
  }
  bool is_full(const entry* at) const noexcept { return at >= end_; }
  bool has_private() const noexcept {
    return index_of(bottom_.load(base::acquire<fork_edge::force_publish>)) >
           range(base::relaxed).split;
  }

  // -----------------------------------------------------------------------------------------------
  // any thread
  // Relaxed: a hint; `steal` looks again
  public_range peek() const noexcept { return range(base::relaxed); }
  /// Takes the oldest public job, or returns null. Its fields may be read until it is completed.
  entry* steal() noexcept;
  /// Asks the owner to expose work at its next fork or join. The request stays until it is
  /// answered. Returns false if one stood already.
  bool request_work() noexcept;
  /// Cancels a request. The owner notices at its next fork or join, and goes on as if there had
  /// been none.
  void cancel_request() noexcept {
    if (asked() != request::none) asked_.exchange(request::none, base::relaxed);
  }
  request asked() const noexcept { return asked_.load(base::relaxed); }  // relaxed: a hint
  /// Sends all of the owner's pops through the slow path, even private ones, for a thread that must
  /// learn of each.
  void pause_pops() noexcept { pause_pops_below(always()); }
  void resume_pops() noexcept { pause_pops_below(nullptr); }
  /// The same for the jobs below `end`; younger ones pass.
  void pause_pops_below(entry* end) noexcept {
    lock_.lock();
    pause_end_ = end;
    set_public_end(public_end_.load(base::relaxed));
    lock_.unlock();
  }
  /// Exposes without the owner's help. Returns how many jobs. Cost: one heavy fence.
  std::uint32_t expose_by_force() noexcept {
    lock_.lock();
    const std::uint32_t count = force_locked();
    lock_.unlock();
    return count;
  }

  /// The expose lock: while a thread holds it, only that thread can make jobs public.
  typename Sync::mutex& exposing() noexcept { return lock_; }
  /// As `expose_by_force`, for a caller that holds `exposing()` already.
  std::uint32_t force_locked() noexcept;

 private:
  std::uint32_t index_of(const entry* at) const noexcept {
    return static_cast<std::uint32_t>(at - base_);
  }
  public_range range(std::memory_order order) const noexcept {
    return public_range::unpack(public_.load(order));
  }
  entry* always() const noexcept { return reinterpret_cast<entry*>(~std::uintptr_t{0}); }
  // Relaxed: resolved under the lock, or ordered by the fence pair.
  void set_public_end(entry* end) noexcept {
    public_end_.store(end, base::relaxed);
    pop_limit_.store(pause_end_ > end ? pause_end_ : end, base::relaxed);
  }
  void publish_split(std::uint32_t split) noexcept {
    set_public_end(settle_always_ ? always() : base_ + split);
  }
  std::uint32_t raise_split(std::uint32_t bottom) noexcept;

  // Owner's line: the owner has it to itself as long as no thief steals.
  /// Writer: owner. Readers: thieves that expose by force.
  alignas(base::cache_line_bytes) atomic<entry*> bottom_{nullptr};
  /// Writers: under `lock_`. Reader: owner.
  atomic<entry*> pop_limit_{nullptr};
  /// The same. Not raised any more once the lock is released.
  atomic<entry*> public_end_{nullptr};
  entry* base_ = nullptr;
  entry* end_ = nullptr;
  /// Held while `split`, `public_end_` or `pop_limit_` moves. Usually the owner's.
  typename Sync::mutex lock_;
  bool settle_always_ = false;
  entry* pause_end_ = nullptr;  ///< Pops below it pause. Guarded by `lock_`.
  // Request line: a request in the middle of a job does not slow the owner before its next fork.
  /// Writers: owner, thieves. Reader: owner.
  alignas(base::cache_line_bytes) atomic<entry*> limit_{nullptr};
  atomic<request> asked_{request::none};  ///< Writers: thieves, owner.
  // Thieves' line: the one word that they watch.
  /// `public_range`. Writers: all, by compare-and-swap.
  alignas(base::cache_line_bytes) atomic<std::uint64_t> public_{0};
};

template <class Sync>
pop_outcome basic_fork_stack<Sync>::settle(entry* at) noexcept {
  lock_.lock();
  const std::uint32_t index = index_of(at);
  std::uint64_t word = public_.load(base::relaxed);  // relaxed: the exchange below decides
  pop_outcome outcome = pop_outcome::popped;
  for (;;) {
    const public_range now = public_range::unpack(word);
    if (now.top > index) {
      outcome = pop_outcome::stolen;
      break;
    }
    if (now.split <= index) {
      publish_split(now.split);
      break;
    }
    const public_range kept{now.top, now.top + policy::kept_public(index - now.top)};
    if (public_.compare_exchange(word, kept.pack(), base::acq_rel<fork_edge::expose>)) {
      publish_split(kept.split);
      break;
    }
  }
  lock_.unlock();
  return outcome;
}

template <class Sync>
std::uint32_t basic_fork_stack<Sync>::raise_split(std::uint32_t bottom) noexcept {
  std::uint64_t word = public_.load(base::relaxed);  // relaxed: the exchange below decides
  for (;;) {
    const public_range now = public_range::unpack(word);
    const std::uint32_t hidden = bottom > now.split ? bottom - now.split : 0;
    const std::uint32_t count = policy::exposed_count(hidden);
    if (count == 0 ||
        public_.compare_exchange(word, public_range{now.top, now.split + count}.pack(),
                                 base::acq_rel<fork_edge::expose>)) {
      publish_split(now.split + count);
      return count;
    }
  }
}

template <class Sync>
std::uint32_t basic_fork_stack<Sync>::expose() noexcept {
  lock_.lock();
  const std::uint32_t count = raise_split(index_of(bottom()));
  lock_.unlock();
  return count;
}

template <class Sync>
std::uint32_t basic_fork_stack<Sync>::force_locked() noexcept {
  set_public_end(always());
  // Otherwise the owner resolves under the lock anyway
  if (!settle_always_) Sync::template heavy_fence<fork_edge::force>();
  return raise_split(index_of(bottom_.load(base::acquire<fork_edge::force_publish>)));
}

template <class Sync>
void basic_fork_stack<Sync>::release(entry* at) noexcept {
  // Relaxed: the next thief sees it through the next exposure
  at->completion.store(0, base::relaxed);
  at->thief.store(nullptr, base::relaxed);
  lock_.lock();
  const std::uint32_t index = index_of(at);
  bottom_.store(at, base::release<fork_edge::force_publish>);
  // Relaxed: an empty range hands nothing over
  public_.store(public_range{index, index}.pack(), base::relaxed);
  publish_split(index);
  lock_.unlock();
}

template <class Sync>
auto basic_fork_stack<Sync>::steal() noexcept -> entry* {
  std::uint64_t word = public_.load(base::relaxed);  // relaxed: the exchange below decides
  for (;;) {
    const public_range now = public_range::unpack(word);
    if (now.is_empty()) return nullptr;
    if (public_.compare_exchange(word, public_range{now.top + 1, now.split}.pack(),
                                 base::acquire<fork_edge::expose>)) {
      return base_ + now.top;
    }
  }
}

template <class Sync>
bool basic_fork_stack<Sync>::request_work() noexcept {
  // A look first: thieves that ask again and again do not move the line.
  if (asked() == request::placed) return false;
  if (asked_.exchange(request::placed, base::acquire<fork_edge::request>) != request::none)
    return false;
  limit_.store(nullptr, base::relaxed);  // relaxed: a request hands nothing over
  return true;
}

template <class Sync>
void basic_fork_stack<Sync>::request_eagerly() noexcept {
  request nobody = request::none;
  // Relaxed: only this thread reads it
  if (asked_.compare_exchange(nobody, request::guessed, base::relaxed))
    limit_.store(nullptr, base::relaxed);
}

template <class Sync>
request basic_fork_stack<Sync>::take_request() noexcept {
  // Before the request is taken: a later one lowers it again
  limit_.store(end_, base::relaxed);
  return asked_.exchange(request::none, base::release<fork_edge::request>);
}

using fork_entry = basic_fork_entry<base::real_sync>;
using fork_stack = basic_fork_stack<base::real_sync>;

}  // namespace filch::queue
