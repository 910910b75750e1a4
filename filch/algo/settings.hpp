#pragma once
// What a caller may say about how an algorithm runs. Nothing has to be said.
#include <filch/base/stop_token.hpp>

#include <concepts>
#include <cstdint>
#include <exception>
#include <utility>

namespace filch {

class thread_pool;

/// Option: leaves of at most so many elements, whatever they cost, and nothing is measured; with `deterministic` no shorter than its brackets. At least 1.
struct grain_items {
  std::uint64_t count;
};

/// Option: operands are bracketed in a way that depends on the number of elements alone, so that floating-point results have the same
/// bits for any number of workers and any schedule. Pieces still run where and when there is somebody to run them.
struct deterministic_t {
  explicit constexpr deterministic_t() = default;
};
inline constexpr deterministic_t deterministic{};

/// Thrown by an algorithm whose stop token was asked to stop before it was done: its result is not there. An output holds for each element the
/// old value or the new one. A range whose order it changes (`sort` and its kin, `reverse`, `rotate`, `random_shuffle`, `stable_partition`)
/// holds all its elements, in some order; one that it closes up (`remove_if`, `unique`) all that stay, in order, and between them what
/// was moved from or is to be dropped. Asked before the call it does nothing at all, be the range empty. Once it goes on, it
/// asks again for each leaf and division; a range so short that it has none, a few hundred elements to be sorted, it finishes. What goes on
/// after that, lest elements be lost, says README.md under "Stops".
class stopped : public std::exception {
 public:
  const char* what() const noexcept override;
};

namespace algo {

/// All options together; `with` makes it, every algorithm takes it as its first argument.
struct settings {
  std::uint64_t grain = 0;  ///< 0: found by measuring.
  bool is_deterministic = false;
  std::stop_token stop;         ///< Asked at the beginning, once for each leaf, and where a part of the work is divided.
  thread_pool* pool = nullptr;  ///< Null: the caller's, and from outside every pool the default one.

  /// Throws: `std::invalid_argument` for a grain of 0.
  void set(grain_items given);
  void set(deterministic_t) noexcept { is_deterministic = true; }
  void set(std::stop_token given) noexcept { stop = std::move(given); }
  void set(thread_pool& given) noexcept { pool = &given; }

  /// Throws: `stopped`, if that was asked for.
  void check_stop() const {
    if (stop.stop_requested()) [[unlikely]] throw_stopped();
  }

 private:
  [[noreturn]] static void throw_stopped();
};

template <class T>
concept option = requires(settings all, T&& one) { all.set(std::forward<T>(one)); };

/// `settings`, or `par`.
template <class T>
concept settings_like = std::convertible_to<T, const settings&>;

struct parallel_policy {
  operator settings() const noexcept { return {}; }
};

}  // namespace algo

/// Options as the first argument of an algorithm: `filch::sort(filch::with(filch::grain_items{512}, pool), data)`.
template <algo::option... Options>
algo::settings with(Options&&... options) {
  algo::settings all;
  (all.set(std::forward<Options>(options)), ...);
  return all;
}

/// No options, for those who like to spell it: `filch::sort(filch::par, data)`, as in P3179.
inline constexpr algo::parallel_policy par{};

}  // namespace filch
