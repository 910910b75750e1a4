// The account is exact for any recording: slots that change hands or are claimed twice, lost
// begins, several pools, workers that appear late, run delays, sleeps and forks of any cost, and
// invalid records.
#include <filch/base/rng.hpp>
#include <filch/span/budget.hpp>
#include <filch/span/scene_test.hpp>
#include <filch/span/verdict.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

namespace {

using namespace filch::span;
using filch::base::below;
using filch::base::split_mix64;
using filch::event::activity;
using filch::event::kind;
using filch::event::ready_work;

constexpr std::uint64_t recordings = 10'000;

/// Lets random workers take a possible next step, so that at most one holds a slot until it reports
/// that it has left it.
class random_run {
 public:
  explicit random_run(std::uint64_t seed) : random_{seed} {}

  filch::event::recording make() {
    scene made{0, 0};
    const std::uint32_t pools = 1 + draw(3);
    for (std::uint32_t p = 0; p < pools; ++p) {
      slots_.push_back(1 + draw(4));
      holder_.emplace_back(slots_.back(), nobody);
      const std::uint32_t workers = 1 + draw(6), first = made.add_pool(slots_.back(), workers);
      for (std::uint32_t w = 0; w < workers; ++w)
        workers_.push_back({.pool = p + 1, .index = w, .number = first + w});
    }
    std::int64_t now = 0;
    for (std::uint32_t step = 0, steps = draw(200); step < steps; ++step) {
      now += draw(4) == 0 ? 0 : draw(5000);
      act(made, now, workers_[draw(static_cast<std::uint32_t>(workers_.size()))]);
    }
    for (const person& who : workers_) {
      if (draw(3) == 0) made.lose_until(draw(static_cast<std::uint32_t>(now) + 2), who.number);
    }
    for (int i = 0; i < 7; ++i) made.site("");
    filch::event::recording recorded = made.end(now + draw(3000));
    if (draw(2) == 0) recorded.fork_ps = draw(3) == 0 ? draw(1'000'000'000) : draw(100'000);
    if (draw(8) == 0) recorded.analyzed = some_analysis();
    return recorded;
  }

 private:
  static constexpr std::uint32_t nobody = ~0u;
  struct person {
    std::uint32_t pool, index, number;
    activity doing = activity::away;
    std::uint16_t slot = scene::no_slot;
  };

  std::uint32_t draw(std::uint32_t bound) { return below(random_(), bound); }
  filch::analysis::result some_analysis() {
    filch::analysis::result made;
    made.forks = draw(1000);
    made.fork_overhead_ns = draw(3) == 0 ? 1e18 : draw(100'000);
    return made;
  }

  void act(scene& made, std::int64_t now, person& who) {
    if (draw(50) == 0) return say_nonsense(made, now, who);
    if (who.slot == scene::no_slot && !take_slot(who)) return sleep_on(made, now, who);
    switch (draw(9)) {
      case 0: return leave(made, now, who);
      case 1: return say(made, now, who, kind::run_delayed, {.amount = draw(8)});
      case 2: return say(made, now, who, kind::slept_in_job, {.amount = draw(8)});
      case 3:
        return say(made, now, who, kind::wake_sent, {.other = static_cast<std::uint16_t>(draw(8))});
      case 4:
        return say(made, now, who, draw(2) == 0 ? kind::steal_tried : kind::steal_lost,
                   {.other = 0});
      case 5:
        who.doing = activity::working;
        return say(made, now, who, kind::job_run, {.amount = draw(3)});
      case 6: return say(made, now, who, kind::join_stalled, {});
      case 7:
        return say(made, now, who, kind::job_changed,
                   {.other = static_cast<std::uint16_t>(draw(6)), .amount = draw(3)});
      default:
        who.doing = static_cast<activity>(1 + draw(3));
        return say(made, now, who, kind::state_changed, {});
    }
  }
  // Sometimes others can take the slot before its old holder reports that it left.
  void leave(scene& made, std::int64_t now, person& who) {
    if (holder_[who.pool - 1][who.slot] == who.number) holder_[who.pool - 1][who.slot] = nobody;
    if (draw(3) == 0) return;
    who.slot = scene::no_slot;
    who.doing = draw(2) == 0 ? activity::parked : activity::blocked;
    say(made, now, who, kind::state_changed, {.ready = static_cast<ready_work>(draw(3))});
  }
  bool take_slot(person& who) {
    auto& holders = holder_[who.pool - 1];
    const std::uint32_t wanted = draw(static_cast<std::uint32_t>(holders.size()));
    if (holders[wanted] != nobody) return false;
    holders[wanted] = who.number;
    who.slot = static_cast<std::uint16_t>(wanted);
    who.doing = activity::searching;
    return true;
  }
  void sleep_on(scene& made, std::int64_t now, person& who) {
    say(made, now, who, draw(2) == 0 ? kind::run_delayed : kind::state_changed,
        {.amount = draw(20), .ready = static_cast<ready_work>(draw(3))});
  }
  void say_nonsense(scene& made, std::int64_t now, const person& who) {
    made.say(now, who.number, static_cast<kind>(draw(20)), static_cast<activity>(draw(8)),
             static_cast<std::uint16_t>(draw(8)),
             {.other = static_cast<std::uint16_t>(draw(9)), .amount = draw(8)});
  }
  static void say(scene& made, std::int64_t now, const person& who, kind what, detail more) {
    made.say(now, who.number, what, who.doing, who.slot, more);
  }

  split_mix64 random_;
  std::vector<std::uint32_t> slots_;
  std::vector<std::vector<std::uint32_t>> holder_;
  std::vector<person> workers_;
};

void add(budget& sum, const budget& part) {
  for (std::size_t i = 0; i < use_count; ++i) sum.spent_ns[i] += part.spent_ns[i];
}

bool has(time_range when, std::int64_t at_ns) {
  return when.begin_ns <= at_ns && at_ns < when.end_ns;
}

/// Counts the slots at one instant over all intervals, and checks that each has at most one holder.
void expect_all_slots_at(const timeline& t, std::int64_t at_ns) {
  std::vector<unsigned> holders(t.slot_count);
  std::size_t counted = 0;
  for (const interval& s : t.intervals) {
    if (!s.holds_slot() || !has(s.when, at_ns)) continue;
    ++counted;
    EXPECT_EQ(++holders.at(s.slot), 1u);
  }
  for (const vacancy& v : t.vacancies) counted += has(v.when, at_ns) ? v.slot_count() : 0;
  EXPECT_EQ(counted, t.slot_count) << "at " << at_ns;
}

void expect_sensible_verdict(const filch::event::recording& recorded, std::uint32_t pool) {
  ASSERT_EQ(find_fault(recorded), "");
  const observation seen = observe(recorded, pool);
  std::int64_t delayed_without_job = 0;
  for (const interval& s : seen.laid_out.intervals) {
    const bool is_idle = s.what == state::searching || s.what == state::stealing;
    if (is_idle && s.holds_slot()) delayed_without_job += s.run_delay_ns;
  }
  EXPECT_EQ(seen.idleness.total_ns(), seen.spent.idle_ns() + delayed_without_job);
  const verdict v = judge(recorded, seen);
  EXPECT_FALSE(v.sentence.empty());
  for (const finding& f : v.findings)
    EXPECT_TRUE(f.cost > 0 && f.cost <= 2) << name_of(f.what) << " " << f.cost;
}

void expect_balance(const filch::event::recording& recorded, std::uint32_t pool,
                    split_mix64& random) {
  const timeline t = lay_out(recorded, pool);
  const budget whole = account_of(t);
  EXPECT_EQ(whole.total_ns(), t.slot_count * t.length_ns);
  for (const std::int64_t spent : whole.spent_ns) EXPECT_GE(spent, 0);
  const auto somewhere = [&] {
    return static_cast<std::int64_t>(below(random(), static_cast<std::uint32_t>(t.length_ns) + 1));
  };
  const std::int64_t first = somewhere(), second = std::max(first, somewhere());
  budget sum;
  for (const time_range part : {time_range{0, first}, {first, second}, {second, t.length_ns}}) {
    const budget of_part = account_of(t, part);
    for (const std::int64_t spent : of_part.spent_ns) EXPECT_GE(spent, 0);
    add(sum, of_part);
  }
  EXPECT_EQ(sum.spent_ns, whole.spent_ns) << "cut at " << first << " and " << second;
  if (t.length_ns > 0) expect_all_slots_at(t, std::min(first, t.length_ns - 1));
  accounts_of_workers(t, recorded.workers.size(), {first, second});  // asserts its own balance
  for (const job& each : t.jobs) EXPECT_LE(each.when.begin_ns, each.when.end_ns);
  expect_sensible_verdict(recorded, pool);
}

TEST(budget_fuzz, balances_to_the_nanosecond_on_ten_thousand_random_recordings) {
  const char* const given = std::getenv("FILCH_SEED");
  const std::uint64_t first = given == nullptr ? 1 : std::strtoull(given, nullptr, 10);
  std::uint64_t balanced = 0, pools = 0;
  for (std::uint64_t seed = first; seed < first + recordings; ++seed) {
    const auto recorded = random_run{seed}.make();
    split_mix64 random{~seed};
    for (std::uint32_t pool = 0; pool < recorded.pools.size(); ++pool, ++pools)
      expect_balance(recorded, pool, random);
    if (HasFailure()) FAIL() << "replay: FILCH_SEED=" << seed << " ctest -R budget_fuzz";
    ++balanced;
  }
  EXPECT_GE(pools, recordings) << "recordings without pools balance by themselves";
  std::cout << R"(evidence: {"kind": "random", "name": "budget of a recording", "seeds": )"
            << balanced << R"(, "pools": )" << pools << "}\n";
}

}  // namespace
