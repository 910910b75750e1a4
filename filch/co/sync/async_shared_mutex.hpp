#pragma once
#include <filch/co/sync/guard.hpp>
#include <filch/co/sync/waiting.hpp>

#include <cstddef>

namespace filch::inline v0_2 {

/// A lock that one task holds alone, or several share. `co_await m.lock()`, `co_await
/// m.lock_shared()`, or `filch::wait` of these. In order of arrival: a task that comes to share it
/// waits behind an earlier one that wants it alone, so neither kind starves.
///
/// Cost: a lock, some 15 ns, each way; if it waits, a suspension and a turn in the ready queue.
/// Blocks, throws, threads: as `async_mutex`. Not recursive: a second shared lock of a task may
/// wait for a `lock` that waits for the first.
/// Example: examples/sync_primitives.cpp
class async_shared_mutex {
 public:
  enum class share : unsigned char { alone, shared };

  async_shared_mutex() noexcept : waiting_{&admit_after_interrupt, this} {}
  async_shared_mutex(const async_shared_mutex&) = delete;
  async_shared_mutex& operator=(const async_shared_mutex&) = delete;

  /// Gives up what a guard holds. For filch's own parts.
  template <share How>
  struct giving_up {
    void operator()(async_shared_mutex& of) const noexcept { of.leave(How); }
  };
  /// The guards. For filch's own parts.
  template <share How>
  using held = co::sync::guard<async_shared_mutex, giving_up<How>>;
  using lock_alone = held<share::alone>;
  using lock_of_several = held<share::shared>;

  template <share How>
  class [[nodiscard]] entering : public co::sync::waiting<entering<How>> {
   public:
    explicit entering(async_shared_mutex& enters) noexcept
        : co::sync::waiting<entering>{enters.lock_}, enters_{enters} {}
    bool try_at_once() noexcept { return enters_.try_enter(How); }
    bool try_or_list() noexcept { return enters_.enter_or_list(*this, How); }
    base::awaited awaited() const noexcept {
      return {How == share::alone ? "async_shared_mutex" : "a share of async_shared_mutex",
              &enters_};
    }
    held<How> result() noexcept { return held<How>{enters_}; }

   private:
    async_shared_mutex& enters_;
  };
  /// Waits until no other task holds it. The await gives a `lock_alone`.
  entering<share::alone> lock() noexcept { return entering<share::alone>{*this}; }
  /// Waits until no task holds it alone. The await gives a `lock_of_several`.
  entering<share::shared> lock_shared() noexcept { return entering<share::shared>{*this}; }
  /// Empty if a task holds it or waits for it.
  lock_alone try_lock() noexcept {
    return try_enter(share::alone) ? lock_alone{*this} : lock_alone{};
  }
  /// Empty if a task holds it alone or waits for it.
  lock_of_several try_lock_shared() noexcept {
    return try_enter(share::shared) ? lock_of_several{*this} : lock_of_several{};
  }

 private:
  static constexpr std::ptrdiff_t one_alone = -1;

  bool is_open_for(share how) const noexcept FILCH_REQUIRES(lock_) {
    return how == share::alone ? holders_ == 0 : holders_ != one_alone;
  }
  void let_in(share how) noexcept FILCH_REQUIRES(lock_) {
    holders_ = how == share::alone ? one_alone : holders_ + 1;
  }
  bool try_enter(share how) noexcept {
    base::lock_guard guard{lock_};
    return enter(how);
  }
  bool enter(share how) noexcept FILCH_REQUIRES(lock_) {
    const bool may_enter = waiting_.is_empty() && is_open_for(how);
    if (may_enter) let_in(how);
    return may_enter;
  }
  bool enter_or_list(co::sync::wait_link& waits, share how) noexcept {
    base::lock_guard guard{lock_};
    if (waits.at == co::sync::wait_link::state::interrupted) return true;
    waits.tag = static_cast<unsigned char>(how);
    return waiting_.settle_or_list(waits, enter(how));
  }
  /// Serves waiters from the head of the list, as many as can hold it together.
  void admit(co::sync::served_chain& served) noexcept FILCH_REQUIRES(lock_) {
    while (!waiting_.is_empty()) {
      const share how{waiting_.first()->tag};
      if (!is_open_for(how)) return;
      let_in(how);
      served.add(waiting_.serve_first());
    }
  }
  void leave(share how) noexcept {
    co::sync::served_chain served;
    {
      base::lock_guard guard{lock_};
      holders_ = how == share::alone ? 0 : holders_ - 1;
      admit(served);
    }
    wake_all(served);
  }
  /// An interrupted `lock` may have kept later shared ones from entering.
  static void admit_after_interrupt(void* self, co::sync::served_chain& served) noexcept
      FILCH_THREAD_ANNOTATION(no_thread_safety_analysis) {
    static_cast<async_shared_mutex*>(self)->admit(served);
  }

  base::mutex lock_;
  std::ptrdiff_t holders_ FILCH_GUARDED_BY(lock_) = 0;  ///< How many share it, or `one_alone`.
  co::sync::wait_list waiting_ FILCH_GUARDED_BY(lock_);
};

}  // namespace filch
