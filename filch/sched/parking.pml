/* Slots, sleepers and the idle word, step by step as parking_lot.cpp and idle_state.hpp have them. Included by the models.
 *
 * One Promela step is one access that other threads can see: a read-modify-write of the idle word, a look at a queue, a token.
 * A section under the parking lot's lock that contains at most one of those is one atomic step; a longer one holds `locked` meanwhile.
 * Every access is sequentially consistent here: which orders suffice for that is shown by idle_model.cpp.
 * Where the code takes the last slot freed or the last sleeper, the model takes any. */
#ifndef WORKERS
#define WORKERS 3
#endif
#ifndef SLOTS
#define SLOTS 2
#endif
#ifndef VISITORS
#define VISITORS 0
#endif
#define CLAIMS (WORKERS + VISITORS)
#define NONE 255
#define OWN 254   /* the overcommit slot of a waiter: its queue stays empty */

/* The idle word. */
byte searching;
byte free_slots;
bool work_waits;

/* Guarded by the lock. */
bool locked;
bool is_shut_down;
bool is_free[SLOTS];
bool is_withheld[SLOTS];
byte withheld_count;
byte overcommitted;          /* waiters that hold their own slot */
byte overcommitted_workers;  /* of these, the waiters of the pool's own threads */
byte allowed = SLOTS;
bool is_parked[CLAIMS];
byte granted[CLAIMS] = NONE;
bool is_suspended[CLAIMS];
bool was_resumed[CLAIMS];

bool token[CLAIMS];   /* code: slot_waiter::parker */
bool started[WORKERS];
bool has_ended[WORKERS];
bool was_refused;     /* a thread that could have been started was not */
byte injected;        /* code: scheduler::injected_ */
byte ready[SLOTS];    /* code: slot::ready */

#define LOCALS byte given = NONE; byte woken = NONE; bool rest_waits, seen, needed

#define FREE(s) (s < SLOTS && is_free[(s) % SLOTS])
#define READY(s) (s < SLOTS && ready[(s) % SLOTS] > 0)
#define PARKED(w) (w < WORKERS && is_parked[(w) % CLAIMS])
#define STARTED(w) (w < WORKERS && started[(w) % WORKERS])
#define HOLDS(c, s) (c < CLAIMS && granted[(c) % CLAIMS] == s)
#define HELD(s) (HOLDS(0, s) || HOLDS(1, s) || HOLDS(2, s) || HOLDS(3, s))

/* One look at all of them at once. The code looks at one after the other; what it can miss by that came after the first
 * look, so its producer reads the idle word after the looker changed it. */
#define detached_waits (injected > 0 || READY(0) || READY(1) || READY(2))   /* code: demand::detached_waits */
#define work_is_visible detached_waits                                      /* code: demand::is_visible */

#define HOLDS_OUTSIDE(c) (c >= WORKERS && c < CLAIMS && granted[(c) % CLAIMS] != NONE && granted[(c) % CLAIMS] != OWN)
#define held_outside (HOLDS_OUTSIDE(0) + HOLDS_OUTSIDE(1) + HOLDS_OUTSIDE(2) + HOLDS_OUTSIDE(3))
#ifdef MUTANT_VISITORS_TAKE_ALL
#define may_hold_regular(waiter) true
#else
#define may_hold_regular(waiter) (waiter < WORKERS || allowed == 1 || held_outside + 1 < allowed)
#endif
/* The last slot that no external thread holds is not withheld on account of external threads. Formulas have no conditional expressions. */
#ifdef MUTANT_ALL_WITHHELD
#define one_stays false
#else
#define one_stays (overcommitted_workers == 0)
#endif
#define beyond_budget (SLOTS - allowed)
/* code: basic_slot_allocator::count_to_withhold, basic_slot_allocator::is_over_limit */
#define over_limit (withheld_count < beyond_budget + overcommitted && withheld_count < SLOTS && \
                    (!one_stays || withheld_count < beyond_budget || withheld_count + held_outside + 1 < SLOTS))
#define under_limit (withheld_count > beyond_budget + overcommitted || \
                     (one_stays && withheld_count > beyond_budget && withheld_count + held_outside + 1 > SLOTS))

#define slot_is_free (FREE(0) || FREE(1) || FREE(2))
#define free_count (FREE(0) + FREE(1) + FREE(2))

#define all_started ((WORKERS < 2 || STARTED(1)) && (WORKERS < 3 || STARTED(2)))
/* Work waits beside a free slot, and there is a thread for it. */
#define is_neglected (work_is_visible && slot_is_free && (PARKED(0) || PARKED(1) || PARKED(2) || !(was_refused || all_started)))

#ifndef MOST_SEARCHING
#define MOST_SEARCHING SLOTS
#endif
inline search_begins() { atomic { searching++; assert(searching <= MOST_SEARCHING) } }
inline search_ends() { atomic { assert(searching > 0); searching-- } }

/* ---------------------------------------------------------------------------------------------------- slots and tokens */
inline unpark(waiter) {  /* code: parker::unpark */
  atomic { assert(!token[waiter]); token[waiter] = true }
}
inline park(waiter) {  /* code: parker::park */
  atomic { token[waiter]; token[waiter] = false }
}
inline take_free_slot(taken) {  /* code: basic_slot_allocator::take_free_slot */
  if
  :: FREE(0) -> taken = 0
  :: FREE(1) -> taken = 1
  :: FREE(2) -> taken = 2
  :: else -> taken = NONE
  fi;
  if
  :: taken != NONE -> is_free[taken] = false; assert(!HELD(taken) && !is_withheld[taken])
  :: else
  fi
}
inline free_all_slots(n) {  /* code: basic_slot_allocator::basic_slot_allocator */
  do
  :: n < SLOTS -> is_free[n] = true; free_slots++; n++
  :: else -> n = 0; break
  od
}
inline free_slot(freed) {  /* code: basic_slot_allocator::free, basic_idle_state::slot_freed */
  assert(!is_free[freed] && !is_withheld[freed] && !HELD(freed));
  is_free[freed] = true;
#if defined(MUTANT_NOTE_IGNORED)
  rest_waits = rest_waits || ready[freed] > 0;
#elif defined(MUTANT_QUEUE_NOT_LOOKED_AT)
  rest_waits = rest_waits || work_waits;
#else
  rest_waits = rest_waits || work_waits || ready[freed] > 0;
#endif
  free_slots++;
  assert(free_slots == free_count)
}
inline put_back_regular(freed) {  /* code: basic_slot_allocator::put_back_regular, basic_slot_allocator::withhold */
  if
  :: over_limit ->
     assert(!is_free[freed] && !is_withheld[freed] && !HELD(freed));
     is_withheld[freed] = true; withheld_count++; rest_waits = ready[freed] > 0
  :: else -> free_slot(freed)
  fi
}
inline take_withheld(taken) {  /* code: basic_slot_allocator::take_withheld */
  if
  :: is_withheld[0] -> taken = 0
  :: SLOTS > 1 && is_withheld[1 % SLOTS] -> taken = 1
  :: SLOTS > 2 && is_withheld[2 % SLOTS] -> taken = 2
  fi;
  is_withheld[taken] = false;
  withheld_count--
}
inline give_back_withheld() {  /* code: basic_slot_allocator::give_back_withheld */
  do
  :: under_limit -> take_withheld(given); free_slot(given)
  :: else -> break
  od;
  given = NONE
}
inline begin_overcommit(waiter) {  /* code: basic_slot_allocator::begin_overcommit */
  granted[waiter] = OWN;
  overcommitted++;
  overcommitted_workers = overcommitted_workers + (waiter < WORKERS -> 1 : 0)
}
inline end_overcommit(waiter) {  /* code: basic_slot_allocator::end_overcommit */
  granted[waiter] = NONE;
  overcommitted--;
  overcommitted_workers = overcommitted_workers - (waiter < WORKERS -> 1 : 0)
}
inline grant(waiter) {  /* code: basic_slot_allocator::grant, basic_slot_allocator::may_hold_regular, basic_idle_state::slot_taken */
  if
  :: may_hold_regular(waiter) -> take_free_slot(given)
  :: else
  fi;
  if
  :: given != NONE -> granted[waiter] = given; free_slots--; given = NONE
  :: else -> begin_overcommit(waiter)
  fi;
  give_back_withheld()
}
inline put_back(waiter) {  /* code: basic_slot_allocator::put_back */
  if
  :: granted[waiter] == OWN ->
     end_overcommit(waiter);
#ifndef MUTANT_WITHHELD_KEPT
     give_back_withheld()
#endif
  :: else -> given = granted[waiter]; granted[waiter] = NONE; put_back_regular(given); given = NONE
  fi
}
inline finish() {  /* code: basic_slot_allocator::finish, basic_idle_state::waiting_work_seen */
  if
  :: rest_waits ->
     work_waits = false;
     if
     :: work_is_visible -> wake_one()
     :: else
     fi
  :: else
  fi;
  rest_waits = false
}

/* ----------------------------------------------------------------------------------------------------------------- wakes */
inline notify() {  /* code: parking_lot::job_published, basic_idle_state::look_after_publish, basic_idle_state::note_waiting_work, basic_idle_state::announce_work */
  atomic { seen = searching == 0 && free_slots > 0; needed = searching == 0 && free_slots == 0 && !work_waits };
#ifndef MUTANT_NO_NOTE
  if
  :: atomic { needed -> work_waits = true; seen = searching == 0 && free_slots > 0; needed = false }
  :: else
  fi;
#endif
  if
  :: seen -> wake_one()
  :: else
  fi
}
inline pop_sleeper(popped) {  /* code: parking_lot::pop_sleeper */
  if
  :: PARKED(0) -> popped = 0
  :: PARKED(1) -> popped = 1
  :: PARKED(2) -> popped = 2
  :: else -> popped = NONE
  fi;
  if
  :: popped != NONE ->
     is_parked[popped] = false;
  :: else
  fi
}
inline wake_one() {  /* code: parking_lot::wake_one, basic_idle_state::slot_taken_to_search */
  do
  :: atomic {
       !locked -> locked = true;
       needed = searching == 0 && !is_shut_down;
       given = NONE;
       if
       :: needed -> take_free_slot(given)
       :: else
       fi
     };
     if
     :: atomic {
          given == NONE ->
          if
          :: needed -> work_waits = true
          :: else
          fi;
          needed = false; seen = false; locked = false
        };
        break
     :: atomic {
          given != NONE -> needed = false; search_begins(); free_slots--;
          pop_sleeper(woken);
          if
          :: woken != NONE -> granted[woken] = given
          :: else
          fi;
          locked = false
        };
        if
        :: woken != NONE -> atomic { unpark(woken); woken = NONE; given = NONE; seen = false }; break
        :: else ->
           start_thread(given, seen);
           if
           :: seen -> given = NONE; seen = false; break
           :: else ->
              return_unused();
              if
              :: seen
              :: else -> break
              fi
           fi
        fi
     fi
  od
}
/* Leaves in `seen` whether `wake_one` is called again. */
inline return_unused() {  /* code: parking_lot::return_unused */
  atomic { !locked -> put_back_regular(given); given = NONE };
#ifndef MUTANT_SEARCH_NOT_ENDED
  search_ends();
#endif
  rest_waits = false;
  atomic { !locked -> seen = PARKED(0) || PARKED(1) || PARKED(2) };
  seen = seen && work_is_visible
}

/* -------------------------------------------------------------------------------------------------------------- sleeping */
/* Up to where the thread parks; says whether the pool `ends`. */
inline fall_asleep() {  /* code: driver::begin_sleep, parking_lot::push_sleeper, basic_idle_state::end_search */
#ifdef MUTANT_RECHECK_BEFORE_ANNOUNCE
  seen = work_is_visible;
#endif
  atomic {
    !locked -> locked = true;
    ends = is_shut_down;
    is_parked[me] = !is_shut_down
  };
  if
  :: granted[me] != NONE ->
     atomic { put_back(me) };
     atomic { search_ends(); locked = false }
  :: else -> locked = false
  fi;
  finish();
#ifdef MUTANT_RECHECK_BEFORE_ANNOUNCE
  if
  :: !ends && seen -> wake_one()
  :: else
  fi
#elif !defined(MUTANT_NO_RECHECK)
  if
  :: !ends && work_is_visible -> wake_one()
  :: else
  fi
#endif
}
