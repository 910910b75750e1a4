#pragma once
#include <filch/base/cache_line.hpp>
#include <filch/base/panic.hpp>
#include <filch/sched/pool.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace filch {

/// One `T` per worker of a pool, made when that worker first asks: for sums and scratch memory that need no lock.
///
/// Cost:     `local()` is an index and a test. A cache line per worker at least.
/// Threads:  `local()` by any worker of the pool, each gets its own; what it refers to must not be kept across a call that may
///           run another job on this worker and ask again for the same purpose. `for_each` and `combine` while nobody works on it.
/// Lifetime: the pool outlives it. A job that gave its slot away and resumed is on the same thread and keeps its `T`.
template <class T>
class worker_local {
 public:
  /// Throws: `std::bad_alloc`.
  explicit worker_local(thread_pool& pool = pool_here()) : pool_{&pool}, cells_(pool.worker_capacity()) {}

  /// The calling worker's own `T`, made with `T()` the first time.
  /// Throws: what `T()` throws. A caller that is not in the pool ends the process: it has no place here.
  T& local() {
    FILCH_ASSERT(pool_->is_current(), "worker_local::local called by a thread that does not work in its pool", worker_index());
    std::optional<T>& mine = cells_[worker_index()].value;
    if (!mine) mine.emplace();
    return *mine;
  }

  template <class F>
  void for_each(F&& f) {
    for (cell& each : cells_) {
      if (each.value) f(*each.value);
    }
  }
  /// Folds all with `op`, starting from `start`, in the order of worker indices.
  template <class Op>
  T combine(T start, Op&& op) {
    for_each([&](T& each) { start = op(std::move(start), each); });
    return start;
  }

 private:
  struct alignas(base::cache_line_bytes) alignas(T) cell {
    std::optional<T> value;
  };

  thread_pool* pool_;
  std::vector<cell> cells_;
};

}  // namespace filch
