#pragma once
// What a caller may say about how an algorithm runs. Nothing has to be said.
#include <filch/algo/share.hpp>
#include <filch/base/clock.hpp>
#include <filch/base/stop_token.hpp>
#include <filch/base/stopped.hpp>

#include <concepts>
#include <cstdint>
#include <exception>
#include <utility>

namespace filch {

class thread_pool;

/// Option: leaves of at most so many elements, whatever they cost, and nothing is measured; with
/// `deterministic` no shorter than its brackets. At least 1.
struct grain_items {
  std::uint64_t count;
};

/// Option: operands are bracketed in a way that depends on the number of elements alone, so that
/// floating-point results have the same bits for any number of workers and any schedule, in the
/// rounding and denormal mode that the caller has. Pieces still run where and when there is
/// somebody to run them.
struct deterministic_t {
  explicit constexpr deterministic_t() = default;
};
inline constexpr deterministic_t deterministic{};

namespace algo {

inline constexpr std::uint64_t no_end = ~std::uint64_t{0};

/// Nanoseconds, from 0 to below `no_end`, of a `std::chrono::duration`, whose header is not cheap.
template <class Duration>
constexpr std::uint64_t nanoseconds_of(Duration length) noexcept {
  using tick = typename Duration::period;
  const long double all =
      static_cast<long double>(length.count()) * tick::num * 1'000'000'000 / tick::den;
  constexpr auto most = static_cast<long double>(no_end / 2);
  return all <= 0 ? 0 : all >= most ? no_end / 2 : static_cast<std::uint64_t>(all);
}

}  // namespace algo

/// Option: at that time of the steady clock the algorithm ends by `stopped`, unless it is done. It
/// looks at the clock where it asks its stop token, for each leaf and division, so that it needs no
/// other thread: it holds on one worker, too. Cost: some 25 ns each time.
struct deadline {
  template <class TimePoint>
  requires(TimePoint::clock::is_steady) constexpr explicit deadline(TimePoint when) noexcept
      : at_ns{algo::nanoseconds_of(when.time_since_epoch())} {}
  std::uint64_t at_ns;  ///< By `base::now_ns`.
};
/// Option: the same, so long after the call of `with`: `with(time_limit{20ms})`.
struct time_limit {
  template <class Duration>
  requires requires { Duration::period::num; }
  constexpr explicit time_limit(Duration length) noexcept
      : length_ns{algo::nanoseconds_of(length)} {}
  std::uint64_t length_ns;
};

/// Option: at most so many threads at a time, the caller included. At least 1.
struct at_most {
  unsigned threads;
};

namespace algo {

/// What ends an algorithm before it is done.
struct stop_condition {
  std::stop_token token;
  std::uint64_t until_ns = no_end;

  bool stop_possible() const noexcept { return until_ns != no_end || token.stop_possible(); }
  bool stop_requested() const noexcept {
    return token.stop_requested() || (until_ns != no_end && base::now_ns() >= until_ns);
  }
};

/// All options together; `with` makes it, every algorithm takes it as its first argument.
struct settings {
  std::uint64_t grain = 0;  ///< 0: found by measuring.
  bool is_deterministic = false;
  /// Asked at the beginning, once for each leaf, and where a part of the work is divided.
  stop_condition stop;
  /// Null: the caller's, and from outside every pool the default one.
  thread_pool* pool = nullptr;
  own_share own;            ///< Of `at_most`.
  share* shared = nullptr;  ///< Of a `share`, which goes before.

  /// Throws: `std::invalid_argument` for 0.
  void set(grain_items most);
  void set(at_most most) { own = own_share(most.threads); }
  void set(share& some) noexcept { shared = &some; }
  void set(deterministic_t) noexcept { is_deterministic = true; }
  void set(std::stop_token given) noexcept { stop.token = std::move(given); }
  void set(deadline given) noexcept { stop.until_ns = given.at_ns; }
  void set(time_limit given) noexcept { stop.until_ns = base::now_ns() + given.length_ns; }
  void set(thread_pool& given) noexcept { pool = &given; }

  /// What limits the threads of this call; null: nothing.
  share* limit() const noexcept { return shared != nullptr ? shared : own.get(); }
  /// The same for a part of the work: a copy of these would have threads of its own.
  settings for_part() const {
    settings part = *this;
    part.shared = limit();
    return part;
  }

  /// Throws: `stopped`, if that was asked for.
  void check_stop() const {
    if (stop.stop_requested()) [[unlikely]]
      throw_stopped();
  }
  [[noreturn]] static void throw_stopped();
};

template <class T>
concept option = requires(settings all, T&& one) {
  all.set(std::forward<T>(one));
};

/// `settings`, or `par`.
template <class T>
concept settings_like = std::convertible_to<T, const settings&>;

struct parallel_policy {
  operator settings() const noexcept { return {}; }
};

}  // namespace algo

/// Options as the first argument of an algorithm: `filch::sort(filch::with(filch::grain_items{512},
/// pool), data)`.
template <algo::option... Options>
algo::settings with(Options&&... options) {
  algo::settings all;
  (all.set(std::forward<Options>(options)), ...);
  return all;
}

/// No options, for those who like to spell it: `filch::sort(filch::par, data)`, as in P3179.
inline constexpr algo::parallel_policy par{};

}  // namespace filch
