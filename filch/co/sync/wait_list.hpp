#pragma once
#include <filch/base/panic.hpp>

namespace filch::inline v0_2::co::sync {

class served_chain;
class wait_list;
struct wait_link;

/// What several waiters share if the end of one ends the wait of all (select.hpp). They may be
/// listed under different locks.
class choice {
 public:
  /// Call before `ends` is served or interrupted. False: another one has ended the wait; pass
  /// `ends` over.
  virtual bool claim(wait_link& ends) noexcept = 0;

 protected:
  ~choice() = default;
};

/// The part of a waiter that stands in a list. All of it is guarded by the lock of the primitive
/// that it waits at.
struct wait_link {
  /// The state of the wait. `served` and `interrupted` are its ends: the thread that writes one
  /// wakes the waiter, or is the waiter.
  enum class state : unsigned char { fresh, listed, served, interrupted };

  // Both are set when it is listed or chained, not before: most operations need not wait.
  wait_link* next;
  wait_link* previous;
  wait_list* list = nullptr;
  /// Set if it is one of several. Then its own `at` only says that it was listed.
  choice* among = nullptr;
  state at = state::fresh;
  unsigned char tag = 0;  ///< For the primitive's own use while it is listed.
  /// It can be taken out of its list and try again, as a job of its own.
  bool may_return = false;
};

/// The waiters of a primitive, first in first out. Intrusive: a waiter lies in a frame or on a
/// stack, and may leave from the middle.
class wait_list {
 public:
  /// Called under the lock when an interrupted waiter has left: it may have kept those behind it
  /// from being served.
  using after_interrupt = void (*)(void* primitive, served_chain& served) noexcept;

  wait_list() = default;
  wait_list(after_interrupt act, void* primitive) noexcept : act_{act}, primitive_{primitive} {}
  wait_list(const wait_list&) = delete;
  wait_list& operator=(const wait_list&) = delete;
  ~wait_list() {
    FILCH_ASSERT(first_ == nullptr, "what somebody waits at outlives the wait", first_);
  }

  bool is_empty() const noexcept { return first_ == nullptr; }
  wait_link* first() const noexcept { return first_; }
  std::size_t size() const noexcept { return size_; }

  void push_back(wait_link& added) noexcept { insert(added, last_, nullptr); }
  /// Of a waiter that was the first, and is again.
  void push_front(wait_link& returned) noexcept { insert(returned, nullptr, first_); }
  /// Ends the wait if what it waits for is there, else lists `waits`. Returns `is_there`.
  bool settle_or_list(wait_link& waits, bool is_there) noexcept {
    is_there ? static_cast<void>(waits.at = wait_link::state::served) : push_back(waits);
    return is_there;
  }
  /// The first, or null. From now on it owns what it waited for.
  wait_link* serve_first() noexcept {
    while (wait_link* const found = first_) {
      if (serve(*found)) return found;
    }
    return nullptr;
  }
  /// The same for one that is listed. False: its wait has ended elsewhere, and it is listed no
  /// more.
  bool serve(wait_link& listed) noexcept {
    remove(listed);
    if (listed.among != nullptr && !listed.among->claim(listed)) return false;
    listed.at = wait_link::state::served;
    return true;
  }
  /// `listed` gives up waiting. Adds to `served` the waiters that need not wait any more.
  void interrupt(wait_link& listed, served_chain& served) noexcept {
    remove(listed);
    if (act_ != nullptr) act_(primitive_, served);
  }
  void remove(wait_link& listed) noexcept {
    (listed.previous == nullptr ? first_ : listed.previous->next) = listed.next;
    (listed.next == nullptr ? last_ : listed.next->previous) = listed.previous;
    listed.list = nullptr;
    --size_;
  }

 private:
  void insert(wait_link& added, wait_link* previous, wait_link* next) noexcept {
    added.at = wait_link::state::listed;
    added.list = this;
    added.previous = previous;
    added.next = next;
    (previous == nullptr ? first_ : previous->next) = &added;
    (next == nullptr ? last_ : next->previous) = &added;
    ++size_;
  }

  wait_link* first_ = nullptr;
  wait_link* last_ = nullptr;
  std::size_t size_ = 0;
  after_interrupt act_ = nullptr;
  void* primitive_ = nullptr;
};

/// Served waiters, to be woken in that order once the lock is released.
class served_chain {
 public:
  void add(wait_link* served) noexcept {
    if (served == nullptr) return;
    served->next = nullptr;
    (last_ == nullptr ? first_ : last_->next) = served;
    last_ = served;
  }
  /// All waiters.
  void add_all(wait_list& from) noexcept {
    while (wait_link* const served = from.serve_first()) add(served);
  }
  wait_link* first() const noexcept { return first_; }
  bool is_of_one() const noexcept { return first_ == last_; }

 private:
  wait_link* first_ = nullptr;
  wait_link* last_ = nullptr;
};

/// By a waiter that is destroyed in the middle of its wait, under the lock. Adds to `woken` the
/// waiters that it kept from being served.
inline void withdraw(wait_link& waits, served_chain& woken) noexcept {
  if (waits.list != nullptr) waits.list->interrupt(waits, woken);
}

/// By the thread that asks the task to stop, under the lock: ends the wait unless it has ended.
/// Adds to `woken` the waiters to wake, `waits` too if it is listed. One that is not has yet to
/// list itself, and will not.
inline void interrupt(wait_link& waits, served_chain& woken) noexcept {
  if (waits.at == wait_link::state::served ||
      (waits.among != nullptr && !waits.among->claim(waits)))
    return;
  const bool is_listed = waits.at == wait_link::state::listed;
  withdraw(waits, woken);
  waits.at = wait_link::state::interrupted;
  if (is_listed) woken.add(&waits);
}

}  // namespace filch::co::sync
