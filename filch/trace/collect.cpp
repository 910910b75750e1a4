#include <filch/trace/collect.hpp>

#include <filch/base/sort_stably.hpp>
#include <filch/topo/throttling.hpp>
#include <filch/trace/process_files.hpp>
#include <filch/trace/spool.hpp>
#include <filch/trace/symbols.hpp>
#include <filch/trace/tick_clock.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

namespace filch::inline v0_2::trace {
namespace {

/// The contents of a row for its present owner.
struct row_copy {
  row_owner owner;
  std::uint32_t slot_count = 0;
  std::int64_t thread = 0;
  std::uint64_t asked_ticks = 0;
  std::uint64_t delay_ns = 0;
  std::uint64_t first = 0;      ///< Its first item in the ring,
  std::uint64_t kept_from = 0;  ///< and the first that is not overwritten.
  std::uint64_t lost = 0;
  std::vector<event::record> starts;  ///< The states in which recording found the worker.
  /// In the order written, from `complete` on those states among them.
  std::vector<event::record> records;
};

/// False if no worker can have written it: these values are indices of tables.
bool is_record(const event::record& read) noexcept {
  return static_cast<std::size_t>(read.what) < event::kind_count &&
         static_cast<std::size_t>(read.doing) < event::activity_count &&
         static_cast<std::size_t>(read.ready) < event::ready_names.size();
}

std::vector<event::record> unpack(item_range range, const std::vector<item>& copies) {
  std::vector<event::record> records;
  records.reserve(range.size());
  for (std::uint64_t i = range.first; i < range.end; ++i) {
    const event::record each = event::record::unpack(copies[i % copies.size()]);
    if (is_record(each)) records.push_back(each);
  }
  return records;
}

std::vector<event::record> unpack(const std::vector<item>& all) {
  return unpack({0, all.size()}, all);
}

// The readers' side of a ring changes nothing, but a view has one type for both sides.
ring to_read(const word& head, const word* words, std::uint64_t places) {
  return {const_cast<word&>(head), const_cast<word*>(words), places};
}

row_copy copy_row(const segment_view& segment, const row& from) {
  row_copy copied;
  const std::uint64_t owner = from.hold.owner();
  const std::span<const word> words = segment.words_of(from);
  if (owner == ownership::nobody || words.empty()) return copied;
  copied.slot_count = static_cast<std::uint32_t>(from.slot_count.load(base::relaxed));
  copied.thread = static_cast<std::int64_t>(from.thread.load(base::relaxed));
  copied.asked_ticks = from.asked_ticks.load(base::acquire<edge::change_hands>);
  copied.delay_ns =
      from.delay_ns.load(base::relaxed);  // relaxed: `ring_writer::tell_delay` orders it
  std::vector<item> begun(from.began.size() / 2), items(words.size() / 2);
  copied.first = from.hold.first();
  const item_range starts =
      to_read(from.switched_on, from.began.data(), begun.size()).copy(0, begun.data());
  const item_range range =
      from.hold.copy_of(owner, to_read(from.head, words.data(), items.size()), items.data());
  if (from.hold.owner() != owner) return {};
  copied.owner = row_owner::unpack(owner);
  copied.kept_from = std::max(range.first, copied.first);
  copied.starts = unpack(starts, begun);
  copied.records = unpack(range, items);
  return copied;
}

bool lacks_records_since(const row_copy& row, std::uint64_t begin_ticks) {
  return row.kept_from > row.first &&
         (row.records.empty() || row.records.front().ticks > begin_ticks);
}

/// Puts records that a worker overwrote since `begin_ticks`, as far as the spool has them, before
/// those of its ring.
void complete(row_copy& copied, const spool_view* spool, std::uint64_t begin_ticks) {
  if (spool != nullptr && lacks_records_since(copied, begin_ticks)) {
    const std::vector<item> older =
        spool->before(copied.owner.pack(), copied.first, copied.kept_from, begin_ticks);
    copied.kept_from -= older.size();
    const std::vector<event::record> records = unpack(older);
    copied.records.insert(copied.records.begin(), records.begin(), records.end());
  }
  copied.lost = copied.kept_from - copied.first;
  for (const event::record& start : copied.starts) {
    const bool precedes_lost =
        copied.lost != 0 && (copied.records.empty() || start.ticks <= copied.records.front().ticks);
    if (precedes_lost) continue;  // the records in between are not known
    const auto later = std::ranges::find_if(
        copied.records, [&](const event::record& r) { return r.ticks >= start.ticks; });
    copied.records.insert(later, start);
  }
}

/// Run delay or sleep, which accrued since the kernel was last asked for the worker's.
bool tells_pause(event::kind what) noexcept {
  return what == event::kind::run_delayed || what == event::kind::slept_in_job;
}

/// Follows a worker's records and finds the times at which the kernel was asked for its pauses, as
/// records do not say since when a pause accrued. It may have been asked less often than it seems:
/// then pauses of 10 ms are taken for those of a shorter time.
class asking_points {
 public:
  /// `known_from`: the time of the first question, or of the first record; 0: older records are
  /// lost, and the time is not known.
  explicit asking_points(std::uint64_t known_from) noexcept : last_{known_from} {}

  /// The time since which the pause in `said` accrued, or 0 if not known. Call for every record, in
  /// the order written.
  std::uint64_t since(const event::record& said) noexcept {
    // Perhaps with another thread
    const bool comes = std::exchange(is_away_, said.doing == event::activity::away) && !is_away_;
    const bool ends = said.what == event::kind::state_changed &&
                      (said.doing == event::activity::parked || is_away_);
    const bool is_asked =
        comes || ends || said.what == event::kind::job_run || tells_pause(said.what);
    if (is_asked && said.ticks > last_) before_ = std::exchange(last_, said.ticks);
    return before_;
  }

 private:
  std::uint64_t last_, before_ = 0;
  bool is_away_ = false;
};

/// Builds the recording of a window in time, row by row.
class collector {
 public:
  collector(const segment_view& segment, std::uint64_t begin_ticks)
      : segment_{segment},
        header_{segment.header()},
        clock_{header_},
        is_alive_{segment.is_alive()} {
    begin_ = std::max(begin_ticks, header_.began_ticks.load(base::relaxed));
    end_ = header_.ended_ticks.load(base::relaxed);
    if (end_ == 0 && is_alive_) end_ = base::ticks();
    made_.process_id = header_.process_id;
    made_.program.assign(header_.program.data(),
                         ::strnlen(header_.program.data(), header_.program.size()));
    made_.arguments = arguments_in({header_.arguments.data(), header_.arguments.size()});
    made_.processors = header_.processors.load(base::relaxed);
    made_.sites.resize(1);
  }

  event::recording collect() {
    std::vector<row_copy> rows;
    for (std::size_t i = 0; i < segment_.row_count(); ++i) {
      rows.push_back(copy_row(segment_, header_.rows[i]));
      if (rows.back().owner.pool == 0) rows.pop_back();
    }
    complete_all(rows);
    std::erase_if(rows, [](const row_copy& each) { return each.records.empty(); });
    if (end_ == 0) {
      for (const row_copy& each : rows) end_ = std::max(end_, each.records.back().ticks);
    }
    made_.length_ns = std::max<std::int64_t>(0, clock_.between(begin_, end_));
    for (const row_copy& each : rows) add(each);
    base::sort_stably(made_.entries, {}, &event::entry::at_ns);
    made_.fork_ps = header_.fork_ps.load(base::relaxed);
    made_.reused_rings = header_.retired.load(base::relaxed);
    if (is_alive_) made_.throttled_ns = throttled_since_begin();
    name_sites(made_.sites, is_alive_ ? executable_lines(header_.process_id) : stored_lines());
    return std::move(made_);
  }

 private:
  // The spool is read after the rings: a record that is overwritten later was in the copy.
  void complete_all(std::vector<row_copy>& rows) const {
    std::optional<spool_view> spool;
    if (std::ranges::any_of(
            rows, [this](const row_copy& each) { return lacks_records_since(each, begin_); }))
      spool.emplace(header_, segment_.user());
    for (row_copy& each : rows) complete(each, spool ? &*spool : nullptr, begin_);
  }

  std::string stored_lines() const {
    return {header_.mappings.data(), ::strnlen(header_.mappings.data(), header_.mappings.size())};
  }

  // The process may be in another group than at the begin, which may have counted less.
  std::uint64_t throttled_since_begin() const {
    const std::uint64_t now_ns = topo::throttled_ns(header_.process_id),
                        then_ns = header_.throttled_ns.load(base::relaxed);
    return now_ns - std::min(now_ns, then_ns);
  }

  std::uint32_t pool_of(const row_copy& from) {
    const auto [known, is_new] =
        pools_.try_emplace(from.owner.pool, static_cast<std::uint32_t>(made_.pools.size()));
    if (is_new) made_.pools.push_back({from.slot_count});
    return known->second;
  }

  std::uint32_t site_of(std::uint32_t number) {
    if (number == 0 || number > most_sites) return 0;
    const auto [known, is_new] =
        sites_.try_emplace(number, static_cast<std::uint32_t>(made_.sites.size()));
    if (is_new) {
      made_.sites.emplace_back();
      // relaxed: `site_table` says why
      made_.sites.back().address = header_.sites[number - 1].load(base::relaxed);
    }
    return known->second;
  }

  /// The records of one worker that lie in the window, from the state it had at the begin to the
  /// run delay it had at the end.
  void add(const row_copy& from) {
    const auto inside = std::ranges::find_if(
        from.records, [&](const event::record& r) { return r.ticks > begin_; });
    const bool is_known = inside != from.records.begin();
    if (inside == from.records.end() && from.records.back().doing == event::activity::away) return;
    const auto worker = static_cast<std::uint32_t>(made_.workers.size());
    event::recorded_worker& mine = made_.workers.emplace_back();
    mine = {pool_of(from), from.owner.index, from.thread, 0, 0};
    if (is_known) {
      const event::record& last = *(inside - 1);
      put(0, worker,
          {begin_, event::kind::state_changed, last.doing, event::ready_work::not_looked,
           last.slot});
    } else if (from.lost != 0) {
      mine.lost = from.lost;
      mine.complete_from_ns = at(inside->ticks);
    }
    add_records(from, worker);
  }

  void add_records(const row_copy& from, std::uint32_t worker) {
    const std::uint64_t began = header_.began_ticks.load(base::relaxed);
    asking_points asked{from.lost == 0 || from.records.front().ticks <= began ? began : 0};
    const event::record* last = nullptr;
    std::int64_t latest = 0;
    for (const event::record& each : from.records) {
      const std::uint64_t since = asked.since(each);
      if (each.ticks <= end_) last = &each;
      if (each.ticks <= begin_) continue;
      event::record told = each;
      if (tells_pause(each.what))
        told.amount = static_cast<std::uint32_t>(part_within(each.amount, since, each.ticks));
      const bool tells_of_us =
          tells_pause(each.what) && each.ticks <= from.asked_ticks && told.amount != 0;
      if (each.ticks <= end_ || tells_of_us)
        put(latest = std::max(latest, at(each.ticks)), worker, told);
    }
    if (last != nullptr) add_last_delay(from, worker, *last);
  }

  // No record has the delay since the last question, so this asks the kernel for it.
  void add_last_delay(const row_copy& from, std::uint32_t worker, event::record told) {
    if (!is_alive_ || from.thread == 0 || told.doing == event::activity::away) return;
    const std::uint64_t delay_ns = times_of(header_.process_id, from.thread).run_delay_ns;
    if (delay_ns <= from.delay_ns) return;
    const std::uint64_t delay_us =
        part_within((delay_ns - from.delay_ns) / 1000, from.asked_ticks, base::ticks());
    told.ticks = end_;
    told.what = event::kind::run_delayed;
    told.ready = event::ready_work::not_looked;
    told.other = event::record::nobody;
    event::in_amounts(delay_us, [&](std::uint32_t part) {
      told.amount = part;
      put(made_.length_ns, worker, told);
    });
  }

  /// The part of `amount` in the window, if it accrued evenly from `since` to `until`. Nothing if
  /// `since` is not known: the pauses of a job of an hour would fill the few milliseconds that are
  /// left of its records.
  std::uint64_t part_within(std::uint64_t amount, std::uint64_t since,
                            std::uint64_t until) const noexcept {
    const std::uint64_t from = std::max(since, begin_), to = std::min(until, end_);
    if (since == 0 || from >= to) return 0;
    if (from == since && to == until) return amount;
    return static_cast<std::uint64_t>(static_cast<double>(amount) * static_cast<double>(to - from) /
                                      static_cast<double>(until - since));
  }

  void put(std::int64_t at_ns, std::uint32_t worker, event::record what) {
    if (event::names_site(what.what)) what.amount = site_of(what.amount);
    made_.entries.push_back({std::clamp<std::int64_t>(at_ns, 0, made_.length_ns), worker, what});
  }
  std::int64_t at(std::uint64_t ticks) const noexcept { return clock_.between(begin_, ticks); }

  const segment_view& segment_;
  const segment_header& header_;
  const tick_clock clock_;
  const bool is_alive_;
  std::uint64_t begin_ = 0, end_ = 0;
  event::recording made_;
  std::map<std::uint32_t, std::uint32_t> pools_, sites_;
};

}  // namespace

event::recording collect(const segment_view& segment, std::uint64_t begin_ticks) {
  return collector{segment, begin_ticks}.collect();
}

}  // namespace filch::trace
