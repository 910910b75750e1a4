#pragma once
#include <filch/co/sync/async_semaphore.hpp>
#include <filch/co/task.hpp>
#include <filch/sched/pool/pool.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace filch::inline v0_2::co {
namespace detail {

/// The permits of this thread's pool: one for each thread that may wait in `co::blocking` at once.
FILCH_EXPORT async_semaphore& blocking_turns_here();

/// The task that `co::blocking` returns.
template <std::invocable F>
task<std::invoke_result_t<F>> block_in_turn(F f) {
  const async_permit turn = co_await blocking_turns_here().acquire();
  co_return filch::blocking(std::move(f));
}

}  // namespace detail

/// `co_await co::blocking(f)` calls `f`, which waits in the kernel or for another thread, and
/// returns its result: a read of a file, a call of a database.
///
/// As `filch::blocking(f)`, with the same spare threads, but at most `pool_options::max_spares`
/// calls (at least one) run at once in a pool. Further tasks wait for a permit, in order of
/// arrival, without a thread. So thousands of tasks may read files while others run. Plain calls
/// of `filch::blocking` take no permit.
///
/// g++ 12 destroys temporaries in a `co_await` twice. With it, name a lambda that captures more
/// than references and numbers, and pass that: `co::blocking(read)`. If it cannot be copied, pass
/// another lambda: `co::blocking([&] { return read(); })`.
/// Cost:   that of `filch::blocking`, a frame, and some 40 ns.
/// Throws: what `f` throws; `co::cancelled` if the task is asked to stop before it has a permit;
///         `std::bad_alloc`.
template <class F>
task<std::invoke_result_t<std::decay_t<F>>> blocking(F&& f) {
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
  static_assert(std::is_lvalue_reference_v<F> || std::is_trivially_destructible_v<F>,
                "g++ 12 destroys such a temporary twice in a co_await: give it a name, and pass "
                "that or a lambda that refers to it");
#endif
  return detail::block_in_turn<std::decay_t<F>>(std::forward<F>(f));
}

}  // namespace filch::co
