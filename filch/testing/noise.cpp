#include <filch/base/atomic.hpp>
#include <filch/base/mutex.hpp>
#include <filch/base/panic.hpp>
#include <filch/base/rng.hpp>
#include <filch/base/thread.hpp>
#include <filch/testing/noise.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

namespace filch::inline v0_2::testing {
namespace {

using base::atomic, base::relaxed;

// All orders are relaxed: a thread that still reads an older noise's settings makes a little of
// that noise.
struct settings {
  atomic<std::uint64_t> generation{0};  ///< Of the noise: a thread draws anew when it has changed.
  atomic<std::uint64_t> seed{0};
  atomic<std::uint64_t> one_in{1};
  atomic<std::uint64_t> longest_ns{0};
  atomic<const char*> function{nullptr};
  atomic<std::uint64_t> threads{0};  ///< That have drawn.
  atomic<std::uint64_t> stops{0};
};
constinit settings wanted_now;

/// What a thread does at points. Some points lie inside that code itself.
struct listener {
  std::uint64_t generation = 0;
  std::uint64_t points_left = 0;
  base::split_mix64 random{0};
  bool is_inside = false;

  void begin() noexcept {
    generation = wanted_now.generation.load(relaxed);
    random = base::split_mix64{wanted_now.seed.load(relaxed) * 0x9e37'79b9'7f4a'7c15 +
                               wanted_now.threads.fetch_add(1, relaxed)};
    draw();
  }
  void draw() noexcept { points_left = random() % (2 * wanted_now.one_in.load(relaxed) - 1); }
  void stop() noexcept {
    draw();
    wanted_now.stops.fetch_add(1, relaxed);
    const int kept = errno;
    const std::uint64_t drawn = random();
    if (drawn % 2 == 0) {
      base::yield_thread();
    } else {
      base::nap_thread(
          std::chrono::nanoseconds((drawn >> 1) % (wanted_now.longest_ns.load(relaxed) + 1)));
    }
    errno = kept;
  }
};
constinit thread_local listener listening;

template <class Do>
void unless_inside(Do&& act) noexcept {
  if (std::exchange(listening.is_inside, true)) return;
  act();
  listening.is_inside = false;
}

void stop_now_and_then(base::place where) noexcept {
  unless_inside([&] {
    if (listening.generation != wanted_now.generation.load(relaxed)) listening.begin();
    const char* const function = wanted_now.function.load(relaxed);
    if (function != nullptr && std::strcmp(function, where.function) != 0) return;
    listening.points_left == 0 ? listening.stop() : static_cast<void>(--listening.points_left);
  });
}

struct passed {
  base::mutex lock;
  std::set<std::string> functions;
};
passed& all_passed() {
  static passed all;
  return all;
}

void write_down(base::place where) noexcept {
  unless_inside([&] {
    base::lock_guard guard{all_passed().lock};
    all_passed().functions.emplace(where.function);
  });
}

/// A copy of a name that lives as long as any thread may read it.
const char* keep(const std::string& name) {
  static std::set<std::string> names;
  return names.insert(name).first->c_str();
}

void begin_with(base::noise_maker make) noexcept {
  const bool is_alone = base::begin_noise(make);
  FILCH_ASSERT(is_alone, "one noise at a time", 0);
}

}  // namespace

noise::noise(noise_options wanted) {
  wanted_now.seed.store(wanted.seed, relaxed);
  wanted_now.one_in.store(std::max(wanted.one_in, 1u), relaxed);
  wanted_now.longest_ns.store(
      static_cast<std::uint64_t>(std::max<std::int64_t>(wanted.longest.count(), 0)), relaxed);
  wanted_now.function.store(wanted.function.empty() ? nullptr : keep(wanted.function), relaxed);
  wanted_now.threads.store(0, relaxed);
  wanted_now.stops.store(0, relaxed);
  wanted_now.generation.fetch_add(1, relaxed);
  begin_with(&stop_now_and_then);
}
noise::~noise() { base::end_noise(); }
std::uint64_t noise::stops() const noexcept {
  std::uint64_t seen = 0;
  unless_inside([&] { seen = wanted_now.stops.load(relaxed); });
  return seen;
}

std::vector<std::string> functions_passed(const std::function<void()>& body) {
  all_passed().functions.clear();
  begin_with(&write_down);
  {
    struct end {
      ~end() { base::end_noise(); }
    } const at_the_end;
    body();
  }
  base::lock_guard guard{all_passed().lock};
  return {all_passed().functions.begin(), all_passed().functions.end()};
}

}  // namespace filch::testing
