#pragma once
#include <filch/base/mutex.hpp>
#include <filch/base/simulation.hpp>
#include <filch/event/recording.hpp>
#include <filch/trace/graph_log.hpp>
#include <filch/trace/level.hpp>
#include <filch/trace/recorder_handle.hpp>
#include <filch/trace/segment.hpp>
#include <filch/trace/spool.hpp>

#include <memory>
#include <string>
#include <vector>

namespace filch::inline v0_2::trace {

/// The one recorder of the process: its workers, whether they record, and the segment that they
/// write to.
///
/// Threads: any.
class recorder {
 public:
  static recorder& instance();

  /// Switches recording on if it is off, and raises it to `level` if that is higher. Call `end` as
  /// often as `begin`, with the same level; the last call switches recording off. `fork_ps` is the
  /// cost of an unstolen fork on this machine, for readers; 0: not known. The spool lies beside
  /// `file`, to which the recording will be written; if that is empty, there is no spool.
  /// Throws: `std::system_error` naming the segment, if the system refuses one;
  /// `std::invalid_argument` naming FILCH_TRACE_RING.
  void begin(trace_level level, std::uint64_t fork_ps, const std::string& file = {});
  void end(trace_level level) noexcept;
  /// Returns what was recorded from `begin_ticks` on. Call before `end`.
  event::recording read(std::uint64_t begin_ticks);
  /// How many rings of past workers have gone to new ones so far.
  std::uint64_t reused_rings() noexcept;
  /// How many fork() calls led to this process. A session of another generation is the parent's.
  unsigned generation() const noexcept { return generation_; }

  // -----------------------------------------------------------------------------------------------
  // task graphs
  /// Whether any recording runs. Never in a build for the deterministic scheduler.
  static bool is_on() noexcept {
    if constexpr (base::can_simulate) return false;
    return is_on_.load(base::relaxed);  // relaxed: when it takes effect is a matter of timing
  }
  /// As by `graph_log`; null, too, if there is no memory.
  const void* code_named(std::string_view name) noexcept;
  bool counts_run(const graph_key& of, std::uint64_t wall_ns) noexcept;
  /// If there is no memory, it is not kept.
  void keep(graph_report_entry told) noexcept;
  /// A number for a graph without a name, from 1 on.
  static std::uint64_t next_graph() noexcept;

 private:
  recorder();
  void remove_file() noexcept;
  std::vector<event::graph_run> graphs_since(std::uint64_t begin_ticks,
                                             const segment_header& header);
  friend class recorder_handle;
  void add(recorder_handle& added);
  void remove(recorder_handle& gone) noexcept;
  void switch_on(recorder_handle& worker) FILCH_REQUIRES(lock_);
  void start(std::uint64_t ring_places) FILCH_REQUIRES(lock_);
  void stop() noexcept FILCH_REQUIRES(lock_);
  void set_level() noexcept FILCH_REQUIRES(lock_);
  void set_level_of(recorder_handle& worker) noexcept FILCH_REQUIRES(lock_);
  ring_writer* give_writer(const recorder_handle& worker) FILCH_REQUIRES(lock_);
  ring_writer* take_old_writer() noexcept FILCH_REQUIRES(lock_);
  ring_writer* make_writer() FILCH_REQUIRES(lock_);
  static void before_fork() noexcept FILCH_THREAD_ANNOTATION(no_thread_safety_analysis);
  static void in_parent() noexcept FILCH_THREAD_ANNOTATION(no_thread_safety_analysis);
  static void in_child() noexcept FILCH_THREAD_ANNOTATION(no_thread_safety_analysis);

  base::mutex lock_;
  /// Linked through each other, so that a worker can be added without memory.
  recorder_handle* handles_ FILCH_GUARDED_BY(lock_) = nullptr;
  /// From the first recording on.
  std::unique_ptr<own_segment> segment_ FILCH_GUARDED_BY(lock_);
  /// By row. Kept: a worker may hold one a moment longer.
  std::vector<std::unique_ptr<ring_writer>> ring_writers_ FILCH_GUARDED_BY(lock_);
  own_spool spool_;  ///< Of the first recording that has a file. Opened and closed under the lock.
  /// The `ring_writer`s of past workers, the oldest first. Has room for all.
  std::vector<ring_writer*> left_ FILCH_GUARDED_BY(lock_);
  unsigned begun_ FILCH_GUARDED_BY(lock_) = 0;
  /// How many of these want jobs told.
  unsigned begun_with_jobs_ FILCH_GUARDED_BY(lock_) = 0;
  graph_log graphs_ FILCH_GUARDED_BY(lock_);
  inline static base::atomic<bool> is_on_{false};  ///< Writer: the recorder, under its lock.
  unsigned generation_ = 0;                        ///< Written only while there is one thread.
};

}  // namespace filch::trace
