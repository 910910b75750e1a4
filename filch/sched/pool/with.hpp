#pragma once
// The options of calls that need no algorithm: a pool and a priority. with_token.hpp adds a stop
// token, filch/algo/settings.hpp the options of algorithms.
#include <filch/policy/priority.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace filch::inline v0_2 {

class thread_pool;

namespace sched {

/// Kinds of options, as bits: a type says by `holds` which of them it may have.
inline constexpr unsigned a_pool = 1, a_priority = 2, a_stop_token = 4, a_loop_option = 8;

/// Apart, as the header of `std::stop_token` is a quarter of `<filch/fork.hpp>`.
template <class T>
inline constexpr bool is_stop_token = false;
template <bool is_given>
struct given_token {
  void set() = delete;  // for the `using` below
};

/// The kind of an option of type `T`, or 0.
template <class T>
inline constexpr unsigned option_kind = std::is_convertible_v<T, thread_pool&>  ? a_pool
                                        : std::is_convertible_v<T, priority>    ? a_priority
                                        : is_stop_token<std::remove_cvref_t<T>> ? a_stop_token
                                                                                : 0;
template <class T>
concept call_option = (option_kind<T> != 0);

/// What `with` makes of options that every call might use. A call refuses at compile time what it
/// does not use, so `Holds` is part of the type.
template <unsigned Holds>
struct call_options : given_token<(Holds & a_stop_token) != 0> {
  static constexpr unsigned holds = Holds;
  thread_pool* pool = nullptr;  ///< Null: none was given.
  priority urgency = priority::normal;

  using given_token<(Holds & a_stop_token) != 0>::set;
  void set(thread_pool& given) noexcept { pool = &given; }
  void set(priority given) noexcept { urgency = given; }
};

/// What `with` has returned.
template <class T>
concept given_options = std::same_as<decltype(std::remove_cvref_t<T>::holds), const unsigned>;

/// Stops the compiler with a sentence if `How` may hold more than the kinds `Used`.
template <unsigned Used, class How>
constexpr bool check_options() {
  constexpr bool are_used = (How::holds & ~Used) == 0;
  static_assert(are_used,
                "filch: with(...) holds an option that this call does not use: spawn takes a pool "
                "and a priority, co::scope a pool and a stop token, algorithms everything but a "
                "priority, each other call a pool");
  return are_used;
}

/// As `pool_here()`, an object for the same pool that no job can destroy.
FILCH_EXPORT thread_pool& lasting_pool_here();

/// The parameter of a call that uses the kinds `Used`, at most a pool and a priority. A pool alone
/// stands for `with(pool)`.
template <unsigned Used>
struct uses {
  template <class Pool>
  requires std::is_convertible_v<Pool, thread_pool&> uses(Pool&& only)
  noexcept : pool{&static_cast<thread_pool&>(only)} {}
  template <given_options How>
  uses(const How& how) noexcept {
    if constexpr (check_options<Used, How>()) {
      pool = how.pool;
      urgency = how.urgency;
    }
  }
  thread_pool& pool_or_here() const { return pool != nullptr ? *pool : lasting_pool_here(); }

  thread_pool* pool = nullptr;
  priority urgency = priority::normal;
};

}  // namespace sched

/// Collects options for the first argument of a call:
/// `filch::spawn(filch::with(pool, filch::priority::high), t)`. `<filch/algo.hpp>` has those of
/// algorithms.
///
/// Which call uses what: `spawn` and `scope::spawn` a pool and a priority; the constructor of
/// `co::scope` a pool and a stop token; algorithms everything but a priority; `block_on`,
/// `co::schedule_on`, `task_group` and `worker_local` a pool. Any other option is refused at
/// compile time. Without a pool a call uses that of the calling thread, or else `default_pool()`.
/// Lifetime: refers to the pool.
template <sched::call_option... Options>
sched::call_options<(0 | ... | sched::option_kind<Options>)> with(Options&&... options) noexcept {
  sched::call_options<(0 | ... | sched::option_kind<Options>)> all;
  (all.set(std::forward<Options>(options)), ...);
  return all;
}

}  // namespace filch
