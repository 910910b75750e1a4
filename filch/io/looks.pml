/* Looks at Asio and sleeps in it: operations end, in the kernel or by threads that run no handlers,
 * while workers look, park, become the poller and are woken.
 *
 * One Promela step is one access that other threads can see. So is one call of Asio's that runs at
 * most one handler, and a section under `lock_`, unless another step lies inside. A look may end
 * after any handler: policy decides. Jobs end at once, so a woken worker looks again. */
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef OPERATIONS
#define OPERATIONS 2
#endif
#ifndef FROM_OUTSIDE
#define FROM_OUTSIDE 1
#endif
#ifndef WAKES
#define WAKES 1
#endif
#define NONE 255

/* Asio's. */
byte completed;      /* in the kernel, unseen by Asio */
byte handlers;       /* that Asio will run */
bool stopped;

/* The context's. */
bool runs;           /* code: context::runs_ */
bool locked;         /* code: context::lock_ */
bool interrupted;    /* code: context::is_interrupted_ */
bool slept_well;     /* code: context::has_slept_well_ */
byte arrivals;

/* The parking lot's. */
byte poller = NONE;
bool is_parked[WORKERS];
bool token[WORKERS];

byte delivered;
byte outsiders;      /* external threads that still use the context */

#define something_is_ready (handlers + completed > 0)
/* The thread that takes the last completion may end pool and context. */
#define all_have_come (delivered == OPERATIONS + FROM_OUTSIDE)

inline run_handler() {  /* code: context::pass_on */
  if
  :: handlers == 0 -> handlers = completed; completed = 0
  :: else
  fi;
  handlers--;
  arrivals++
}

inline interrupt() {  /* code: context::interrupt */
#ifdef MUTANT_STOP_BEFORE_FLAG
  stopped = true;
  atomic { !locked -> interrupted = true }
#else
#ifndef MUTANT_NO_FLAG
  atomic { !locked -> interrupted = true };
#endif
  stopped = true
#endif
}

inline look() {  /* code: context::poll, context::run_ready */
  if
  :: atomic { !runs -> runs = true };
     stopped = false;  /* code: context::restart */
#ifdef MUTANT_LOOK_TAKES_THE_FLAG
     interrupted = false;
#endif
     atomic { may_end = slept_well; slept_well = false };
     do
     :: may_end -> break
     :: atomic { !stopped && something_is_ready && !locked -> run_handler(); may_end = true }
     :: atomic { stopped || !something_is_ready } -> break
     od;
     atomic { runs = false; may_end = false }
  :: runs
  fi;
  found = false;
  do
  :: atomic { arrivals > 0 && !locked -> arrivals--; delivered++; found = true; assert(!all_have_come || outsiders == 0) }  /* code: context::take_arrival */
  :: atomic { arrivals == 0 && !locked } -> break
  od
}

inline wait_for() {  /* code: context::wait_for */
  atomic { !runs -> runs = true };
  stopped = false;
  atomic { !locked -> sleeps = arrivals == 0 && !interrupted };  /* code: context::may_sleep */
  if
  :: sleeps ->
end_asleep:
     atomic {
       (stopped || something_is_ready) && !locked ->
       if
       :: stopped
       :: else -> run_handler()
       fi
     }
  :: else
  fi;
  atomic { !locked -> interrupted = false; found = arrivals > 0 };  /* code: context::end_sleep */
  atomic { slept_well = sleeps && found; sleeps = false };
  runs = false
}

proctype worker(byte me) {
  bool found, may_end, sleeps, polls;
up:
  look();
  if
  :: found -> goto up
  :: else
  fi;
  is_parked[me] = true;
  atomic {  /* code: driver::take_duty */
#ifdef MUTANT_CHOSEN_ONE_POLLS
    polls = poller == NONE;
#else
    polls = is_parked[me] && poller == NONE;
#endif
    if
    :: polls -> poller = me
    :: else
    fi
  };
  if
  :: !polls
  :: else ->  /* code: driver::block_in_source */
     do
     :: wait_for();
        if
        :: found || token[me] -> break
        :: else
        fi
     od;
     atomic {
       poller = NONE;
       found = false;
       polls = false;
       if
       :: is_parked[me] -> is_parked[me] = false; goto up  /* it unparks itself */
       :: else
       fi
     }
  fi;
end_parked:
  atomic { token[me] -> token[me] = false };
  goto up
}

/* A thread that has published work elsewhere wakes any one sleeper, if there is one. */
proctype waker() {  /* code: parking_lot::pop_sleeper, parking_lot::unpark */
  bool polls;
  byte target, left = WAKES;
  do
  :: left == 0 -> break
  :: left > 0 ->
     atomic {
       left--;
       target = 0;
       do
       :: target < WORKERS - 1 -> target++
       :: break
       od;
       if
       :: is_parked[target] -> is_parked[target] = false; polls = poller == target
       :: else -> target = NONE
       fi
     };
     if
     :: target == NONE
     :: else ->
        atomic { token[target] = true; target = NONE };
        if
        :: polls -> interrupt(); polls = false
        :: else
        fi
     fi
  od
}

proctype outsider() {  /* code: context::pass_on_from_outside */
  atomic { !locked -> locked = true; outsiders++; arrivals++ };
#ifdef MUTANT_OUTSIDER_TELLS_NOBODY
  atomic { outsiders--; locked = false }
#else
#ifdef MUTANT_OUTSIDER_TELLS_LATE
  locked = false;
  interrupt();
  outsiders--
#else
  interrupted = true;
  stopped = true;
  atomic { outsiders--; locked = false }
#endif
#endif
}

init {
  byte n = 0;
  atomic {
    do
    :: n < WORKERS -> run worker(n); n++
    :: else -> break
    od;
    run waker();
    n = 0;
    do
    :: n < FROM_OUTSIDE -> run outsider(); n++
    :: else -> break
    od;
    n = 0
  };
  do
  :: n < OPERATIONS -> completed++; n++
  :: else -> break
  od
}

/* If no process can take a step, all completions have come and each woken worker is up. */
active proctype monitor() {
  timeout -> assert(all_have_come && !token[0] && !token[1] && !token[WORKERS - 1])
}

ltl all_come { <> all_have_come }
