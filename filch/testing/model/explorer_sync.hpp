#pragma once
// The names of `real_sync` over the explorer.
#include <filch/base/sync.hpp>
#include <filch/testing/model/search.hpp>

#include <bit>
#include <type_traits>

namespace filch::inline v0_2::testing {

using model_place = code_place;

inline void model_assert(bool condition, const char* claim, code_place place = {}) {
  simulated::expect(condition, claim, place);
}

/// One of `option_count` values, each of which is explored.
inline unsigned model_choice(unsigned option_count, code_place place = {}) {
  return simulated::choose(option_count, place);
}

template <class T>
class model_atomic {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));
  using bits = std::conditional_t<
      sizeof(T) == 8, std::uint64_t,
      std::conditional_t<sizeof(T) == 4, std::uint32_t,
                         std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;
  static std::uint64_t word(T value) { return std::bit_cast<bits>(value); }
  static T value(std::uint64_t word) { return std::bit_cast<T>(static_cast<bits>(word)); }

 public:
  model_atomic() : model_atomic{T{}} {}
  explicit model_atomic(T value) : at_{simulated::create(word(value))} {}
  ~model_atomic() { simulated::destroy(at_, {}); }
  model_atomic(const model_atomic&) = delete;
  model_atomic& operator=(const model_atomic&) = delete;

  T load(std::memory_order order, code_place place = {}) const {
    return value(simulated::load(at_, order, place));
  }
  void store(T value, std::memory_order order, code_place place = {}) {
    simulated::store(at_, word(value), order, place);
  }
  T exchange(T value, std::memory_order order, code_place place = {}) {
    return change(update::kind::exchange, value, order, place);
  }
  bool compare_exchange(T& expected, T desired, std::memory_order order, code_place place = {}) {
    const update swap{update::kind::compare_exchange, word(desired), word(expected)};
    const std::uint64_t seen = simulated::read_modify_write(at_, swap, order, place);
    if (seen == word(expected)) return true;
    expected = value(seen);
    return false;
  }
  T fetch_add(T value, std::memory_order order, code_place place = {}) {
    return change(update::kind::add, value, order, place);
  }
  T fetch_sub(T value, std::memory_order order, code_place place = {}) {
    return change(update::kind::subtract, value, order, place);
  }
  T fetch_or(T value, std::memory_order order, code_place place = {}) {
    return change(update::kind::set_bits, value, order, place);
  }
  T fetch_and(T value, std::memory_order order, code_place place = {}) {
    return change(update::kind::keep_bits, value, order, place);
  }

  /// Sleeps while the word holds `expected`, as a futex does: until a wake, or spuriously.
  void wait(T expected, code_place place = {}) const {
    simulated::wait(at_, word(expected), place);
  }
  /// The same with a timeout, which may come at once, as the checker chooses. False: it timed out.
  bool wait_for(T expected, code_place place = {}) const {
    if (simulated::choose(2, place) == 1) return false;
    simulated::wait(at_, word(expected), place);
    return true;
  }
  void wake_one(code_place place = {}) const { simulated::wake_one(at_, place); }

 private:
  T change(update::kind what, T operand, std::memory_order order, const code_place& place) {
    return value(simulated::read_modify_write(
        at_, {what, word(operand), 0, static_cast<bits>(~bits{0})}, order, place));
  }

  memory_model::location at_;
};

/// Plain data: two accesses without an order between them, one of them a write, fail the model.
template <class T>
class model_plain {
 public:
  model_plain() : model_plain{T{}} {}
  explicit model_plain(T value) : value_{value} { simulated::create_plain(accesses_); }
  ~model_plain() { simulated::destroy_plain(accesses_, {}); }
  model_plain(const model_plain&) = delete;
  model_plain& operator=(const model_plain&) = delete;

  T read(code_place place = {}) const {
    simulated::read_plain(accesses_, place);
    return value_;
  }
  void write(T value, code_place place = {}) {
    simulated::write_plain(accesses_, place);
    value_ = value;
  }

 private:
  T value_;
  mutable memory_model::footprint accesses_;
};

class model_mutex {
 public:
  model_mutex() : at_{simulated::create(0)} {}
  ~model_mutex() { simulated::destroy(at_, {}); }
  model_mutex(const model_mutex&) = delete;
  model_mutex& operator=(const model_mutex&) = delete;
  void lock(code_place place = {}) { simulated::lock(at_, place); }
  bool try_lock(code_place place = {}) { return simulated::try_lock(at_, place); }
  void unlock(code_place place = {}) { simulated::unlock(at_, place); }

 private:
  memory_model::location at_;
};

inline void model_fence(model_place place) { simulated::fence(place); }
/// In every thread at once, as Linux's membarrier does it.
inline void model_fence_everybody(model_place place) { simulated::fence_everybody(place); }

}  // namespace filch::testing
