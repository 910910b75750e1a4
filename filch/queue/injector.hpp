#pragma once
// The pool's queue for work from external threads: unbounded, many producers, many consumers, first
// in first out.
#include <filch/base/cache_line.hpp>
#include <filch/base/panic.hpp>
#include <filch/base/sync.hpp>
#include <filch/queue/edges.hpp>

#include <cstddef>

namespace filch::inline v0_2::queue {

/// The link inside an injected job. The submitter brings the memory, so injecting cannot fail.
struct injected {
  injected* next = nullptr;
};

/// A linked list under a lock. It is used at most once per submission, so a lock is cheap enough;
/// see *Why not* in README.md.
///
/// Cost: push and pop: two locked instructions and a change of the size. An empty queue costs its
/// readers one load.
/// Blocks: `push` and `pop`, for the few instructions for which another thread holds the lock;
/// `looks_empty` never.
/// Threads: any.
/// Lifetime: a node belongs to the queue from `push` until `pop` returned it. Must be empty when
/// destroyed: nothing submitted is lost.
template <class Sync = base::real_sync>
class injector {
 public:
  injector() = default;
  injector(const injector&) = delete;
  injector& operator=(const injector&) = delete;
  ~injector() {
    FILCH_ASSERT(head_.read() == nullptr, "an injector dies with work in it", head_.read());
  }

  /// Appends `node`. Either a sleeper's `looks_empty` sees it, or the caller, which reads the
  /// sleepers after this, sees the sleeper.
  void push(injected& node) noexcept {
    node.next = nullptr;
    mutex_.lock();
    if (head_.read() == nullptr) {
      head_.write(&node);
    } else {
      tail_.read()->next = &node;
    }
    tail_.write(&node);
    size_.fetch_add(1, seq_cst<edge::inject>);
    mutex_.unlock();
  }

  /// Takes the oldest node, or returns null if there was none.
  [[nodiscard]] injected* pop() noexcept {
    if (looks_empty()) return nullptr;
    mutex_.lock();
    injected* const oldest = head_.read();
    if (oldest != nullptr) {
      head_.write(oldest->next);
      size_.fetch_sub(1, relaxed);  // relaxed: no sleeper must notice that there is less
    }
    mutex_.unlock();
    return oldest;
  }

  /// A sleeper's last check, after it has announced its sleep. Takes no lock.
  [[nodiscard]] bool looks_empty() const noexcept { return size_.load(seq_cst<edge::inject>) == 0; }

  [[nodiscard]] std::size_t size_hint() const noexcept { return size_.load(relaxed); }

 private:
  alignas(base::cache_line_bytes) typename Sync::mutex mutex_;
  typename Sync::template plain<injected*> head_{nullptr};  ///< Guarded by `mutex_`.
  /// Guarded by `mutex_`; stale while `head_` is null.
  typename Sync::template plain<injected*> tail_{nullptr};
  /// Writers: holders of `mutex_`. Readers: all.
  typename Sync::template atomic<std::size_t> size_{0};
};

}  // namespace filch::queue
