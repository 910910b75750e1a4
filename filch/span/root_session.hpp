#pragma once
#include <filch/span/calibration.hpp>
#include <filch/span/strand_analyzer.hpp>
#include <filch/trace/span_level.hpp>

#include <cstdint>
#include <map>

namespace filch::inline v0_2::span {

/// Watches every root that begins and ends while it lives: a call by which an external thread
/// enters a pool. Each runs on its own thread alone, as in `filch::analyze`. Roots of one thread
/// count as one after the other, those of different threads as side by side.
///
/// Cost:    some 10 us a root and 0.1 us a fork in it, which are subtracted again; a few kilobytes
///          for each thread that has roots.
/// Threads: any; several may live at once.
/// Lifetime: in the child of a fork() it sees nothing more.
class root_session : public trace::span_level {
 public:
  /// As for a `strand_analyzer`. If sessions overlap, those of the first one hold for all.
  explicit root_session(const analysis::costs& costs = analysis::measured_costs(),
                        strand_analyzer::clock ticks = nullptr);
  ~root_session() override;
  root_session(const root_session&) = delete;
  root_session& operator=(const root_session&) = delete;

  analysis::result end() override;

 private:
  friend class root_watch;
  void add(const analysis::result& root, std::int64_t thread);

  const analysis::costs costs_;
  const strand_analyzer::clock ticks_;
  // Guarded by the lock of `root_watch`.
  std::uint64_t began_ = 0;  ///< Roots with a greater number began later.
  std::uint64_t submitted_ = 0;
  std::map<std::int64_t, analysis::result> of_thread_;
};

}  // namespace filch::span
