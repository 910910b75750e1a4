#pragma once
// The names of `real_sync` over Relacy, a checker that runs a few threads through every
// interleaving, and every value that a weakly ordered load may return, up to a bound. Only for
// files compiled with FILCH_MODEL. It does not see loads that return a value stored later (load
// buffering), nor more than the last two older values of a variable.
// Source: D. Vyukov, Relacy Race Detector. It follows the memory model of C++11.
#if !defined(FILCH_MODEL)
#error "a model check is compiled with -DFILCH_MODEL, so that edges can be weakened while it runs"
#endif
#include <filch/base/sync.hpp>

#include <cassert>
#include <cerrno>

// Relacy redefines these names for the code that it checks. Ours reaches it through the classes
// below instead, and keeps the names.
#pragma push_macro("assert")
#pragma push_macro("errno")
#include <relacy/relacy.hpp>
#pragma pop_macro("errno")
#pragma pop_macro("assert")
#undef $
#undef calloc
#undef delete
#undef free
#undef malloc
#undef memory_order_acq_rel
#undef memory_order_acquire
#undef memory_order_consume
#undef memory_order_relaxed
#undef memory_order_release
#undef memory_order_seq_cst
#undef new
#undef realloc

// Relacy replaces `new` and the plain `delete`; the sized ones, which came later, must end in the
// same place.
[[gnu::weak]] void operator delete(void* memory, std::size_t) noexcept {
  ::operator delete(memory);
}
[[gnu::weak]] void operator delete[](void* memory, std::size_t) noexcept {
  ::operator delete[](memory);
}

namespace filch::inline v0_2::testing {

/// The place of an access in the source, for the history that Relacy prints.
struct model_place : rl::debug_info {
  model_place(const char* function = __builtin_FUNCTION(), const char* file = __builtin_FILE(),
              int line = __builtin_LINE())
      : rl::debug_info{function, file, static_cast<unsigned>(line)} {}
};

/// Fails the running model unless `condition` holds; models use it instead of EXPECT.
inline void model_assert(bool condition, const char* claim, model_place place = {}) {
  if (!condition) rl::ctx().fail_test(claim, rl::test_result_user_assert_failed, place);
}

/// One of `option_count` values: a branch of the exhaustive search, a draw of the random one.
inline unsigned model_choice(unsigned option_count) { return rl::rand(option_count); }

inline rl::memory_order model_order(std::memory_order order) {
  switch (order) {
    case std::memory_order_relaxed: return rl::mo_relaxed;
    case std::memory_order_consume: return rl::mo_consume;
    case std::memory_order_acquire: return rl::mo_acquire;
    case std::memory_order_release: return rl::mo_release;
    case std::memory_order_acq_rel: return rl::mo_acq_rel;
    case std::memory_order_seq_cst: break;
  }
  return rl::mo_seq_cst;
}

template <class T>
class model_atomic {
 public:
  model_atomic() = default;
  explicit model_atomic(T value) { value_.store(value, rl::mo_relaxed, model_place{}); }

  T load(std::memory_order order, model_place place = {}) const {
    return value_.load(model_order(order), place);
  }
  void store(T value, std::memory_order order, model_place place = {}) {
    value_.store(value, model_order(order), place);
  }
  T exchange(T value, std::memory_order order, model_place place = {}) {
    return value_.exchange(value, model_order(order), place);
  }
  bool compare_exchange(T& expected, T desired, std::memory_order order, model_place place = {}) {
    return value_.compare_exchange_strong(expected, desired, model_order(order), place,
                                          rl::mo_relaxed, place);
  }
  T fetch_add(T value, std::memory_order order, model_place place = {}) {
    return value_.fetch_add(value, model_order(order), place);
  }
  T fetch_sub(T value, std::memory_order order, model_place place = {}) {
    return value_.fetch_sub(value, model_order(order), place);
  }
  T fetch_or(T value, std::memory_order order, model_place place = {}) {
    return value_.fetch_or(value, model_order(order), place);
  }
  T fetch_and(T value, std::memory_order order, model_place place = {}) {
    return value_.fetch_and(value, model_order(order), place);
  }

  /// Sleeps while the word holds `expected`, as a futex does: until a wake, or spuriously.
  void wait(T expected, model_place place = {}) { sleep(expected, false, place); }
  /// The same with a timeout, which comes when the checker chooses. False: it timed out.
  bool wait_for(T expected, model_place place = {}) {
    return sleep(expected, true, place) != rl::unpark_reason_timeout;
  }
  void wake_one(model_place place = {}) {
    rl::ctx().sched();
    rl::ctx().atomic_thread_fence_seq_cst();
    value_.wake(rl::ctx(), 1, place);
  }

 private:
  rl::unpark_reason sleep(T expected, bool is_timed, const model_place& place) {
    rl::context& all = rl::ctx();
    all.sched();
    all.atomic_thread_fence_seq_cst();
    {
      rl::preemption_disabler kernel{all};
      if (value_.load(rl::mo_acquire, place) != expected) return rl::unpark_reason_normal;
    }
    return value_.wait(all, is_timed, true, place);
  }

  rl::generic_atomic<T, true> value_;  // `true`: starts at T{}, as std::atomic does since C++20
};

/// Plain data: two accesses without an order between them, one of them a write, fail the model.
template <class T>
class model_plain {
 public:
  model_plain() : model_plain{T{}} {}
  explicit model_plain(T value) : value_{value} {}
  T read(model_place place = {}) const { return value_(place).load(); }
  void write(T value, model_place place = {}) { value_(place).store(value); }

 private:
  rl::var<T> value_;
};

class model_mutex {
 public:
  model_mutex() { mutex_.init(false, false, false, false, model_place{}); }
  ~model_mutex() { mutex_.deinit(model_place{}); }
  model_mutex(const model_mutex&) = delete;
  model_mutex& operator=(const model_mutex&) = delete;
  void lock(model_place place = {}) { mutex_.lock_exclusive(place); }
  bool try_lock(model_place place = {}) { return mutex_.try_lock_exclusive(place); }
  void unlock(model_place place = {}) { mutex_.unlock_exclusive(place); }

 private:
  rl::generic_mutex<rl::mutex_tag_std> mutex_;
};

inline void model_fence(model_place place) { rl::atomic_thread_fence(rl::mo_seq_cst, place); }
/// In every thread at once, as Linux's membarrier does it.
inline void model_fence_everybody(model_place place) { rl::systemwide_fence(place); }

}  // namespace filch::testing
