#pragma once
#include <filch/event/recording.hpp>
#include <filch/trace/level.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace filch::inline v0_2 {
namespace trace {
/// What a session at span level holds. For filch's own parts.
class span_level;
}  // namespace trace

/// The options of a `trace_session`.
/// Example: examples/trace_files.cpp
struct trace_options {
  /// The recording is written there at the end; empty: nowhere. Meanwhile a file beside it keeps
  /// what rings have no room for, of FILCH_TRACE_MAX_SIZE bytes at most (256 MB).
  std::string file = {};
  /// The highest level of all live sessions holds for all of them.
  trace_level level = trace_level::steal;
};

/// Records what the workers of all pools of this process do while it lives: steals with their
/// victims, parks, wakes, exposures, hand-overs. If `trace_options::level` says so, it also records
/// every job, or work and span of what the program runs.
///
/// `trace_level::span` runs the program serially to find these: every outermost `run`, join, loop
/// or wait of an external thread that begins and ends while the session lives runs on that thread
/// alone. Jobs of a group run in the wait for it. Submitted jobs go to other threads as usual, and
/// are counted, not seen.
///
/// Cost:    about a millisecond to begin and to end. The first session at job level takes 2 ms
/// more, as it measures the cost of a fork in a pool of its own. A ring of 1 MiB a worker
///          (FILCH_TRACE_RING), kept until the process ends. While it lives, about 10 ns an event,
///          nearly all of it a look at the clock; an unstolen fork is no event. While no session
///          lives, an event pays one compare. At span level, 20 to 50 ms to begin the first session
///          of a process, 0.1 us a fork and 10 us a root.
/// Threads: any; sessions may overlap, each sees its own time.
/// Throws:  `std::system_error` naming the file in shared memory, if the system refuses one;
///          `std::invalid_argument` naming FILCH_TRACE_RING, if its value makes no sense.
/// Lifetime: a child of fork() is not recorded, and a session that it inherits does nothing there.
/// Example: examples/traced.cpp
class FILCH_EXPORT trace_session {
 public:
  explicit trace_session(trace_options asked = {});
  explicit trace_session(std::string path)
      : trace_session{trace_options{.file = std::move(path)}} {}
  /// Ends it, unless `end` did. Prints to stderr if the file cannot be written: a destructor cannot
  /// throw.
  ~trace_session();
  trace_session(const trace_session&) = delete;
  trace_session& operator=(const trace_session&) = delete;

  /// Stops recording and returns the recording: of each worker all records in its ring and in the
  /// file beside the recording. Without such a file these are its last ones. Call at most once.
  /// Throws: `std::system_error` naming the file that could not be written.
  event::recording end();

 private:
  bool is_ours() const noexcept;

  const trace_options asked_;
  const std::unique_ptr<trace::span_level> spans_;  ///< At span level only.
  unsigned generation_;
  std::uint64_t began_ticks_;
  std::uint64_t reused_before_;        ///< Rings that others had got when it began.
  std::uint64_t throttled_before_ns_;  ///< `topo::throttled_ns` then.
  /// What the process had used then: time in its code and in the kernel, page faults.
  std::uint64_t user_before_ns_, kernel_before_ns_, faults_before_;
  bool has_ended_ = false;
};

namespace trace {

/// On its first call, begins a session for the rest of the process if FILCH_TRACE asks for one. If
/// that fails, prints why to stderr, and the program goes on unrecorded. For filch's own parts.
FILCH_EXPORT void begin_as_environment_says() noexcept;

}  // namespace trace
}  // namespace filch
