/* Hand-over of slots: jobs and external threads ("visitors") stall in joins, block, and come back, while work goes on and the budget shrinks and grows. */
#ifndef VISITORS
#define VISITORS 1
#endif
#ifndef SUBMITTED
#define SUBMITTED 1
#endif
#ifndef PUSHED
#define PUSHED 1
#endif
#ifndef STALLED
#define STALLED 1
#endif
#ifndef BLOCKED
#define BLOCKED 1
#endif
#define WORKER_LOCALS mtype does = GOES_ON
/* One more than slots: a thread that could not start another gives the slot back before it ends the search that was counted for it. */
#define MOST_SEARCHING (SLOTS + 1)
#include "parking.pml"

mtype = { GOES_ON, STALLS, BLOCKS, LEAVES };
byte to_push = PUSHED;
byte to_inject = SUBMITTED;
byte visitors_left = VISITORS;
byte stalls = STALLED;
byte blocks = BLOCKED;
/* The worker whose stolen job will be completed. Its thief needs nothing more from this pool. */
chan stolen = [CLAIMS] of { byte };

inline acquire() {  /* code: basic_slot_allocator::acquire, worker::take_slot */
  atomic { !locked -> grant(me) };
  finish()
}
inline release() {  /* code: basic_slot_allocator::release, parking_lot::leave */
  atomic { !locked -> put_back(me) }
}
inline suspend() {  /* code: basic_slot_allocator::suspend, worker::sleep_until_done */
  stolen!me;
  atomic {
    !locked ->
    if
#ifndef MUTANT_EARLY_RESUME_FORGOTTEN
    :: was_resumed[me] -> was_resumed[me] = false; does = GOES_ON
#endif
    :: else -> is_suspended[me] = true; put_back(me)
    fi
  }
}
inline resume(waiter) {  /* code: basic_slot_allocator::resume */
  atomic {
    !locked ->
    if
    :: !is_suspended[waiter] -> assert(!was_resumed[waiter]); was_resumed[waiter] = true
    :: else -> is_suspended[waiter] = false; assert(granted[waiter] == NONE); grant(waiter); is_up = true
    fi
  };
  finish();
  if
  :: is_up -> is_up = false; unpark(waiter)
  :: else
  fi
}
inline allow(count) {  /* code: basic_slot_allocator::allow */
  atomic { !locked -> locked = true; allowed = count };
  do
  :: atomic { over_limit && slot_is_free ->
              take_free_slot(given); is_withheld[given] = true; withheld_count++; free_slots--; given = NONE }
  :: else -> break
  od;
  atomic { give_back_withheld() };
  locked = false;
  finish()
}
/* What a job does with its slot, and a visitor at its end. One text for the three ways, as each ends in the same looks. */
inline give_slot_away() {  /* code: worker::leave_slot, worker::sleep_until_resumed, scheduler::leave */
  if
  :: does == STALLS -> suspend()
  :: does == BLOCKS || does == LEAVES -> release()
  fi;
  if
  :: does != GOES_ON ->
     finish();
#ifndef MUTANT_SLOT_NOT_OFFERED
     if
     :: does != LEAVES || (searching == 0 && free_slots > 0 && (free_slots < allowed || overcommitted > 0)) -> offer_slot()
     :: else
     fi
#endif
  :: else
  fi;
  if
  :: does == BLOCKS ->
#ifdef ENDLESS
     if
     :: skip
     :: skip;
end_blocked:
        false
     fi;
#endif
     acquire()
  :: does == STALLS -> park(me)
  :: else
  fi;
  assert(does == LEAVES || granted[me] != NONE)
}
inline decide() {
  if
  :: does = GOES_ON
  :: stalls > 0 -> stalls--; does = STALLS
  :: blocks > 0 -> blocks--; does = BLOCKS
  fi
}
inline run_job() {  /* code: worker::run_detached */
  atomic { decide() };
  if
  :: does != GOES_ON -> give_slot_away(); does = GOES_ON
  :: else
  fi
}
#include "worker.pml"

/* Threads outside the pool: the thief of each stalled join, which needs nothing more from this pool, and a submitter. */
proctype outside() {
  LOCALS;
  byte whose;
  bool is_up;
end_outside:
  do
  :: stolen?whose -> resume(whose)  /* code: worker::run_stolen */
  :: atomic { to_inject > 0 -> to_inject-- }; injected++; notify()  /* code: scheduler::submit_always */
  od
}

/* An external thread that computes in the pool, and submits a job there. */
proctype visitor(byte me) {
  LOCALS;
  mtype does;
  acquire();  /* code: scheduler::enter, parking_lot::enter */
  if
  :: skip
  :: atomic { to_push > 0 && granted[me] != OWN -> to_push-- };
     ready[granted[me]]++
#if SLOTS != 1
     ; notify()
#endif
  :: atomic { to_push > 0 && granted[me] == OWN -> to_push-- }; injected++; notify()
  fi;
#ifdef STAYS
  if
  :: granted[me] == OWN || SLOTS > 1 ->
end_stays:
     false
  :: else
  fi;
#endif
  do
  :: atomic {
       decide();
       if
       :: does == GOES_ON -> does = LEAVES
       :: else
       fi
     };
     give_slot_away();
     if
     :: does == LEAVES -> break
     :: else
     fi
  od;
  visitors_left--
}

/* The CPU budget shrinks to one and grows again. */
proctype budget() {
  LOCALS;
  allow(1);
  allow(SLOTS)
}

init {
  atomic {
    byte n = 0;
    free_all_slots(n);
    do
    :: n < WORKERS -> run worker(n); n++
    :: n >= WORKERS && n < CLAIMS -> run visitor(n); n++
    :: n >= CLAIMS -> break
    od;
    started[0] = true;
    run outside();
#ifdef BUDGET
    run budget();
#endif
    n = 0
  }
}

/* No worker sleeps over work unless a wake is under way. */
active proctype monitor() {
  timeout -> assert(!is_neglected && !under_limit);
#ifndef ENDLESS
  assert(!work_is_visible)  /* nor does any stay: what computes here comes to an end, but for a visitor beyond the limit */
#endif
}

/* No job stays, and the number of threads at work returns to its limit. */
ltl all_end { <> (visitors_left == 0 && !over_limit && !work_is_visible) }
ltl all_rest { <> [] (visitors_left == 0 && !over_limit && !work_is_visible) }  /* for good, where work comes later than at once */
ltl taken { [] (is_neglected -> <> !is_neglected) }
