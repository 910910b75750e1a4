#include <filch/trace/recorder.hpp>

#include <filch/base/clock.hpp>
#include <filch/base/exceptions.hpp>
#include <filch/topo/cpu_budget.hpp>
#include <filch/topo/throttling.hpp>
#include <filch/trace/collect.hpp>
#include <filch/trace/options.hpp>
#include <filch/trace/process_files.hpp>

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace filch::inline v0_2::trace {
namespace {

// Rings of past workers are kept for readers up to this number, then reused.
constexpr std::size_t kept_rings = 64;

}  // namespace

recorder& recorder::instance() {
  // Never destroyed: workers of static pools outlive everything else
  static auto* const one = new recorder;
  return *one;
}

recorder::recorder() { ::pthread_atfork(before_fork, in_parent, in_child); }

void recorder::begin(trace_level level, std::uint64_t fork_ps, const std::string& file) {
  const std::uint64_t places = ring_places_from_environment(),
                      most_bytes = spool_bytes_from_environment();
  const std::string spool = spool_path(file, ::getpid());
  base::lock_guard guard{lock_};
  if (begun_ == 0) start(places);
  // Without a spool there are only the rings, and what these lose is reported as lost.
  if (!spool.empty()) static_cast<void>(spool_.open(spool, most_bytes, places, segment_->header()));
  ++begun_;
  if (fork_ps != 0) segment_->header().fork_ps.store(fork_ps, base::relaxed);  // relaxed: a report
  if (level == trace_level::jobs && begun_with_jobs_++ == 0) set_level();
}

void recorder::start(std::uint64_t ring_places) {
  if (segment_ == nullptr) {
    remove_stale_segments();
    segment_ = std::make_unique<own_segment>(segment_path(::getpid()));
    std::atexit([] { instance().remove_file(); });
  }
  segment_->set_ring_places(ring_places);
  graphs_.forget_runs();
  segment_->header().began_ticks.store(base::ticks(), base::relaxed);
  segment_->header().ended_ticks.store(0, base::relaxed);
  // relaxed: a report
  segment_->header().processors.store(topo::processors(), base::relaxed);
  segment_->header().throttled_ns.store(topo::throttled_ns(::getpid()), base::relaxed);
  FILCH_TRY {
    for (recorder_handle* each = handles_; each != nullptr; each = each->next_) switch_on(*each);
  }
  FILCH_CATCH_ALL {
    stop();  // or workers that are on already would keep recording
    FILCH_RETHROW;
  }
  is_on_.store(true, base::relaxed);  // relaxed: as in `is_on`
}

void recorder::stop() noexcept {
  is_on_.store(false, base::relaxed);  // relaxed: as in `is_on`
  for (recorder_handle* each = handles_; each != nullptr; each = each->next_) {
    each->switch_.off();
    each->joins_.resume(each->joins_.worker);
  }
  segment_->header().ended_ticks.store(base::ticks(), base::relaxed);
  spool_.close(segment_->header());
}

void recorder::end(trace_level level) noexcept {
  base::lock_guard guard{lock_};
  if (level == trace_level::jobs && --begun_with_jobs_ == 0) set_level();
  if (--begun_ == 0) stop();
}

// Without the lock: naming sites takes a while, and readers cope with rows that change hands.
event::recording recorder::read(std::uint64_t begin_ticks) {
  lock_.lock();
  const own_segment& mine = *segment_;  // from its first recording on a process keeps its segment
  lock_.unlock();
  event::recording made = collect(segment_view{mine.file(), mine.path()}, begin_ticks);
  made.graphs = graphs_since(begin_ticks, mine.header());
  base::lock_guard guard{lock_};
  graphs_.name_sites(made.sites);
  return made;
}

std::uint64_t recorder::reused_rings() noexcept {
  base::lock_guard guard{lock_};
  return segment_ == nullptr ? 0 : segment_->header().retired.load(base::relaxed);
}

void recorder::remove_file() noexcept {
  base::lock_guard guard{lock_};
  spool_.unlink();
  if (segment_ != nullptr) segment_->unlink();
}

// -------------------------------------------------------------------------------------------------
// workers
void recorder::add(recorder_handle& added) {
  base::lock_guard guard{lock_};
  added.next_ = std::exchange(handles_, &added);
  if (begun_ == 0) return;
  FILCH_TRY { switch_on(added); }
  FILCH_CATCH_ALL {}  // no memory: the worker works all the same, unrecorded
}

void recorder::remove(recorder_handle& gone) noexcept {
  base::lock_guard guard{lock_};
  gone.switch_.off();
  for (recorder_handle** at = &handles_; *at != nullptr; at = &(*at)->next_) {
    if (*at != &gone) continue;
    *at = gone.next_;
    break;
  }
  if (gone.writer_ != nullptr) left_.push_back(gone.writer_);
}

void recorder::set_level() noexcept {
  for (recorder_handle* each = handles_; each != nullptr; each = each->next_) set_level_of(*each);
}

void recorder::set_level_of(recorder_handle& worker) noexcept {
  if (worker.writer_ == nullptr) return;
  worker.writer_->tell_jobs(begun_with_jobs_ != 0);
  worker.joins_.pause(worker.joins_.worker);  // until its first sample of forks is over
}

// Only the worker may write to its ring, so the recorder puts the worker's present state beside it.
void recorder::switch_on(recorder_handle& worker) {
  if (worker.slot_count_ > event::record::most_slots) return;
  if (worker.writer_ == nullptr) worker.writer_ = give_writer(worker);
  if (worker.writer_ == nullptr) return;
  worker.writer_->tell_all(worker.worker_);
  row& mine = worker.writer_->mine();
  const auto thread = worker.thread_.load(base::relaxed);  // relaxed: a report
  if (thread != 0) {
    mine.thread.store(static_cast<std::uint64_t>(thread), base::relaxed);
    worker.writer_->tell_delay(times_of(::getpid(), thread).run_delay_ns, base::ticks());
  }
  event::record found;
  // Before `now()`: so the worker's record of a later change has a later time
  found.ticks = base::ticks();
  found.what = event::kind::state_changed;
  const recorder_handle::state now = worker.now();
  found.doing = now.doing;
  found.slot = now.slot;
  ring{mine.switched_on, mine.began.data(), mine.began.size() / 2}.push(found.pack());
  if (mine.hold.owner() == ownership::nobody)
    mine.hold.hand_to(worker.owner_.pack(), worker.writer_->written());
  worker.writer_->begin(found.ticks);
  worker.switch_.on(*worker.writer_);
  set_level_of(worker);
}

ring_writer* recorder::give_writer(const recorder_handle& worker) {
  const bool keeps_enough = left_.size() >= kept_rings;
  ring_writer* given = keeps_enough ? take_old_writer() : make_writer();
  if (given == nullptr) given = take_old_writer();  // the system has no more memory to share
  if (given == nullptr) return nullptr;
  row& mine = given->mine();
  // Else readers take records of the next owner for the old one's
  mine.hold.hand_to(ownership::nobody, given->written());
  mine.slot_count.store(worker.slot_count_, base::relaxed);
  mine.thread.store(0, base::relaxed);
  given->tell_delay(0, 0);
  given->tell_ready(0);
  return given;
}

ring_writer* recorder::take_old_writer() noexcept {
  if (left_.empty()) return nullptr;
  ring_writer* const taken = left_.front();
  left_.erase(left_.begin());
  word& retired = segment_->header().retired;
  retired.store(retired.load(base::relaxed) + 1, base::relaxed);
  return taken;
}

ring_writer* recorder::make_writer() {
  segment_header& header = segment_->header();
  const std::size_t index = ring_writers_.size();
  if (index == most_rows) return nullptr;
  row& mine = header.rows[index];
  ring_writers_.reserve(index + 1);
  left_.reserve(index + 1);  // a worker that ends could not report a lack of memory
  if (!segment_->add_ring(mine)) return nullptr;
  ring_writers_.push_back(
      std::make_unique<ring_writer>(mine, segment_->snapshot_of(mine), segment_->ring_of(mine),
                                    site_table{header.sites.data(), most_sites}, &spool_));
  header.row_count.store(ring_writers_.size(), base::relaxed);
  return ring_writers_.back().get();
}

// -------------------------------------------------------------------------------------------------
// task graphs
const void* recorder::code_named(std::string_view name) noexcept {
  base::lock_guard guard{lock_};
  FILCH_TRY { return graphs_.code_named(name); }
  FILCH_CATCH_ALL { return nullptr; }
}

bool recorder::counts_run(const graph_key& of, std::uint64_t wall_ns) noexcept {
  base::lock_guard guard{lock_};
  return graphs_.count_run(of, wall_ns);
}

void recorder::keep(graph_report_entry told) noexcept {
  base::lock_guard guard{lock_};
  FILCH_TRY { graphs_.keep(std::move(told)); }
  FILCH_CATCH_ALL {}  // no memory: the report lacks it
}

std::uint64_t recorder::next_graph() noexcept {
  static base::atomic<std::uint64_t> made{0};
  return made.fetch_add(1, base::relaxed) + 1;
}

// Without the lock while it names nodes, which takes a while.
std::vector<event::graph_run> recorder::graphs_since(std::uint64_t begin_ticks,
                                                     const segment_header& header) {
  const std::uint64_t since = std::max(begin_ticks, header.began_ticks.load(base::relaxed));
  lock_.lock();
  std::vector<graph_report_entry> kept = graphs_.kept_since(since);
  lock_.unlock();
  return named_runs(std::move(kept), since, tick_clock{header});
}

// -------------------------------------------------------------------------------------------------
// fork()
void recorder::before_fork() noexcept { instance().lock_.lock(); }
void recorder::in_parent() noexcept { instance().lock_.unlock(); }

// The child's pools are new ones. The parent's segment stays mapped; no thread of the child writes
// to it.
void recorder::in_child() noexcept {
  recorder& all = instance();
  for (recorder_handle* each = all.handles_; each != nullptr; each = each->next_)
    each->switch_.off();
  all.handles_ = nullptr;
  all.left_.clear();
  for (auto& each : all.ring_writers_) static_cast<void>(each.release());
  all.ring_writers_.clear();
  if (all.segment_ != nullptr) all.segment_.release()->forget();
  all.spool_.forget();
  all.begun_ = all.begun_with_jobs_ = 0;
  is_on_.store(false, base::relaxed);  // relaxed: there is one thread
  ++all.generation_;
  forget_own_thread_id();
  all.lock_.unlock();
}

// -------------------------------------------------------------------------------------------------
// handles
recorder_handle::recorder_handle(const event::counters& worker, std::uint32_t pool,
                                 std::uint32_t index, std::uint32_t slot_count, join_pause joins)
    : worker_{worker}, owner_{pool, index}, slot_count_{slot_count}, joins_{joins} {
  if constexpr (!base::can_simulate) recorder::instance().add(*this);
}

recorder_handle::~recorder_handle() {
  if constexpr (!base::can_simulate) recorder::instance().remove(*this);
}

void recorder_handle::adopt_thread() noexcept {
  if constexpr (base::can_simulate) return;
  thread_.store(own_thread_id(), base::relaxed);
  if (ring_writer* const here = get()) here->adopt_thread(worker_);
}

std::uint32_t recorder_handle::next_pool() noexcept {
  if constexpr (base::can_simulate) return 1;
  static base::atomic<std::uint32_t> made{0};
  return made.fetch_add(1, base::relaxed) + 1;
}

}  // namespace filch::trace
