/* Searching and sleeping: jobs are submitted, and submit others, while workers search, sleep, are woken, or cannot be started.
 * A job may last for ever, so none may depend on another one's end to be found. */
#ifndef SUBMITTED
#define SUBMITTED 2
#endif
#ifndef SPAWNED
#define SPAWNED 1
#endif
#define WORKER_LOCALS skip
#include "parking.pml"

byte to_spawn = SPAWNED;

inline publish(where) {  /* code: scheduler::enqueue_slowly */
#ifdef MUTANT_WAKE_BEFORE_PUBLISH
  notify();
  where++
#else
  where++;
  notify()
#endif
}
inline publish_here() {  /* code: scheduler::enqueue_by, worker::push_ready_quickly */
#if SLOTS == 1
  ready[granted[me]]++  /* the holder of the only slot runs it, or sees it when it gives the slot away */
#else
  publish(ready[granted[me]])
#endif
}
inline run_job() {  /* code: worker::run_detached */
  if
  :: skip
  :: atomic { to_spawn > 0 -> to_spawn-- };
     publish_here()
  fi;
  if
  :: skip
  :: skip;
end_endless:
     false
  fi
}
#include "worker.pml"

/* An external thread. */
proctype submitter() {
  LOCALS;
  byte left = SUBMITTED;
  started[0] = true;  /* code: thread_table::start_first */
  do
  :: left > 0 ->
     left--;
     publish(injected)
  :: else -> break
  od
}

init {
  atomic {
    byte n = 0;
    free_all_slots(n);
    do
    :: n < WORKERS -> run worker(n); n++
    :: else -> break
    od;
    run submitter();
    n = 0
  }
}

/* No worker sleeps over work unless a wake is under way: if no process can take a step, no work is neglected. */
active proctype monitor() {
  timeout -> assert(!is_neglected)
}

ltl taken { [] (is_neglected -> <> !is_neglected) }
