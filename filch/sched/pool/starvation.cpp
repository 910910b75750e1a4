#include <filch/sched/pool/starvation.hpp>

#include <filch/base/panic.hpp>
#include <filch/sched/pool/pool_state.hpp>
#include <filch/trace/process_files.hpp>
#include <filch/trace/symbols.hpp>

#include <unistd.h>

#include <algorithm>
#include <map>

namespace filch::inline v0_2 {
namespace sched {
namespace {

std::string name_and_place(const event::call_site& site) {
  event::call_site in_file = site;
  in_file.name.clear();
  return site.name.empty() ? event::text_of(in_file)
                           : site.name + " (" + event::text_of(in_file) + ")";
}

// The call lies before the address at which its caller goes on.
event::call_site call_before(const void* at) {
  event::call_site site;
  site.address = reinterpret_cast<std::uintptr_t>(at) - 1;
  return site;
}

}  // namespace

std::string name_of(const void* at) {
  std::vector<event::call_site> sites{call_before(at)};
  trace::name_sites(sites, trace::executable_lines(::getpid()));
  return name_and_place(sites.front());
}

std::uint64_t pool_state::jobs_begun() const noexcept {
  std::uint64_t count = 0;
  for (unsigned i = 0; i < threads().worker_count(); ++i)
    count += threads().at(i).reports.counters.count(event::kind::job_run);
  return count;
}

std::vector<waiting_threads> pool_state::waiting() const {
  std::map<const void*, std::uint64_t> counts;
  for (unsigned i = 0; i < threads().worker_count(); ++i) {
    if (const void* const where = threads().at(i).waits_at(); where != nullptr) ++counts[where];
  }
  std::vector<event::call_site> sites;
  for (const auto& [where, count] : counts) sites.push_back(call_before(where));
  trace::name_sites(sites, trace::executable_lines(::getpid()));
  std::vector<waiting_threads> found;
  auto site = sites.begin();
  for (const auto& [where, count] : counts) found.push_back({name_and_place(*site++), count});
  std::ranges::sort(found, [](const waiting_threads& a, const waiting_threads& b) {
    return a.count != b.count ? a.count > b.count : a.where < b.where;
  });
  return found;
}

bool pool_state::is_starved() const noexcept {
  return wants().detached_waits() && !parking().is_in_use(parking().idle().peek());
}

void pool_state::report_starvation() noexcept {
  const bool is_first = starvations_.fetch_add(1, base::relaxed) == 0;
  FILCH_TRY {
    const starvation_report found{number, threads().thread_count(), waiting()};
    if (options.on_starvation != nullptr) return options.on_starvation(found);
    if (is_first) base::last_words(to_string(found).c_str());
  }
  FILCH_CATCH_ALL {}  // no memory: the counter tells
}

}  // namespace sched

std::string to_string(const starvation_report& of) {
  const std::string threads =
      of.thread_count == 1 ? "its one thread has"
                           : "all of its " + std::to_string(of.thread_count) + " threads have";
  std::string text =
      "pool " + std::to_string(of.pool) + " is starved: for a second " + threads +
      " waited, jobs are queued, and no thread is left to begin them. Threads wait in";
  for (const waiting_threads& each : of.waiting)
    text += "\n  " + std::to_string(each.count) + " x " + each.where;
  return text +
         "\nWait in a coroutine (co_await), which needs no thread, or raise "
         "pool_options::max_spares.";
}

}  // namespace filch
