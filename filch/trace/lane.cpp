#include <filch/trace/lane.hpp>

#include <filch/base/clock.hpp>
#include <filch/trace/process_files.hpp>

#include <unistd.h>

namespace filch::trace {
namespace {

constexpr std::uint64_t ask_every_us = 10'000;

}  // namespace

std::uint32_t lane::run_delay_us(std::uint64_t now_ticks) noexcept {
  if (now_ticks - asked_ticks_ < ask_every_us * base::ticks_per_us()) return 0;
  asked_ticks_ = now_ticks;
  const std::uint64_t told = row_->delay_ns.load(base::relaxed);  // our own
  const std::uint64_t delay = run_delay_ns(::getpid(), own_thread_id());
  if (delay < told + 1000) return 0;
  const std::uint64_t whole_us = (delay - told) / 1000;
  row_->delay_ns.store(told + whole_us * 1000, base::relaxed);
  return whole_us < event::record::most ? static_cast<std::uint32_t>(whole_us) : event::record::most;
}

void lane::sit_down() noexcept {
  const auto thread = static_cast<std::uint64_t>(own_thread_id());
  if (row_->thread.load(base::relaxed) == thread) return;
  row_->delay_ns.store(run_delay_ns(::getpid(), static_cast<std::int64_t>(thread)), base::relaxed);
  row_->thread.store(thread, base::relaxed);
}

}  // namespace filch::trace
