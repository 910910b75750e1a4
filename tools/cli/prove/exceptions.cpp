// A loop whose first element throws, beside what the whole loop would take.
#include <filch/filch.hpp>
#include <fmt/format.h>
#include <tools/cli/prove/claim.hpp>
#include <tools/cli/report.hpp>

#include <atomic>

namespace filch::cli::prove {

proof exceptions_stop_a_loop() {
  constexpr std::uint64_t size = 1'000'000;
  thread_pool pool{{.workers = 2}};
  std::atomic<std::uint64_t> called{0};
  std::uint64_t caught = size;
  FILCH_TRY {
    pool.run([&] {
      parallel_for(std::uint64_t{0}, size, [&](std::uint64_t i) {
        ++called;
        for (int spin = 0; spin != 20; ++spin) base::cpu_relax();
        if (i % 1000 == 0) throw i;
      });
    });
  }
  catch (const std::uint64_t lowest) {
    caught = lowest;
  }
  return {caught == 0 && called < size / 2,
          fmt::format("Every thousandth of {} elements throws. {} were called, and the exception "
                      "of element {} came back.",
                      count_text(size), count_text(called.load()), caught)};
}

}  // namespace filch::cli::prove
