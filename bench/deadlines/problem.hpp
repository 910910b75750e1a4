#pragma once
// Loops and tasks of minutes with a limit of 5 ms, a thousand times, beside a process that
// computes: how late the middle and the latest one end, and how many later than a leaf and 1 ms.
#include <bench/harness/contender.hpp>
#include <bench/harness/median.hpp>

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace bench::deadlines {

/// The size counts tries. Cases: "loop", an option of the loop; "task", a timeout of a task that
/// passes its stop token.
inline constexpr identity as(const char* peer) {
  return {.problem = "deadlines", .peer = peer, .size = 1000, .variant = "loop"};
}

inline constexpr std::chrono::milliseconds limit{5};
inline constexpr int endless = 1'000'000'000;

inline void compute(int) {
  for (const double end = now_seconds() + 2e-6; now_seconds() < end;) {
  }
}

/// A process that computes as long as this object lives. To be made before there are threads.
class busy_process {
 public:
  busy_process() : id_{::fork()} {
    if (id_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (volatile unsigned turns = 0;;) turns = turns + 1;
  }
  ~busy_process() {
    if (id_ > 0) ::kill(id_, SIGKILL);
  }
  busy_process(const busy_process&) = delete;
  busy_process& operator=(const busy_process&) = delete;

 private:
  ::pid_t id_;
};

/// `run()` ends when its limit is over. Late is what ends more than a leaf, 20 us, and 1 ms after
/// that.
template <class Run>
void measure(contender& me, Run run) {
  for (unsigned round = 0; round != me.repeat(); ++round) {
    std::vector<double> late;
    for (std::int64_t i = 0; i != me.size(); ++i)
      late.push_back(seconds_of(run) - std::chrono::duration<double>(limit).count());
    const auto missed =
        std::count_if(late.begin(), late.end(), [](double each) { return each > 20e-6 + 1e-3; });
    const double latest = *std::max_element(late.begin(), late.end());
    me.report(
        {{"seconds", median(late)}, {"latest", latest}, {"missed", static_cast<double>(missed)}},
        "");
  }
}

}  // namespace bench::deadlines
