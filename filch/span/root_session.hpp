#pragma once
#include <filch/span/calibration.hpp>
#include <filch/span/strand_analyser.hpp>
#include <filch/trace/span_level.hpp>

#include <cstdint>
#include <map>

namespace filch::span {

/// Watches every root, a call by which a thread from outside enters a pool, that begins and ends
/// while it lives: each runs on its own thread alone, as in `filch::analyze`. Roots of one thread
/// come one behind the other, those of different threads beside each other.
///
/// Cost: of a root some 10 us, of a fork in it some 0.1, which are taken off again; a few kilobytes
/// for each thread that has roots.
/// Threads: any; several may live at once.
/// Lifetime: in the child of a fork() it sees nothing more.
class root_session : public trace::span_level {
 public:
  /// As a `strand_analyser` takes them. Of sessions that overlap, the first one's count for all.
  explicit root_session(const analysis_costs& costs = measured_costs(),
                        strand_analyser::clock ticks = nullptr);
  ~root_session() override;
  root_session(const root_session&) = delete;
  root_session& operator=(const root_session&) = delete;

  analysis end() override;

 private:
  friend class root_watch;
  void add(const analysis& root, std::int64_t thread);

  const analysis_costs costs_;
  const strand_analyser::clock ticks_;
  // Guarded by the lock of `root_watch`.
  std::uint64_t began_ = 0;  ///< Roots with a greater number began later.
  std::uint64_t submitted_ = 0;
  std::map<std::int64_t, analysis> of_thread_;
};

}  // namespace filch::span
