#include <filch/sched/pool/stop.hpp>

#include <filch/base/exceptions.hpp>
#include <filch/base/panic.hpp>
#include <filch/base/simulation.hpp>
#include <filch/base/steady_time.hpp>
#include <filch/base/thread.hpp>
#include <filch/sched/pool/pool_state.hpp>
#include <filch/sched/worker/external_scope.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace filch::inline v0_2 {
namespace sched {

void pool_state::add_stoppable(stoppable& begun) noexcept {
  const worker* const here = worker_here();
  stoppables_.add(begun, here == nullptr ? 0 : here->index);
}

stop_report pool_state::stop(std::uint64_t deadline_ns, std::uint64_t grace_ns) {
  const blocking_region leave;  // if a job of another pool calls, its slot is free meanwhile
  const std::uint64_t discarded_before = jobs().discarded_count();
  admits().refuse_outsiders();
  await_jobs_until(deadline_ns);
  admits().request_stop();
  stoppables_.ask_all();  // even if all have ended: a thread inside `run` may still begin a task
  await_jobs_until(std::min(grace_ns, base::latest_ns - base::now_ns()) + base::now_ns());
  const unfinished_jobs::summary now = jobs().summarize();
  stop_report report;
  report.abandoned = now.left;
  report.discarded = now.discarded - discarded_before;
  if (report.abandoned != 0) {
    name_stoppables(report);
    report.waiting = waiting();
  }
  return report;
}

// Gives a thread to a pool that has jobs but never got one: this thread touches no queue. Tickets
// of groups may be left there. `ask_all` is not called under this lock: stop callbacks may call
// `stop`.
void pool_state::await_jobs_until(std::uint64_t until_ns) noexcept {
  base::lock_guard guard{stopping_};
  if (!jobs().have_all_ended() && threads().thread_count() == 0) threads().try_start(nullptr);
  jobs().await_until(until_ns);
}

void pool_state::name_stoppables(stop_report& in) {
  std::set<const void*> seen;
  std::map<std::string_view, std::uint64_t> counts;
  stoppables_.for_each([&](const void* work, const char* name) {
    if (seen.insert(work).second) ++counts[name];
  });
  for (const auto& [name, count] : counts) in.named.push_back({std::string{name}, count});
  std::ranges::sort(in.named, [](const auto& a, const auto& b) {
    return a.count != b.count ? a.count > b.count : a.function < b.function;
  });
}

namespace {

/// " (2 session, 1 other)": the abandoned ones by name.
std::string names_text(const stop_report& of) {
  std::string line;
  std::uint64_t unnamed = of.abandoned;
  const char* before = " (";
  const auto add = [&](std::uint64_t count, const std::string& what) {
    line += before + std::to_string(count) + " " + what;
    before = ", ";
  };
  for (const stop_report::tasks& each : of.named) {
    add(each.count, each.function);
    unnamed -= std::min(unnamed, each.count);
  }
  if (unnamed != 0) add(unnamed, of.named.empty() ? "without a name" : "others");
  return of.abandoned == 0 ? line : line + ")";
}

/// ", 1 waits in main (program+0x12f0)", for each place.
std::string waiting_text(const stop_report& of) {
  std::string line;
  for (const waiting_threads& each : of.waiting)
    line += ", " + std::to_string(each.count) + (each.count == 1 ? " waits in " : " wait in ") +
            each.where;
  return line;
}

}  // namespace

// Without this line a program that hangs here gives no reason.
void pool_state::tell_what_is_awaited() noexcept {
  FILCH_TRY {
    stop_report now;
    now.abandoned = jobs().count();
    if (now.abandoned == 0) return;
    name_stoppables(now);
    now.waiting = waiting();
    base::last_words(("the destructor of pool " + std::to_string(number) +
                      " has waited for 5 seconds and waits on: " + std::to_string(now.abandoned) +
                      " jobs or tasks have not ended" + names_text(now) + waiting_text(now) +
                      "; thread_pool::stop(deadline) asks them to")
                         .c_str());
  }
  FILCH_CATCH_ALL {}  // no memory to tell
}

}  // namespace sched

std::string to_string(const stop_report& of) {
  if (of.is_finished() && of.discarded == 0) return "everything has ended";
  return std::to_string(of.abandoned) + " abandoned" + sched::names_text(of) + ", " +
         std::to_string(of.discarded) + " discarded" + sched::waiting_text(of);
}

}  // namespace filch
