#pragma once
#include <filch/queue/deque.hpp>
#include <filch/queue/injector.hpp>

namespace filch::sched {

/// A unit of detached work: submitted, spawned in a task group, or a resumed coroutine. Allocated by who submits it.
struct detached_job : queue::injected {
  enum class fate { run, discard };
  /// Runs the work, or only frees it. Either way the object is gone afterwards. Never throws.
  void (*finish)(detached_job*, fate);
};

/// The permission to run jobs, with the ready queue that belongs to it whoever holds it.
struct slot {
  queue::deque<detached_job*> ready;  ///< Owner: the holder of the slot. First in first out.
  slot* next = nullptr;               ///< In the list of free slots. Guarded by the roster's lock.
  unsigned turn = 0;                  ///< Counts jobs taken, so that the injector gets its share.
};

/// Every so many turns a worker looks at the injector before its own ready queue, so that neither starves. Go's figure.
inline constexpr unsigned injector_every = 61;

}  // namespace filch::sched
