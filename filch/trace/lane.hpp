#pragma once
#include <filch/event/record.hpp>
#include <filch/trace/layout.hpp>

namespace filch::trace {

/// Where one worker writes while recording is on. Threads: the worker's.
class lane {
 public:
  lane(row& mine, ring records, site_table sites) noexcept : row_{&mine}, ring_{records}, sites_{sites} {}

  /// Cost: about 5 ns, and what reading the clock for `added.ticks` costs.
  void write(const event::record& added) noexcept { ring_.push(added.pack()); }
  /// The number that stands for a call site in records. `code` is the function that its jobs run.
  std::uint32_t site_of(std::uintptr_t code) noexcept { return sites_.number_of(code); }
  /// Microseconds that this thread was ready to run and did not, since it was last asked. Cost: 5 us, so not more often than every
  /// 10 ms: until then 0.
  std::uint32_t run_delay_us(std::uint64_t now_ticks) noexcept;
  /// The calling thread is the worker from now on.
  void sit_down() noexcept;

  row& mine() const noexcept { return *row_; }
  std::uint64_t written() const noexcept { return ring_.written(); }

 private:
  row* row_;
  ring ring_;
  site_table sites_;
  std::uint64_t asked_ticks_ = 0;
};

}  // namespace filch::trace
