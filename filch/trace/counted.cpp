#include <filch/trace/counted.hpp>

#include <filch/base/sort_stably.hpp>
#include <filch/trace/tick_clock.hpp>

#include <algorithm>

namespace filch::inline v0_2::trace {
namespace {

// As with records: a reader that saw a word of the next owner sees that owner at its second look.
// (edge::change_hands)
bool read_row(const segment_view& segment, const row& from, counted_worker& into) {
  const std::uint64_t owner = from.hold.owner();
  const counter_snapshot* const told = segment.snapshot_of(from);
  if (owner == ownership::nobody || told == nullptr) return false;
  into.who = row_owner::unpack(owner);
  into.slot_count = static_cast<std::uint32_t>(from.slot_count.load(base::relaxed));
  into.thread = static_cast<std::int64_t>(from.thread.load(base::relaxed));
  into.ready_jobs = told->ready_jobs.load(base::acquire<edge::change_hands>);
  auto& words = into.counters.words;
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = told->words[i].load(base::acquire<edge::change_hands>);
  // A file may hold any value; an activity must be a valid one.
  std::uint64_t& doing = words[event::counter_words::doing];
  if (doing >= event::activity_count) doing = static_cast<std::uint64_t>(event::activity::away);
  return from.hold.owner() == owner;
}

}  // namespace

counted_process read_counted(const segment_view& segment) {
  counted_process read;
  const segment_header& header = segment.header();
  read.is_alive = segment.is_alive();
  read.ns_per_tick = tick_clock{header}.ns_per_tick();
  // Before the words, so that a pause of ours makes no figure run ahead
  const std::uint64_t now = base::ticks();
  for (std::size_t i = 0; i < segment.row_count(); ++i) {
    counted_worker each;
    if (read_row(segment, header.rows[i], each)) read.workers.push_back(each);
  }
  base::sort_stably(read.workers, {}, [](const counted_worker& each) { return each.who.pack(); });
  const std::uint64_t ended = header.ended_ticks.load(base::relaxed);
  read.is_recording = read.is_alive && ended == 0;
  read.now_ticks = read.is_recording ? now : ended;
  if (!read.is_recording && ended == 0) {
    for (const counted_worker& each : read.workers)
      read.now_ticks =
          std::max(read.now_ticks, each.counters.words[event::counter_words::since_ticks]);
  }
  return read;
}

}  // namespace filch::trace
