#include <filch/testing/explore.hpp>

#include <filch/base/mutex.hpp>
#include <filch/base/panic.hpp>
#include <filch/sched/pool/pool.hpp>
#include <filch/testing/seed_on_crash.hpp>
#include <filch/testing/session.hpp>

#include <utility>

namespace filch::inline v0_2::testing {
namespace {

/// Sessions whose threads sleep for ever, and their host threads: kept, as those threads still read
/// them.
void keep_for_ever(std::unique_ptr<session> left, std::unique_ptr<host_threads> threads) {
  static base::mutex lock;
  static auto* const kept =
      new std::vector<std::pair<std::unique_ptr<session>, std::unique_ptr<host_threads>>>;
  base::lock_guard guard{lock};
  kept->emplace_back(std::move(left), std::move(threads));
}

/// `body` with its own default pool, which takes the number of its workers from the simulation.
void run_with_pool(const std::function<void()>& body) {
  thread_pool pool;
  base::current_simulation()->default_pool = &pool;
  body();
}

class explorer {
 public:
  explorer(const std::function<void()>& body, const options& wanted)
      : body_{[&body] { run_with_pool(body); }}, options_{wanted} {}

  /// One run. False: it failed.
  bool run(std::uint64_t seed, report& so_far, bool keeps_schedule) {
    if (host_threads_ == nullptr) host_threads_ = std::make_unique<host_threads>();
    auto one = std::make_unique<session>(*host_threads_, options_, seed);
    crash_.running(seed);
    one->run(body_);
    ++so_far.seeds_run;
    so_far.steps += one->steps();
    so_far.switches += one->switches();
    if (one->failed()) {
      so_far.failing_seed = seed;
      so_far.failure = one->failure();
    }
    if (one->failed() || keeps_schedule) so_far.schedule = one->text();
    const bool went_well = !one->failed();
    if (one->leaves_threads()) {
      ++so_far.threads_left;
      keep_for_ever(std::move(one), std::exchange(host_threads_, nullptr));
    }
    return went_well;
  }

 private:
  const std::function<void()> body_;
  const options options_;
  seed_on_crash crash_;
  std::unique_ptr<host_threads> host_threads_;
};

void require_real_thread(const char* what) {
  FILCH_ASSERT(base::current_simulation() == nullptr, "testing::explore and replay do not nest",
               what);
}

}  // namespace

std::string report::text() const {
  if (passed()) return std::to_string(seeds_run) + " seeds passed\n";
  return "seed " + std::to_string(*failing_seed) + " fails: " + failure + "\n" + schedule;
}

report explore(const std::function<void()>& body, const options& wanted) {
  require_real_thread("explore");
  explorer all{body, wanted};
  report found;
  for (std::uint64_t i = 0; i < wanted.seeds && all.run(wanted.first_seed + i, found, false); ++i) {
  }
  return found;
}

report replay(std::uint64_t seed, const std::function<void()>& body, options wanted) {
  require_real_thread("replay");
  explorer once{body, wanted};
  report found;
  once.run(seed, found, true);
  return found;
}

}  // namespace filch::testing
