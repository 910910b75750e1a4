/* What a worker does between jobs, as worker.cpp and thief.cpp have it. Included by the models, each of which says in `run_job`
 * what a job does. */

/* Whether another thread runs is left open: there may be as many as there are, or the system refuses. */
#ifndef OWN_START_THREAD
inline start_thread(slot_to_search, is_running) {  /* code: thread_table::try_start, thread_table::start */
  if
  :: atomic { !STARTED(1) && WORKERS > 1 -> started[1 % WORKERS] = true; granted[1 % WORKERS] = slot_to_search; is_running = true }
  :: atomic { STARTED(1) && !STARTED(2) && WORKERS > 2 ->
              started[2 % WORKERS] = true; granted[2 % WORKERS] = slot_to_search; is_running = true }
  :: atomic { was_refused = !all_started || was_refused; is_running = false }
  fi
}
#endif
inline offer_slot() {  /* code: demand::offer_slot */
  if
  :: detached_waits -> wake_one()
  :: else
  fi
}

inline may_begin_jobs() {  /* code: worker::may_begin_jobs, basic_slot_allocator::regularize */
  seen = !over_limit;
  if
  :: seen && granted[me] == OWN ->
     atomic {
       !locked ->
       end_overcommit(me);
       if
       :: under_limit -> take_withheld(given); granted[me] = given; given = NONE; give_back_withheld()
       :: else -> grant(me)
       fi
     };
     finish();
     seen = granted[me] != OWN
  :: else
  fi
}
inline run_one() {  /* code: worker::run_one, worker::take_detached, worker::take_injected */
  atomic {
    if
    :: ready[granted[me]] > 0 -> ready[granted[me]]--; seen = true
    :: injected > 0 -> injected--; seen = true
    :: else -> seen = false
    fi
  }
}
inline steal_from_ready_queues() {  /* code: worker::steal_from_ready_queues */
  atomic {
    if
    :: READY(0) && granted[me] != 0 -> ready[0]--; seen = true
    :: READY(1) && granted[me] != 1 -> ready[1 % SLOTS]--; seen = true
    :: READY(2) && granted[me] != 2 -> ready[2 % SLOTS]--; seen = true
    :: else -> seen = false
    fi
  }
}
inline leave_search_for_work() {  /* code: worker::leave_search_for_work */
  if
  :: is_searching ->
     is_searching = false;
     atomic { seen = searching == 1; search_ends() };
#ifndef MUTANT_NO_SUCCESSOR
     if
     :: seen && free_slots != 0 -> offer_slot()
     :: else
     fi;
#endif
     seen = false
  :: else
  fi
}

proctype worker(byte me) {
  LOCALS;
  bool is_searching = true;
  bool ends;
  WORKER_LOCALS;

end_unstarted:
  started[me];
  if
  :: granted[me] == NONE -> goto sleeps
  :: else
  fi;
between_jobs:  /* code: worker::serve */
  assert(granted[me] != NONE && !token[me]);
  may_begin_jobs();
  if
  :: !seen ->
     if
     :: !is_searching -> search_begins(); is_searching = true  /* code: basic_idle_state::begin_search */
     :: else
     fi;
     goto sleeps
  :: seen -> seen = false
  fi;
  run_one();
  if
  :: seen -> seen = false; goto works
  :: else
  fi;
  if  /* code: worker::search, policy::may_search */
  :: is_searching
  :: !is_searching -> search_begins(); is_searching = true
  :: !is_searching -> search_begins(); is_searching = true; goto sleeps
  fi;
looks:
  if
  :: over_limit -> goto sleeps
  :: else
  fi;
  run_one();
  if
  :: seen -> seen = false; goto works
  :: else
  fi;
  steal_from_ready_queues();
  if
  :: seen -> seen = false; goto works
  :: !seen && work_is_visible -> goto looks  /* a search ends in time: it makes no further round in vain */
  :: !seen -> goto sleeps
  fi;
works:
  leave_search_for_work();
  run_job();
  goto between_jobs;
sleeps:
  fall_asleep();
  if
  :: ends -> goto ended
  :: else
  fi;
end_asleep:
  park(me);
awake:
  is_searching = true;
  if
  :: granted[me] != NONE -> goto between_jobs
  :: else
  fi;
ended:
  has_ended[me] = true
}
