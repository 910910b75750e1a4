#pragma once
// The options of algorithms. All have defaults.
#include <filch/algo/share.hpp>
#include <filch/base/clock.hpp>
#include <filch/base/stop_token.hpp>
#include <filch/base/stopped.hpp>
#include <filch/sched/pool/with_token.hpp>

#include <concepts>
#include <cstdint>
#include <exception>
#include <utility>

namespace filch::inline v0_2 {

/// Option: leaves have at most this many elements, whatever these cost, and nothing is measured.
/// With `deterministic` leaves are no shorter than its brackets. At least 1.
struct grain_items {
  std::uint64_t count;
};

/// Option: the bracketing of operands depends on the number of elements alone. So floating-point
/// results have the same bits for any number of workers and any schedule, in the caller's rounding
/// and denormal mode. Any free worker still runs any chunk.
struct deterministic_t {
  explicit constexpr deterministic_t() = default;
};
inline constexpr deterministic_t deterministic{};

namespace algo {

inline constexpr std::uint64_t no_end = ~std::uint64_t{0};

/// Nanoseconds, from 0 to below `no_end`, of a `std::chrono::duration`, whose header is expensive
/// to include.
template <class Duration>
constexpr std::uint64_t nanoseconds_of(Duration length) noexcept {
  using tick = typename Duration::period;
  const long double all =
      static_cast<long double>(length.count()) * tick::num * 1'000'000'000 / tick::den;
  constexpr auto most = static_cast<long double>(no_end / 2);
  return all <= 0 ? 0 : all >= most ? no_end / 2 : static_cast<std::uint64_t>(all);
}

}  // namespace algo

/// Option: ends the algorithm by `stopped` at this time of the steady clock, unless it is done. It
/// reads the clock whenever it checks its stop token: for each leaf and division. So it needs no
/// other thread, and works on one worker too.
/// Cost: about 25 ns each time.
struct deadline {
  template <class TimePoint>
  requires(TimePoint::clock::is_steady) constexpr explicit deadline(TimePoint when) noexcept
      : at_ns{algo::nanoseconds_of(when.time_since_epoch())} {}
  std::uint64_t at_ns;  ///< As `base::now_ns`.
};
/// Option: as `deadline`, this long after the call of `with`: `with(time_limit{20ms})`.
struct time_limit {
  template <class Duration>
  requires requires { Duration::period::num; }
  constexpr explicit time_limit(Duration length) noexcept
      : length_ns{algo::nanoseconds_of(length)} {}
  std::uint64_t length_ns;
};

/// Option: at most this many threads at a time, including the caller. At least 1.
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

/// All options together. `with` makes it; every algorithm takes it as its first argument.
struct settings {
  static constexpr unsigned holds = sched::a_loop_option;
  static constexpr unsigned usable = sched::a_pool | sched::a_stop_token | holds;

  settings() noexcept = default;
  /// Checks in its constraint, as a body's errors do not name the line of the call in clang.
  template <unsigned Holds>
  requires(sched::check_options<usable, sched::call_options<Holds>>() || true)
      settings(sched::call_options<Holds> from)
  noexcept : pool{from.pool} {
    if constexpr ((Holds & sched::a_stop_token) != 0) stop.token = std::move(from.token);
  }

  std::uint64_t grain = 0;  ///< 0: found by measuring.
  bool is_deterministic = false;
  /// Checked at the beginning, once for each leaf, and before each division.
  stop_condition stop;
  /// Null: the caller's pool, and outside every pool the default one.
  thread_pool* pool = nullptr;
  own_share own;            ///< From `at_most`.
  share* shared = nullptr;  ///< From a `share`, which has precedence.

  /// Throws: `std::invalid_argument` for 0.
  FILCH_EXPORT void set(grain_items most);
  void set(at_most most) { own = own_share(most.threads); }
  void set(share& some) noexcept { shared = &some; }
  void set(deterministic_t) noexcept { is_deterministic = true; }
  void set(std::stop_token given) noexcept { stop.token = std::move(given); }
  void set(deadline given) noexcept { stop.until_ns = given.at_ns; }
  void set(time_limit given) noexcept { stop.until_ns = base::now_ns() + given.length_ns; }
  void set(thread_pool& given) noexcept { pool = &given; }

  /// The limit on the threads of this call, or null.
  share* limit() const noexcept { return shared != nullptr ? shared : own.get(); }
  /// A copy that shares the limit. A plain copy would have one of its own.
  settings with_same_limit() const {
    settings same = *this;
    same.shared = limit();
    return same;
  }

  /// Throws: `stopped`, if a stop was requested.
  void check_stop() const {
    if (stop.stop_requested()) [[unlikely]]
      throw_stopped();
  }
  FILCH_EXPORT [[noreturn]] static void throw_stopped();
};

/// An option of algorithms, also one that other calls use.
template <class T>
concept option = sched::call_option<T> || requires(settings all, T&& one) {
  all.set(std::forward<T>(one));
};

/// `settings`, or `par`.
template <class T>
concept settings_like = std::convertible_to<T, const settings&>;

struct parallel_policy {
  operator settings() const noexcept { return {}; }
};

}  // namespace algo

/// Collects options for the first argument of an algorithm:
/// `filch::sort(filch::with(filch::grain_items{512}, pool), data)`.
template <algo::option... Options>
requires(!(sched::call_option<Options> && ...)) algo::settings with(Options&&... options) {
  algo::settings all;
  using given = sched::call_options<(0 | ... | sched::option_kind<Options>)>;
  if constexpr (sched::check_options<algo::settings::usable, given>()) {
    (all.set(std::forward<Options>(options)), ...);
  }
  return all;
}

/// No options, spelled out as in P3179: `filch::sort(filch::par, data)`.
inline constexpr algo::parallel_policy par{};

}  // namespace filch
