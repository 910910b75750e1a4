#pragma once
#include <filch/event/recording.hpp>
#include <filch/trace/tick_clock.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace filch::inline v0_2::trace {

/// Which graph a run belongs to. Graphs of one name count as one; those without a name differ by
/// `number`.
struct graph_key {
  std::string_view name;
  std::uint64_t number = 0;
};

/// A run as its graph reports it.
struct graph_report_entry {
  std::uint64_t number = 0;  ///< As in the key.
  std::uint64_t began_ticks = 0;
  event::graph_run run;
  /// The code of each node, for the names of those that have none.
  std::vector<std::uint64_t> codes;
};

/// What task graphs tell the recordings of this process: names of nodes, and the longest run of
/// each graph.
///
/// Threads: one at a time, under the recorder's lock.
class graph_log {
 public:
  /// The address that stands for `name` as the code of a job; null if there are as many as the
  /// table of sites has room for. Names stay for good, as the addresses in that table do, so an
  /// address never gets another meaning.
  /// Throws: `std::bad_alloc`.
  const void* code_named(std::string_view name);
  /// Gives those sites that are such addresses their names.
  void name_sites(std::vector<event::call_site>& sites) const;

  /// Counts a run. Returns whether `keep` is to follow: no longer run of the graph has come before,
  /// and it is one of the longest graphs.
  bool count_run(const graph_key& of, std::uint64_t wall_ns) noexcept;
  /// Throws: `std::bad_alloc`.
  void keep(graph_report_entry told);
  /// Those that began at `since_ticks` or later.
  std::vector<graph_report_entry> kept_since(std::uint64_t since_ticks) const;
  void forget_runs() noexcept { kept_.clear(); }

 private:
  graph_report_entry* find(const graph_key& of) noexcept;

  std::set<std::string, std::less<>> names_;
  std::vector<graph_report_entry> kept_;
};

/// The runs of a recording that began at `since_ticks`, with the names of all nodes.
std::vector<event::graph_run> named_runs(std::vector<graph_report_entry> kept,
                                         std::uint64_t since_ticks, const tick_clock& clock);

}  // namespace filch::trace
