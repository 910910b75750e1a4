#pragma once
// The observer that adds up strands. README.md, "Strands", is the argument.
#include <filch/event/analysis.hpp>
#include <filch/sched/strands.hpp>
#include <filch/span/critical_path.hpp>
#include <filch/span/run_delay.hpp>

#include <unordered_map>
#include <vector>

namespace filch::inline v0_2::span {

/// Watches the calling thread while it lives, by the given clock.
///
/// Cost:    two looks at the clock for each end of a strand, and about 50 ns between them, which do
///          not count.
/// Threads: the one that made it.
class strand_analyzer final : public sched::strand_observer {
 public:
  using clock = std::uint64_t (*)() noexcept;

  /// Without a clock: the processor's, minus the thread's run delay.
  explicit strand_analyzer(const analysis::costs& costs, clock ticks = nullptr);
  ~strand_analyzer();
  strand_analyzer(const strand_analyzer&) = delete;
  strand_analyzer& operator=(const strand_analyzer&) = delete;

  /// Ends the last strand. The analysis is complete except for the names of sites.
  analysis::result finish();
  /// Numbers in ascending order, one for each analyzer. Other callers compare theirs to find out
  /// which analyzers came later.
  static std::uint64_t next_number() noexcept;
  std::uint64_t number() const noexcept { return number_; }

  void fork(const void* site) override;
  void begin_right() noexcept override;
  sched::spawn_point* spawn(const void* site) override;
  void begin_spawned(const void* site, const sched::spawn_point* from) noexcept override;
  void end_job() noexcept override;
  sched::strand_doing change(sched::strand_doing next) noexcept override;
  void submit() noexcept override;

 private:
  struct spawned;
  /// A join whose sides are under way, or the wait that runs a group's job.
  struct frame {
    critical_path start;   ///< Where the job could begin.
    critical_path waiter;  ///< How far its waiter has come: the end of the left side.
    std::uint32_t outer_site = 0;
    double work_before = 0;  ///< Of the side under way.
    std::uint64_t forks_before = 0;
  };

  std::uint32_t index_of(const void* site);
  critical_path start_of(const sched::spawn_point* from) const noexcept;
  frame& open_frame();
  void begin_side(frame& of) noexcept;
  double end_side(const frame& of) noexcept;
  void end_strand(double watched_ns) noexcept;
  double take_delay(double of_ns) noexcept;
  double computed_while_blocked() const noexcept;
  void add_cost(std::uint32_t site, double ns) noexcept;
  void begin_strand() noexcept { began_ = ticks_(); }

  const std::uint64_t number_ = next_number();
  const std::uint64_t began_ns_;
  const bool is_real_time_;
  const clock ticks_;
  const analysis::costs costs_;
  analysis::result found_;
  std::unordered_map<const void*, std::uint32_t> index_;
  critical_path here_;
  std::uint32_t site_ = 0;  ///< To which the strand under way belongs.
  sched::strand_doing doing_ = sched::strand_doing::computing;
  /// On the thread's own clock, when the blocked strand under way began.
  std::uint64_t cpu_ns_when_blocked_ = 0;
  std::vector<frame> frames_;  ///< Those above `depth_` are kept for the next ones.
  std::size_t depth_ = 0;
  run_delay delays_;
  sched::strand_observer* const outer_;
  /// The strand under way. Last: the constructor reads the clock at its end.
  std::uint64_t began_ = 0;
};

}  // namespace filch::span
