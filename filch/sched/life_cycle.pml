/* The pool's life: threads start on demand or are refused, jobs are submitted from outside and by jobs, a thread stops the pool, and
 * its owner destroys it, or one of its own jobs does. */
#ifndef SUBMITTED
#define SUBMITTED 2
#endif
#ifndef SPAWNED
#define SPAWNED 1
#endif
#ifndef STOPS
#define STOPS 1
#endif
#ifndef JOB_DESTROYS
#define JOB_DESTROYS 1
#endif
#define WORKER_LOCALS byte starts = NONE
#define OWN_START_THREAD
#include "parking.pml"

byte unfinished;            /* begun less ended; job_count_model.cpp shows that the sum of all counts may stand for one count */
bool is_awaited;            /* code: unfinished_jobs::closing_ */
bool is_drained;            /* code: unfinished_jobs::drained_ */
bool is_stopped;            /* code: admission::accepts_ */
bool life_locked;           /* code: thread_table::life_ */
bool is_joinable[WORKERS];  /* code: thread_table::threads_ */
byte thread_count;
bool is_joining[WORKERS];
byte to_spawn = SPAWNED;
bool may_stop, is_left_to_a_job, owner_is_gone, is_registered;
byte accepted, finished;
bool is_destroyed, is_deleted;

#define UNSTARTED(w) (w < WORKERS && !started[(w) % WORKERS])
#define JOINABLE(w) (w < WORKERS && is_joinable[(w) % WORKERS])
#define ENDED(w) (w >= WORKERS || !is_joining[(w) % WORKERS] || has_ended[(w) % WORKERS])
#define RUNS(w) (w < WORKERS && started[(w) % WORKERS] && !has_ended[(w) % WORKERS])

inline start_thread(slot_to_search, is_running) {  /* code: thread_table::start, thread_table::try_start */
  atomic {
    !life_locked -> life_locked = true;
    if
    :: UNSTARTED(0) -> starts = 0
    :: !UNSTARTED(0) && UNSTARTED(1) -> starts = 1
    :: !UNSTARTED(0) && !UNSTARTED(1) && UNSTARTED(2) -> starts = 2
    :: starts = NONE
    fi
  };
  if
  :: atomic { starts == NONE -> is_running = false; life_locked = false }
  :: atomic { starts != NONE -> granted[starts] = slot_to_search; started[starts] = true };
     atomic { is_joinable[starts] = true; thread_count++; starts = NONE; is_running = true; life_locked = false }
  fi
}
inline publish(where) {  /* code: scheduler::submit_always, scheduler::enqueue_slowly */
#ifdef MUTANT_COUNT_AFTER_PUBLISH
  where++;
  unfinished++;
#else
  unfinished++;
  where++;
#endif
  notify()
}
inline publish_here() {  /* code: scheduler::enqueue_by, worker::push_ready_quickly */
#if SLOTS == 1
  unfinished++;
  ready[granted[me]]++  /* the holder of the only slot runs it, or sees it when it gives the slot away */
#else
  publish(ready[granted[me]])
#endif
}
inline detached_finished() {  /* code: unfinished_jobs::end */
  atomic { assert(unfinished > 0); unfinished-- };
  if
  :: is_awaited -> last_look()
  :: else
  fi
}
inline last_look() {  /* code: basic_quiescence::is_awaited, have_all_ended */
  if
  :: unfinished == 0 -> is_drained = true
  :: else
  fi
}
inline submit_from_a_job() {  /* code: scheduler::submit */
  if
  :: atomic { !is_stopped -> accepted++ }; publish_here()
  :: is_stopped
  fi
}
inline destroy_from_a_job() {  /* code: blocking_region::is_inside, admission::request_stop */
  assert(is_registered && !is_deleted);
  is_registered = false;
  is_stopped = true
}
inline run_job() {  /* code: worker::run_detached */
  if
  :: is_stopped  /* discarded */
  :: !is_stopped
  :: atomic { !is_stopped && to_spawn > 0 -> to_spawn-- }; submit_from_a_job()
  :: atomic { !is_stopped && is_left_to_a_job && owner_is_gone && !is_destroyed -> is_destroyed = true };
#ifdef MUTANT_SELF_DESTROY_WAITS
     unfinished == 0;
#endif
     destroy_from_a_job()
  fi;
  assert(!is_deleted);
  finished++;
  detached_finished()
}
#include "worker.pml"

inline submit() {  /* code: scheduler::submit, thread_table::start_first */
  if
#ifndef MUTANT_SUBMIT_AFTER_STOP
  :: is_stopped
  :: !is_stopped ->
#else
  :: was_stopped = is_stopped;
#endif
     if
     :: thread_count == 0 -> start_thread(NONE, seen)
     :: else
     fi;
     if
     :: atomic { thread_count != 0 -> seen = false; assert(!was_stopped); accepted++ }; publish(injected)
     :: atomic { thread_count == 0 -> seen = false }
     fi
  fi
}
inline run_leftovers() {  /* code: pool_state::run_leftovers */
  do
  :: atomic { thread_count == 0 && injected > 0 -> injected--; finished++ }; detached_finished()
  :: else -> break
  od
}
inline shut_down() {  /* code: parking_lot::shut_down */
#ifdef MUTANT_SLEEPERS_NOT_TOLD
  atomic { !locked -> locked = true };
#else
  atomic { !locked -> locked = true; is_shut_down = true };
#endif
  do
  :: atomic { PARKED(0) || PARKED(1) || PARKED(2) -> pop_sleeper(woken); unpark(woken); woken = NONE }
  :: else -> break
  od;
  locked = false
}
inline join_all() {  /* code: thread_table::take_threads */
  do
  :: atomic {
       !life_locked ->
       seen = JOINABLE(0) || JOINABLE(1) || JOINABLE(2);
       i = 0;
       do
       :: i < WORKERS -> is_joining[i] = is_joinable[i]; is_joinable[i] = false; i++
       :: else -> i = 0; break
       od
     };
     if
     :: seen -> (ENDED(0) && ENDED(1) && ENDED(2))
     :: else -> break
     fi
  od;
  seen = false
}
inline destroy() {  /* code: pool_state::finish_and_join, pool_registry::remove */
  run_leftovers();
#ifndef MUTANT_NO_DRAIN
#ifndef MUTANT_WAIT_NOT_SAID
  is_awaited = true;  /* code: basic_quiescence::await */
#endif
  do
  :: unfinished != 0 -> atomic { is_drained -> is_drained = false }
  :: unfinished == 0 -> break
  od;
#endif
  shut_down();
  join_all();
  assert(is_registered);
  is_registered = false;
  assert(accepted == finished && unfinished == 0 && !detached_waits);
  assert(!RUNS(0) && !RUNS(1) && !RUNS(2));
  assert(searching == 0 && free_slots == SLOTS && free_count == SLOTS && !locked && !life_locked);
  is_deleted = true
}

/* The thread that made the pool. What it submits without having started a thread is a ticket of a task group. */
proctype owner() {
  LOCALS;
  WORKER_LOCALS;
  byte left = SUBMITTED;
  byte i;
  bool was_stopped;
  is_registered = true;  /* code: pool_registry::add */
  do
  :: left > 0 -> left--; submit()
  :: left > 0 -> left--; atomic { accepted++ }; publish(injected)
  :: left == 0 -> break
  od;
  !may_stop;
  if
  :: is_left_to_a_job -> owner_is_gone = true
  :: else -> is_destroyed = true; destroy()
  fi
}

/* Any other thread. */
proctype stopper() {
  is_stopped = true;  /* code: thread_pool::request_stop */
  may_stop = false
}

init {
  atomic {
    byte n = 0;
    free_all_slots(n);
    do
    :: n < WORKERS -> run worker(n); n++
    :: else -> n = 0; break
    od;
    run owner();
    if
    :: skip
    :: STOPS -> may_stop = true; run stopper()
    fi;
    if
    :: skip
    :: JOB_DESTROYS -> is_left_to_a_job = true
    fi
  }
}

ltl ends { <> (is_deleted || owner_is_gone) }
ltl drains { [] (unfinished > 0 && thread_count > 0 -> <> (unfinished == 0)) }
