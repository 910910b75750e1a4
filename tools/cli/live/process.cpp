#include <filch/sched/pool/read_metrics.hpp>
#include <fmt/format.h>
#include <tools/cli/live/process.hpp>
#include <tools/cli/report.hpp>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <map>
#include <system_error>

namespace filch::cli {

namespace {

// More are not from a pool, whatever lies in the file
constexpr std::uint32_t most_workers = 1u << 16;

}  // namespace

std::optional<trace::segment_view> find_process(std::int64_t process_id) {
  try {
    return std::make_optional<trace::segment_view>(trace::segment_path(process_id));
  } catch (const std::system_error& refused) {
    if (refused.code() == std::errc::no_such_file_or_directory) return std::nullopt;
    throw;
  }
}

std::string not_recording_text(std::int64_t process_id) {
  return fmt::format(
      "process {} does not record; begin it with FILCH_TRACE=FILE, or open a filch::trace_session "
      "in it (`filch snapshot` "
      "lists "
      "processes that record)",
      process_id);
}

std::string program_of(const trace::segment_view& segment) {
  const auto& name = segment.header().program;
  return name_text({name.begin(), std::ranges::find(name, '\0')});
}

std::vector<metrics_snapshot> metrics_of(const trace::counted_process& from) {
  std::map<std::uint32_t, metrics_snapshot> pools;
  for (const trace::counted_worker& each : from.workers) {
    if (each.who.index >= most_workers) continue;
    metrics_snapshot& pool = pools[each.who.pool];
    pool.pool = each.who.pool;
    pool.slot_count = each.slot_count;
    pool.ready_jobs += each.ready_jobs;
    if (pool.workers.size() <= each.who.index) pool.workers.resize(each.who.index + 1);
    pool.workers[each.who.index] =
        sched::read_metrics(each.counters, from.now_ticks, from.ns_per_tick * 1e-9);
    pool.total += pool.workers[each.who.index];
  }
  std::vector<metrics_snapshot> made;
  for (auto& [number, pool] : pools) made.push_back(std::move(pool));
  return made;
}

void add_process_argument(CLI::App& command, std::int64_t& process_id) {
  command.add_option("process", process_id, "Its number; `filch snapshot` lists those that record")
      ->type_name("PID")
      ->required()
      ->check(
          CLI::Range(std::int64_t{1}, std::numeric_limits<std::int64_t>::max()).description(""));
}

}  // namespace filch::cli
