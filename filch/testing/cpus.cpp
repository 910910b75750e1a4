// The CPUs of a session: as many as `cpu_count` says, of the first 64.
#include <filch/sched/simulated_cpus.hpp>
#include <filch/testing/session.hpp>

#include <bit>

namespace filch::testing {
namespace {

std::uint64_t first_cpus(unsigned count) noexcept { return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1; }

int nth_bit_of(std::uint64_t bits, std::uint32_t n) noexcept {
  for (; n > 0; --n) bits &= bits - 1;
  return std::countr_zero(bits);
}

}  // namespace

// As the kernel does: the creator's.
std::uint64_t session::cpus_for_new_thread() const noexcept {
  return running_ == nullptr ? first_cpus(cpu_count) : running_->cpus;
}

int session::thread_number() const noexcept { return static_cast<int>(running_->number) + 1; }

int session::cpu_here() noexcept {
  step("asks where it is", no_place);
  const std::uint64_t mine = running_->cpus;
  return nth_bit_of(mine, base::below(random_(), static_cast<std::uint32_t>(std::popcount(mine))));
}

std::uint64_t session::cpus() noexcept {
  step("asks where it may run", no_place);
  return running_->cpus;
}

bool session::confine(int thread, std::uint64_t to) noexcept {
  step("changes where a thread may run", no_place);
  actor& confined = thread == 0 ? *running_ : *cast_.at(static_cast<std::size_t>(thread) - 1);
  const std::uint64_t rest = to & first_cpus(cpu_count);
  if (confined.now == actor::state::over || rest == 0) return false;
  confined.cpus = rest;
  return true;
}

}  // namespace filch::testing

namespace filch::sched::simulated {
namespace {

testing::session& session_of(base::simulation& stage) noexcept { return static_cast<testing::session&>(stage); }

}  // namespace

int thread_number(base::simulation& stage) noexcept { return session_of(stage).thread_number(); }
int cpu_here(base::simulation& stage) noexcept { return session_of(stage).cpu_here(); }
std::uint64_t cpus(base::simulation& stage) noexcept { return session_of(stage).cpus(); }
bool confine(base::simulation& stage, int thread, std::uint64_t to) noexcept { return session_of(stage).confine(thread, to); }

}  // namespace filch::sched::simulated
