#include <filch/sched/steering.hpp>

#include <filch/sched/simulated_cpus.hpp>
#include <filch/topo/affinity.hpp>

#if defined(__linux__)
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>
#endif

namespace filch::sched {

#if defined(__linux__)
namespace {

template <class Simulated, class Kernel>
auto ask(Simulated simulated, Kernel kernel) noexcept {
  if constexpr (base::can_simulate) {
    if (base::simulation* const stage = base::current_simulation()) return simulated(*stage);
  }
  return kernel();
}

// The system calls themselves, as their wrappers in the C library know masks of one size only.
int number_of_this_thread() noexcept {
  return ask([](auto& stage) { return simulated::thread_number(stage); },
             [] { return static_cast<int>(::syscall(SYS_gettid)); });
}
int cpu_here() noexcept {
  return ask([](auto& stage) { return simulated::cpu_here(stage); }, [] { return ::sched_getcpu(); });
}
bool read_mask(std::uint64_t* words, std::size_t bytes) noexcept {
  return ask([=](auto& stage) { return (words[0] = simulated::cpus(stage)) != 0; },
             [=] { return ::syscall(SYS_sched_getaffinity, 0, bytes, words) > 0; });
}
bool write_mask(int thread, const std::uint64_t* words, std::size_t bytes) noexcept {
  return ask([=](auto& stage) { return simulated::confine(stage, thread, words[0]); },
             [=] { return ::syscall(SYS_sched_setaffinity, thread, bytes, words) == 0; });
}
constexpr std::uint64_t bit_of(int cpu) noexcept { return std::uint64_t{1} << (cpu % 64); }

thread_local steering* of_this_thread = nullptr;  ///< A worker's.

}  // namespace

void steering::prepare_start() noexcept {
  const steering* const starter = of_this_thread;
  is_given_ = starter != nullptr && starter->lies_ && starter->thread_ != 0;
  if (!is_given_) return;
  std::ranges::copy(starter->mask_, mask_);
  home_.store(starter->home_.load(base::relaxed), base::relaxed);
}

void steering::begin_thread() noexcept {
  if (is_given_ && is_confined()) write_mask(0, mask_, sizeof mask_);
  home_.store(nowhere, base::relaxed);
}

// By who settled there, or by a waker that had just chosen it. Any other mask has been set by somebody else.
bool steering::is_confined() const noexcept {
  mask now = {};
  if (!read_mask(now, sizeof now)) return false;
  int kept = 0, lost = 0, won = 0;
  for (unsigned i = 0; i < mask_words; ++i) {
    kept += std::popcount(now[i] & mask_[i]);
    lost += std::popcount(mask_[i] & ~now[i]);
    won += std::popcount(now[i] & ~mask_[i]);
  }
  const bool has_settled = home_.load(base::relaxed) != nowhere && kept == 1;
  return won == 0 && (lost == 1 || (has_settled && lost > 0));
}

void steering::learn_thread() noexcept {
  of_this_thread = this;
  thread_ = read_mask(mask_, sizeof mask_) ? number_of_this_thread() : 0;
}

void steering::leave_thread() noexcept {
  if (steering* const here = std::exchange(of_this_thread, nullptr); here != nullptr && here->lies_) here->release();
}

void steering::lie_down() noexcept { lies_ = true; }

void steering::settle_here() noexcept {
  const int here = cpu_here();
  if (thread_ == 0 || here < 0 || static_cast<unsigned>(here) >= mask_words * 64 || !read_mask(mask_, sizeof mask_)) return;
  mask only = {};
  only[here / 64] = bit_of(here);
  if (write_mask(0, only, sizeof only)) home_.store(here, base::relaxed);  // relaxed: a waker that misses it steers in vain
}

void steering::prepare_wake(bool goes_on) noexcept {
  const int here = cpu_here(), home = home_.load(base::relaxed);
  if (thread_ == 0 || here < 0 || static_cast<unsigned>(here) >= mask_words * 64) return;
  if (home == nowhere ? !goes_on : home != here) return;
  mask rest;
  std::ranges::copy(mask_, rest);
  rest[here / 64] &= ~bit_of(here);
  if (std::ranges::none_of(rest, [](std::uint64_t word) { return word != 0; })) return;
  is_steered_ = write_mask(thread_, rest, sizeof rest);
}

void steering::release() noexcept {
  lies_ = false;
  const int home = home_.load(base::relaxed);
  if (!is_steered_ && home == nowhere) return;
  home_.store(nowhere, base::relaxed);
  mask now = {}, only = {};
  if (home != nowhere) only[home / 64] = bit_of(home);
  const bool is_ours = is_steered_ || (read_mask(now, sizeof now) && std::ranges::equal(now, only));
  is_steered_ = false;
  if (is_ours) write_mask(0, mask_, sizeof mask_);
}

std::optional<std::vector<unsigned>> steering::cpus_when_up() {
  const steering* const worker = of_this_thread;
  if (worker == nullptr) return std::nullopt;
  if (!worker->lies_ || worker->thread_ == 0 || !worker->is_confined()) return topo::current_affinity();
  std::vector<unsigned> cpus;
  for (unsigned cpu = 0; cpu < mask_words * 64; ++cpu) {
    if ((worker->mask_[cpu / 64] & bit_of(static_cast<int>(cpu))) != 0) cpus.push_back(cpu);
  }
  return cpus;
}
#else
void steering::prepare_start() noexcept {}
void steering::begin_thread() noexcept {}
void steering::learn_thread() noexcept {}
void steering::leave_thread() noexcept {}
void steering::lie_down() noexcept {}
void steering::settle_here() noexcept {}
void steering::prepare_wake(bool) noexcept {}
void steering::release() noexcept {}
std::optional<std::vector<unsigned>> steering::cpus_when_up() { return std::nullopt; }
#endif

}  // namespace filch::sched
