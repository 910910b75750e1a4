#include <filch/base/process_stat.hpp>
#include <filch/base/text_file.hpp>
#include <filch/span/text.hpp>
#include <fmt/format.h>
#include <tools/cli/live/asleep.hpp>
#include <tools/cli/report.hpp>

#include <algorithm>
#include <charconv>

namespace filch::cli {

namespace {

// A share of the time: the kernel counts the time of running threads at its own ticks
constexpr double worth_telling = 0.05;

std::size_t place_of(event::activity what) noexcept {
  return static_cast<std::size_t>(std::ranges::find(shown_states, what, &shown_state::what) -
                                  shown_states.begin());
}

std::string waits_in(std::int64_t process_id, std::int64_t thread) {
  const std::string folder = fmt::format("/proc/{}/task/{}/", process_id, thread);
  const auto stat = base::read_process_stat(folder + "stat");
  if (!stat || (stat->state != 'S' && stat->state != 'D')) return {};
  const std::string call = base::read_text(folder + "syscall").text;
  std::int64_t number = -1;
  const bool is_known =
      std::from_chars(call.data(), call.data() + call.size(), number).ec == std::errc{} &&
      number >= 0;
  if (!is_known) return stat->state == 'D' ? "input or output" : "the kernel";
  const std::string_view what = base::purpose_of_system_call(number);
  return what.empty() ? fmt::format("system call {}", number) : std::string{what};
}

}  // namespace

thread_looks look_at_threads(std::int64_t process_id, const trace::counted_process& now) {
  thread_looks made;
  for (const trace::counted_worker& each : now.workers) {
    if (each.thread == 0) continue;
    made[each.who.pack()] = {trace::times_of(process_id, each.thread),
                             waits_in(process_id, each.thread)};
  }
  return made;
}

void tell_sleep(process_load& of, const thread_looks& before, const thread_looks& now) {
  const std::size_t working = place_of(event::activity::working),
                    blocked = place_of(event::activity::blocked);
  double all = 0;
  std::string where;
  for (worker_load& each : of.workers) {
    const auto from = before.find(each.who.pack()), to = now.find(each.who.pack());
    if (from == before.end() || to == now.end() || to->second.times.on_cpu_ns == 0) continue;
    const auto awake_ns =
        static_cast<double>(to->second.times.on_cpu_ns - from->second.times.on_cpu_ns) +
        static_cast<double>(to->second.times.run_delay_ns - from->second.times.run_delay_ns);
    auto& shares = each.since.shares;
    const double active = shares[working] + shares[place_of(event::activity::searching)] +
                          shares[place_of(event::activity::waiting)];
    const double asleep = std::min(shares[working], active - awake_ns * 1e-9 / of.seconds);
    if (asleep < worth_telling) continue;
    each.asleep = asleep;
    if (each.doing == event::activity::working) each.waits_in = to->second.waits_in;
    if (where.empty()) where = each.waits_in;
    shares[working] -= asleep;
    shares[blocked] += asleep;
    const double weight = 1.0 / static_cast<double>(of.workers.size());
    of.total.shares[working] -= asleep * weight;
    of.total.shares[blocked] += asleep * weight;
    all += asleep;
  }
  const double share = of.slot_count == 0 ? 0 : all / static_cast<double>(of.slot_count);
  if (share < 0.5) return;
  of.judged.sentence =
      fmt::format("Jobs sleep in the kernel and keep their slots: {} of the time went that way.{}",
                  span::percent_text(share), where.empty() ? "" : " Now in " + where + ".");
}

}  // namespace filch::cli
