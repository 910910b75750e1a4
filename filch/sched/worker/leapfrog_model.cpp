// Leapfrogging under every interleaving: a stalled join takes nothing but descendants of the job
// that it waits for.
#include <filch/testing/model/witness.hpp>

#include <filch/sched/worker/leapfrog.hpp>

#include <array>

namespace filch::inline v0_2::queue {

/// For the checker's histories.
inline std::ostream& operator<<(std::ostream& out, request asked) {
  return out << static_cast<std::uint32_t>(asked);
}

}  // namespace filch::queue

namespace {

using filch::testing::checked_sync;
using filch::testing::holds;
using filch::testing::model_assert;
using filch::testing::scenario;

/// A job that knows which root it descends from.
struct descendant {
  checked_sync::plain<char> root;
  checked_sync::plain<int> run_count;
  void become(char of) {
    root.write(of);
    run_count.write(0);
  }
};

/// A worker reduced to its forks and to what it publishes for helpers.
struct helper {
  using leapfrog = filch::sched::basic_leapfrog<checked_sync>;
  using entry = leapfrog::entry;

  helper() { forks.adopt(entries.data(), entries.size(), false); }

  leapfrog::fork_stack forks;
  std::array<entry, 2> entries;
  leapfrog told{forks, 0};

  void fork(descendant& job) {
    forks.push(forks.bottom(), {nullptr, &job});
    static_cast<void>(forks.expose());
  }
  /// Takes its youngest job back, unless that is stolen.
  bool join() {
    entry* const at = forks.bottom() - 1;
    if (forks.pop_private(at) || forks.settle(at) == filch::queue::pop_outcome::popped) return true;
    forks.occupy(at);
    return false;
  }
  /// Frees the entry of a stolen job that is done.
  bool finish_join() {
    entry* const at = forks.bottom() - 1;
    if (!at->is_done()) return false;
    forks.release(at);
    return true;
  }
  entry* begin(entry* taken) {
    entry* const before = told.begin(taken);
    descendant& job = job_of(taken);
    job.run_count.write(job.run_count.read() + 1);
    return before;
  }
  void complete(entry* taken, entry* before) {
    told.go_back_to(before);
    static_cast<void>(taken->complete());
  }
  static descendant& job_of(entry* taken) {
    return *static_cast<descendant*>(taken->environment.read());
  }
};

/// Owner 0 forked A. The test itself forked B, which descends from no other job. A thread that
/// waits for A helps only with A.
template <int Threads>
struct waiting_for_a : scenario<Threads> {
  static constexpr unsigned preemption_bound = Threads == 2 ? ~0U : 3;
  helper owner, thief, stranger;
  descendant a, b, below_a, below_b;

  waiting_for_a() {
    a.become('A');
    b.become('B');
    owner.fork(a);
    stranger.fork(b);
  }
  void help(bool by_force) {
    const auto taken = owner.told.help(owner.entries.data(), by_force);
    if (taken.job == nullptr) return;
    model_assert(helper::job_of(taken.job).root.read() == 'A',
                 "a wait runs only descendants of what it waits for");
    owner.complete(taken.job, owner.begin(taken.job));
  }
  void after() override {
    for (const descendant* each : {&a, &b, &below_a, &below_b})
      model_assert(each->run_count.read() <= 1, "no job runs twice");
  }
};

/// The thief of A forks below it, finishes, steals B, and forks again, in the same entry.
template <bool Exposes>
struct thief_goes_on : waiting_for_a<2> {
  void thread(unsigned index) override {
    if (index == 0) {
      if (owner.join()) return;
      help(!Exposes);
      help(!Exposes);
    } else if (run(owner, below_a, 'A')) {
      run(stranger, below_b, 'B');
    }
  }
  /// Steals from `victim`, forks `below` and joins it. False: there was no job, or the join stalls.
  bool run(helper& victim, descendant& below, char root) {
    helper::entry* const taken = victim.forks.steal();
    if (taken == nullptr) return false;
    helper::entry* const before = thief.begin(taken);
    below.become(root);
    thief.forks.push(thief.forks.bottom(), {nullptr, &below});
    if (Exposes) static_cast<void>(thief.forks.expose());
    if (!thief.join() && !thief.finish_join()) return false;
    thief.complete(taken, before);
    return true;
  }
};

/// The thief of A forks below it, finishes, and runs two jobs that were not forked, which fork in
/// the same entry.
struct thief_takes_submitted_jobs : waiting_for_a<2> {
  void thread(unsigned index) override {
    if (index == 0) {
      if (owner.join()) return;
      help(true);
      help(true);
    } else if (run_stolen()) {
      run_submitted(below_b);
      run_submitted(b);
    }
  }
  bool run_stolen() {
    helper::entry* const taken = owner.forks.steal();
    if (taken == nullptr) return false;
    helper::entry* const before = thief.begin(taken);
    below_a.become('A');
    thief.fork(below_a);
    if (!thief.join() && !thief.finish_join()) return false;
    thief.complete(taken, before);
    return true;
  }
  void run_submitted(descendant& below) {
    thief.told.begin(nullptr);
    below.become('B');
    thief.fork(below);
    static_cast<void>(thief.join());
  }
};

/// The thief of A waits for a job below it that a second thief stole, which forks again. Then the
/// second thief completes it; the first completes A, steals B, and forks in the same entry, which
/// the second steals again. A and B are stolen before it begins.
struct chain_of_thieves : waiting_for_a<3> {
  static constexpr unsigned context_bound = 2;
  helper second;
  descendant far_below_a, far_below_b;
  helper::entry* const stolen_a = owner.forks.steal();
  helper::entry* const stolen_b = stranger.forks.steal();

  void thread(unsigned index) override {
    switch (index) {
      case 0: return help(true);
      case 1:
        if (run_and_wait(stolen_a, below_a, 'A')) run_and_wait(stolen_b, below_b, 'B');
        return;
      default:
        if (rob_the_thief(far_below_a)) rob_the_thief(far_below_b);
    }
  }
  /// Forks and leaves the job to the second thief. False: the second thief has not taken it, or not
  /// finished it.
  bool run_and_wait(helper::entry* taken, descendant& below, char root) {
    helper::entry* const before = thief.begin(taken);
    below.become(root);
    thief.fork(below);
    helper::entry* const outer = thief.told.wait_for(thief.entries.data());
    if (!thief.finish_join()) return false;
    thief.told.wait_for(outer);
    thief.complete(taken, before);
    return true;
  }
  bool rob_the_thief(descendant& below) {
    helper::entry* const taken = thief.forks.steal();
    if (taken == nullptr) return false;
    helper::entry* const before = second.begin(taken);
    below.become(helper::job_of(taken).root.read());
    second.fork(below);
    if (!second.join()) return false;
    second.complete(taken, before);
    return true;
  }
};

}  // namespace

TEST(leapfrog_model, a_wait_takes_nothing_of_a_thief_that_went_on) {
  EXPECT_TRUE(holds<thief_goes_on<true>>());
}
TEST(leapfrog_model, a_wait_forces_nothing_from_a_thief_that_went_on) {
  EXPECT_TRUE(holds<thief_goes_on<false>>());
}
TEST(leapfrog_model, a_wait_takes_nothing_of_what_its_thief_runs_next) {
  EXPECT_TRUE(holds<thief_takes_submitted_jobs>());
}
TEST(leapfrog_model, a_wait_follows_a_chain_of_thieves_to_its_own) {
  EXPECT_TRUE(holds<chain_of_thieves>());
}
