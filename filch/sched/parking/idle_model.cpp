// The idle word and the small hand-overs of the scheduler, under every interleaving up to a bound.
#include <filch/testing/model/witness.hpp>

#include <filch/sched/parking/idle_state.hpp>

namespace {

using filch::base::acq_rel;
using filch::base::acquire;
using filch::base::relaxed;
using filch::base::release;
using filch::sched::edge;
using filch::testing::checked_sync;
using filch::testing::model_assert;
using filch::testing::scenario;

template <class T>
using atomic = checked_sync::atomic<T>;

/// A producer publishes a job while the only searcher parks. The queue's own size is relaxed: the
/// idle word must suffice.
struct job_while_the_last_searcher_sleeps : scenario<2> {
  filch::sched::basic_idle_state<checked_sync> idle;
  atomic<int> size{0};
  checked_sync::plain<int> contents{0};
  bool sleeps = false;
  bool is_woken = false;

  void thread(unsigned index) override { index == 0 ? produce() : fall_asleep(); }
  void produce() {
    contents.write(7);
    size.store(1, relaxed);
    is_woken = filch::policy::wakes_somebody(idle.look_after_publish());
  }
  void fall_asleep() {
    idle.begin_search();
    idle.slot_freed();
    idle.end_search();
    sleeps = size.load(relaxed) == 0;
  }
  void after() override {
    model_assert(!sleeps || is_woken, "no worker sleeps beside a job unless a wake is on its way");
  }
};

/// A timer becomes the first while the driver parks until another one is due. Both times are
/// relaxed: the idle word must suffice.
struct timer_while_the_driver_parks : scenario<2> {
  static constexpr int later = 9, sooner = 3;
  filch::sched::basic_idle_state<checked_sync> idle;
  atomic<int> first{later};
  atomic<int> driven_until{100};
  bool is_woken = false;
  bool sleeps_too_long = false;

  void thread(unsigned index) override {
    if (index == 0) {
      first.store(sooner, relaxed);
      static_cast<void>(idle.announce_work());
      is_woken = sooner < driven_until.load(relaxed);
    } else {
      const int until = first.load(relaxed);
      driven_until.store(until, relaxed);
      static_cast<void>(idle.look_after_publish());
      sleeps_too_long = until == later && first.load(relaxed) == later;  // else it parks anew
    }
  }
  void after() override {
    model_assert(!sleeps_too_long || is_woken,
                 "the driver sees the timer, or its starter sees the driver");
  }
};

/// If no slot is free the producer leaves a note. Either the thread that frees the slot sees the
/// note, or the producer sees the slot.
struct job_while_the_last_slot_is_freed : scenario<2> {
  filch::sched::basic_idle_state<checked_sync> idle;
  atomic<int> size{0};
  bool is_woken = false;
  bool is_seen = false;

  void thread(unsigned index) override {
    if (index == 0) {
      size.store(1, relaxed);
      is_woken = filch::policy::wakes_somebody(idle.announce_work());
    } else if (idle.slot_freed().work_waits) {
      is_seen = size.load(relaxed) == 1;
    }
  }
  void after() override {
    model_assert(is_woken || is_seen,
                 "a job that found every slot taken is found by the thread that frees one");
  }
};

/// Two producers find no slot free, and the second perhaps the first one's note. The thread that
/// frees the slot clears the note and then looks.
struct jobs_while_the_last_slot_is_freed : scenario<3> {
  filch::sched::basic_idle_state<checked_sync> idle;
  atomic<int> size[2]{};
  bool is_found[2]{};

  void thread(unsigned index) override {
    if (index < 2) {
      size[index].store(1, relaxed);
      if (filch::policy::wakes_somebody(idle.announce_work())) is_found[index] = true;
    } else if (idle.slot_freed().work_waits) {
      idle.waiting_work_seen();
      for (unsigned i = 0; i < 2; ++i) seen_by_giver[i] = size[i].load(relaxed) == 1;
    }
  }
  void after() override {
    for (unsigned i = 0; i < 2; ++i)
      model_assert(is_found[i] || seen_by_giver[i],
                   "each job that found every slot taken is found by the thread that frees one");
  }
  bool seen_by_giver[2]{};
};

/// A worker leaves a job to the backup poller, which then ceases to be that. `Leave` says how: when
/// it ends its search with the job in its queue, or when it makes the job ready.
template <class Leave>
struct job_while_the_backup_poller_leaves : scenario<2> {
  filch::sched::basic_idle_state<checked_sync> idle;
  atomic<int> size{0};
  bool is_woken = false;
  bool is_seen = false;

  job_while_the_backup_poller_leaves() {
    idle.slot_freed(), idle.backup_poller_comes(), Leave::before(idle);
  }
  void thread(unsigned index) override {
    if (index == 0) {
      size.store(1, relaxed);
      is_woken = !Leave::has_backup_poller(idle);
    } else {
      idle.backup_poller_leaves();
      is_seen = size.load(relaxed) == 1;
    }
  }
  void after() override {
    model_assert(is_woken || is_seen, "a job left to the backup poller is seen by its last look");
  }
};
struct by_making_it_ready {
  static void before(auto&) {}
  static bool has_backup_poller(auto& idle) { return idle.announce_work().has_backup_poller; }
};
struct by_ending_a_search {
  static void before(auto& idle) { idle.begin_search(); }
  static bool has_backup_poller(auto& idle) {
    idle.end_search();
    return idle.peek().has_backup_poller;
  }
};
using job_made_ready_while_the_backup_poller_leaves =
    job_while_the_backup_poller_leaves<by_making_it_ready>;
using job_left_while_the_backup_poller_leaves =
    job_while_the_backup_poller_leaves<by_ending_a_search>;

/// A worker is built and put into the table; another thread finds it there.
struct worker_put_into_the_table : scenario<2> {
  checked_sync::plain<int> worker{0};
  atomic<int> created{0};
  void thread(unsigned index) override {
    if (index == 0) {
      worker.write(1);
      created.store(1, release<edge::enlist>);
    } else if (created.load(acquire<edge::enlist>) == 1) {
      model_assert(worker.read() == 1, "a thread that finds a worker finds it built");
    }
  }
};

/// A new thief writes its name into the entry it stole; the owner follows the name.
struct thief_found_by_its_name : scenario<2> {
  checked_sync::plain<int> worker{0};
  atomic<int> thief{0};
  void thread(unsigned index) override {
    if (index == 0) {
      worker.write(1);
      thief.store(1, release<edge::named_thief>);
    } else if (thief.load(acquire<edge::named_thief>) == 1) {
      model_assert(worker.read() == 1,
                   "a helper that follows an entry to its thief finds it built");
    }
  }
};

/// The group and a ticket let go of shared state; the last one frees it.
struct last_user_frees : scenario<2> {
  checked_sync::plain<int> state{0};
  atomic<int> users{2};
  void thread(unsigned index) override {
    if (index == 0) state.write(1);
    if (users.fetch_sub(1, acq_rel<edge::last_user>) == 1) state.write(2);
  }
};

TEST(idle_model, job_while_the_last_searcher_sleeps) {
  EXPECT_TRUE(filch::testing::holds<job_while_the_last_searcher_sleeps>());
}
TEST(idle_model, job_while_the_last_slot_is_freed) {
  EXPECT_TRUE(filch::testing::holds<job_while_the_last_slot_is_freed>());
}
TEST(idle_model, jobs_while_the_last_slot_is_freed) {
  EXPECT_TRUE(filch::testing::holds<jobs_while_the_last_slot_is_freed>());
}
TEST(idle_model, timer_while_the_driver_parks) {
  EXPECT_TRUE(filch::testing::holds<timer_while_the_driver_parks>());
}
TEST(idle_model, job_made_ready_while_the_backup_poller_leaves) {
  EXPECT_TRUE(filch::testing::holds<job_made_ready_while_the_backup_poller_leaves>());
}
TEST(idle_model, job_left_while_the_backup_poller_leaves) {
  EXPECT_TRUE(filch::testing::holds<job_left_while_the_backup_poller_leaves>());
}
TEST(idle_model, worker_put_into_the_table) {
  EXPECT_TRUE(filch::testing::holds<worker_put_into_the_table>());
}
TEST(idle_model, thief_found_by_its_name) {
  EXPECT_TRUE(filch::testing::holds<thief_found_by_its_name>());
}
TEST(idle_model, last_user_frees) { EXPECT_TRUE(filch::testing::holds<last_user_frees>()); }

WITNESS(edge::announce, "either the producer sees the sleeper or the sleeper sees the job",
        job_while_the_last_searcher_sleeps, job_while_the_last_slot_is_freed,
        timer_while_the_driver_parks, job_made_ready_while_the_backup_poller_leaves,
        job_left_while_the_backup_poller_leaves);
WITNESS(edge::enlist, "a thread that finds a worker in the table finds it built",
        worker_put_into_the_table);
WITNESS(edge::named_thief, "a helper that follows an entry to its thief finds it built",
        thief_found_by_its_name);
WITNESS(edge::last_user, "memory is freed after its last use", last_user_frees);

}  // namespace
