#pragma once
#include <filch/co/sync/async_semaphore.hpp>
#include <filch/co/task.hpp>
#include <filch/sched/pool.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace filch::co {

/// Of the pool that this thread is in: as many permits as threads of it may wait in `co::blocking`
/// at once.
async_semaphore& blocking_turns_here();

template <std::invocable F>
task<std::invoke_result_t<F>> block_in_turn(F f) {
  const async_permit turn = co_await blocking_turns_here().acquire();
  co_return filch::blocking(std::move(f));
}

/// `co_await co::blocking(f)` is what `f` returns, which waits in the kernel or for another thread:
/// a read of a file, a call of a database.
///
/// As `filch::blocking(f)`, which a coroutine may call, too, and with the same spare threads; but
/// at most `pool_options::max_spares` (and one at least) do so at once in a pool, and who comes
/// then waits for its turn, in order of arrival, without a thread. So thousands of tasks may read
/// files, and others go on. Plain calls take no turn.
/// Cost:   that of `filch::blocking`, a frame, and some 40 ns.
/// Throws: what `f` throws; `co::cancelled` where the task is asked to stop before its turn has
/// come; `std::bad_alloc`. g++ 12 destroys temporaries in a `co_await` twice, so with it a lambda
/// that captures more than references and numbers gets a name first, and is passed by that, as
/// `co::blocking(read)`; or where it cannot be copied, by another one, as `co::blocking([&] {
/// return read(); })`.
template <class F>
task<std::invoke_result_t<std::decay_t<F>>> blocking(F&& f) {
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
  static_assert(std::is_lvalue_reference_v<F> || std::is_trivially_destructible_v<F>,
                "g++ 12 destroys such a temporary twice in a co_await: give it a name, and pass "
                "that or a lambda that refers to it");
#endif
  return block_in_turn<std::decay_t<F>>(std::forward<F>(f));
}

}  // namespace filch::co
