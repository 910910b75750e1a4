#pragma once
#include <filch/base/sync.hpp>
#include <filch/co/sync/edges.hpp>
#include <filch/co/sync/wait_list.hpp>

#include <cstddef>

namespace filch::co::sync {

/// Permits and who waits for one: a semaphore, or with one permit a mutex.
///
/// One word holds the number of free permits and whether somebody may be listed; never both are there. So taking and putting back are one
/// compare-and-swap each while nobody waits. A permit that is put back while somebody waits is handed to the first, and is never free.
/// A template, so that the model checkers read the text that ships.
template <class Sync>
class basic_permits {
 public:
  explicit basic_permits(std::size_t count) noexcept : word_{count * one} {}

  bool try_acquire() noexcept {
    std::size_t seen = word_.load(base::relaxed);  // relaxed: a look
    while (seen >= one) {
      if (word_.compare_exchange(seen, seen - one, base::acquire<edge::permit>)) return true;
    }
    return false;
  }
  /// Takes a permit or lists `waits`, which is then served by a `release`. True: it need not wait.
  bool acquire_or_list(wait_link& waits) noexcept {
    lock_.lock();
    const bool is_settled = waits.at == wait_link::stage::interrupted || waiting_.settle_or_list(waits, acquire_or_mark());
    lock_.unlock();
    return is_settled;
  }
  /// Under the lock. Takes a permit, or says in the word that somebody waits, who is then to be listed.
  bool acquire_or_mark() noexcept {
    std::size_t seen = word_.load(base::relaxed);  // relaxed: a look
    while (seen != somebody_waits) {
      if (seen == 0) {
        if (word_.compare_exchange(seen, somebody_waits, base::relaxed)) return false;  // relaxed: the list is the lock's
      } else if (word_.compare_exchange(seen, seen - one, base::acquire<edge::permit>)) {
        return true;
      }
    }
    return false;
  }
  /// Under the lock, after that.
  void list(wait_link& waits) noexcept { waiting_.push_back(waits); }
  /// Puts `count` permits back. Returns who was served; if by that not all are put back, `count` is what is left to do.
  /// The last access to the permits is the one that puts the last one back or hands it over: its next holder may end them.
  served_chain release(std::size_t& count) noexcept {
    std::size_t seen = word_.load(base::relaxed);  // relaxed: a look
    while ((seen & somebody_waits) == 0) {
      if (word_.compare_exchange(seen, seen + count * one, base::release<edge::permit>)) {
        count = 0;
        return {};
      }
    }
    return hand_over(count);
  }
  /// Guards what the waiters are as a `wait_link`.
  typename Sync::mutex& lock() noexcept { return lock_; }

 private:
  static constexpr std::size_t somebody_waits = 1, one = 2;

  served_chain hand_over(std::size_t& count) noexcept {
    served_chain served;
    lock_.lock();
    for (; count > 0; --count) {
      wait_link* const first = waiting_.serve_first();
      if (first == nullptr) break;
      served.add(first);
    }
    // Whoever left by itself left the mark. Nobody else changes a word with it.
    if (waiting_.is_empty()) word_.fetch_and(~somebody_waits, base::relaxed);  // relaxed: the list is the lock's
    lock_.unlock();
    return served;
  }

  typename Sync::template atomic<std::size_t> word_;  ///< Writers: all. Only by RMW. The mark is changed under the lock only.
  typename Sync::mutex lock_;
  wait_list waiting_;
};

}  // namespace filch::co::sync
