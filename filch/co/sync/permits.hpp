#pragma once
#include <filch/base/sync.hpp>
#include <filch/co/sync/edges.hpp>
#include <filch/co/sync/wait_list.hpp>

#include <cstddef>
#include <utility>

namespace filch::inline v0_2::co::sync {

/// The waiters that go on because a permit was put back, or a waiter gave up.
struct let_go {
  served_chain served;  ///< Each has its permits, and is to be woken.
  /// Is to call `acquire_or_list_again`, when it is its turn to run.
  wait_link* again = nullptr;
  bool is_nobody() const noexcept { return served.first() == nullptr && again == nullptr; }
};

/// A waiter for permits: it gets all that it wants, or none.
template <class Link>
struct wanting : Link {
  using Link::Link;
  std::size_t wanted = 1;
};

/// Permits and their waiters: a semaphore, or with one permit a mutex.
///
/// One word holds the number of free permits, and a mark: a thread that puts one back must serve
/// the line. It never holds both. So taking and putting back are one compare-and-swap each while no
/// waiter is listed. A permit that is put back under the mark is handed to the first waiter, and is
/// never free. If the first wants more than there are, they are *gathered* for it, and no waiter
/// behind it gets any before.
///
/// Unless the first may be *overtaken*: then the permit is free, and the first leaves the line to
/// return and try again when it is its turn to run. Until it returns no other waiter goes on, and
/// the word has no mark: running threads take the permit and put it back as if none waited. If it
/// returns in vain it is the first again, and the next permits are handed over. A template, so that
/// the model checkers run the code that ships. All waiters are `wanting<Link>`.
template <class Sync, class Link = wait_link>
class basic_permits {
 public:
  using waiter = wanting<Link>;

  explicit basic_permits(std::size_t count) noexcept
      : word_{count * one}, can_be_overtaken_{false} {}
  /// The most that can be counted.
  static constexpr std::size_t(max)() noexcept { return ~std::size_t{0} / one; }
  /// One permit, for which a newcomer may overtake the waiters.
  static basic_permits of_one() noexcept { return basic_permits{}; }
  basic_permits(const basic_permits&) = delete;
  basic_permits& operator=(const basic_permits&) = delete;
  ~basic_permits() {
    FILCH_ASSERT(returning_ == nullptr, "what somebody waits at outlives the wait", returning_);
  }

  bool try_acquire(std::size_t wanted = 1) noexcept {
    std::size_t seen = word_.load(base::relaxed);  // relaxed: a look
    while (seen >= wanted * one) {
      if (word_.compare_exchange(seen, seen - wanted * one, base::acquire<edge::permit>))
        return true;
    }
    return false;
  }
  /// Takes what `waits` wants, or lists it until a `release` serves it. True: it need not wait.
  bool acquire_or_list(waiter& waits) noexcept {
    lock_.lock();
    const bool is_settled = waits.at == wait_link::state::interrupted ||
                            waiting_.settle_or_list(waits, acquire_or_mark(waits.wanted));
    lock_.unlock();
    return is_settled;
  }
  /// The same for a waiter that was `let_go::again`. If it was interrupted meanwhile, `others` is
  /// what goes on instead.
  bool acquire_or_list_again(wait_link& waits, let_go& others) noexcept {
    lock_.lock();
    returning_ = nullptr;
    bool is_settled = true;
    if (waits.at == wait_link::state::interrupted) {
      see_to_the_line(others);
    } else if (acquire_or_mark(1)) {
      waits.at = wait_link::state::served;
      next_to_hand_over_ = least_handed_over;
    } else {
      is_settled = false;
      to_hand_over_ = next_to_hand_over_;
      const int twice = 2 * next_to_hand_over_;
      if (next_to_hand_over_ < most_handed_over)
        next_to_hand_over_ = static_cast<unsigned char>(twice);
      waiting_.push_front(waits);
    }
    lock_.unlock();
    return is_settled;
  }
  /// Under the lock. Lists nothing.
  bool try_acquire_locked(std::size_t wanted) noexcept {
    return wanted == 1 ? acquire_or_mark(1) : try_acquire(wanted);
  }
  /// Under the lock, after `try_acquire_locked` failed. Adds to `served` the waiters for which the
  /// permits suffice that have come meanwhile.
  void list(waiter& waits, served_chain& served) noexcept {
    waiting_.push_back(waits);
    if (waits.wanted == 1) return;
    gathered_ += word_.exchange(somebody_waits, base::acquire<edge::permit>) / one;
    serve_line(served);
  }
  /// Puts `count` permits back, unless the mark says that the line must be served. The last access
  /// to the permits, as the next holder may destroy them.
  bool try_release(std::size_t count) noexcept {
    std::size_t seen = word_.load(base::relaxed);  // relaxed: a look
    while ((seen & somebody_waits) == 0) {
      if (word_.compare_exchange(seen, seen + count * one, base::release<edge::permit>))
        return true;
    }
    return false;
  }
  /// Puts `count` permits back; `others` is what goes on by that. If not all could be put back,
  /// `count` is what is left. The last access to the permits puts the last one back or hands it
  /// over.
  void release(std::size_t& count, let_go& others) noexcept {
    if (try_release(count)) {
      count = 0;
      return;
    }
    lock_.lock();
    gathered_ += count;
    count = hand_over(others);
    lock_.unlock();
  }
  /// Guards the `wait_link` of the waiters.
  typename Sync::mutex& lock() noexcept { return lock_; }

 private:
  static constexpr std::size_t somebody_waits = 1, one = 2;
  /// After a return in vain so many permits are handed over, at least and at most. Twice as many
  /// each time: if permits are held for long, every return would be in vain.
  static constexpr unsigned char least_handed_over = 8, most_handed_over = 128;

  basic_permits() noexcept : word_{one}, can_be_overtaken_{true} {}
  static std::size_t wanted_by(const wait_link& waits) noexcept {
    return static_cast<const waiter&>(waits).wanted;
  }
  /// Under the lock. Takes so many permits; or marks the word and gathers what is there, and the
  /// caller must list its waiter.
  bool acquire_or_mark(std::size_t wanted) noexcept {
    std::size_t seen = word_.load(base::relaxed);  // relaxed: a look
    while (seen != somebody_waits) {
      if (seen >= wanted * one) {
        if (word_.compare_exchange(seen, (seen - wanted * one) | mark(),
                                   base::acquire<edge::permit>))
          return true;
      } else {
        if (returning_ != nullptr) return false;  // that one will set the mark
        if (word_.compare_exchange(seen, somebody_waits, base::acquire<edge::permit>)) {
          gathered_ += seen / one;
          return false;
        }
      }
    }
    return false;
  }
  /// The mark that a thread sets when it takes a permit: none while a waiter returns, which will
  /// set it.
  std::size_t mark() const noexcept {
    return returning_ == nullptr && !waiting_.is_empty() ? somebody_waits : 0;
  }
  bool suffices_for_first() const noexcept {
    return !waiting_.is_empty() && gathered_ >= wanted_by(*waiting_.first());
  }
  void serve_first(served_chain& served) noexcept {
    wait_link& first = *waiting_.first();
    if (!waiting_.serve(first)) return;
    gathered_ -= wanted_by(first);
    served.add(&first);
  }
  /// Under the lock, with the word marked. Gives the gathered permits, which the word does not
  /// count, to the waiters. Returns those that no waiter wants; then the word has no mark.
  std::size_t hand_over(let_go& others) noexcept {
    while (suffices_for_first()) {
      if (is_to_return(*waiting_.first())) {
        others.again = send_back();
        gathered_ = 0;
        word_.exchange(one, base::release<edge::permit>);  // a permit is free, and no mark is there
        return 0;
      }
      serve_first(others.served);
    }
    // An interrupted waiter may have left the mark. A marked word changes only under the lock.
    // Relaxed: the lock guards the list
    if (waiting_.is_empty()) word_.fetch_and(~somebody_waits, base::relaxed);
    return waiting_.is_empty() ? std::exchange(gathered_, 0) : 0;
  }
  /// Under the lock, after a waiter came or left. Frees the permits that no waiter wants: `this`
  /// lives on, as that waiter's call has yet to return.
  void serve_line(served_chain& served) noexcept {
    while (suffices_for_first()) serve_first(served);
    if (waiting_.is_empty())
      word_.exchange(std::exchange(gathered_, 0) * one, base::release<edge::permit>);
  }
  static void somebody_left(void* self, served_chain& served) noexcept {
    basic_permits& mine = *static_cast<basic_permits*>(self);
    if (mine.gathered_ > 0) mine.serve_line(served);
  }
  bool is_to_return(const wait_link& first) noexcept {
    if (!can_be_overtaken_ || !first.may_return || first.among != nullptr) return false;
    if (to_hand_over_ == 0) return true;
    --to_hand_over_;
    return false;
  }
  wait_link* send_back() noexcept {
    returning_ = waiting_.first();
    waiting_.remove(*returning_);
    returning_->at = wait_link::state::fresh;
    return returning_;
  }
  /// Under the lock. The waiter that was to return does not want the permit any more.
  void see_to_the_line(let_go& others) noexcept {
    if (waiting_.is_empty() || !acquire_or_mark(1)) return;
    gathered_ = 1;
    // No waiter wanted it
    if (hand_over(others) > 0) word_.fetch_add(one, base::release<edge::permit>);
  }

  /// Writers: all. Only by RMW. The mark is changed under the lock only.
  typename Sync::template atomic<std::size_t> word_;
  typename Sync::mutex lock_;
  const bool can_be_overtaken_;
  unsigned char to_hand_over_ = 0;  ///< So many more permits, before a waiter returns again.
  unsigned char next_to_hand_over_ = least_handed_over;
  /// Permits that were put back, fewer than the first waiter wants. Then the word has the mark.
  std::size_t gathered_ = 0;
  wait_list waiting_{&somebody_left, this};
  /// The waiter that left the line to try again, and has yet to. Then the word has no mark.
  wait_link* returning_ = nullptr;
};

}  // namespace filch::co::sync
