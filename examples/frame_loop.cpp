// The frame loop of a game: 40 systems, 60 frames a second, beside work in the background on the
// same pool. Input and drawing belong to the main thread, as windows demand. Prints how long frames
// took beside the critical path: no number of processors is faster than that.
//
//     example_frame_loop [FRAMES [WORKERS]]
#include <filch/fork.hpp>
#include <filch/graph.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

using std::chrono::microseconds, std::chrono::nanoseconds, std::chrono::steady_clock;

constexpr nanoseconds frame_length{1'000'000'000 / 60};

/// Stands for a system that computes for so long.
void compute(microseconds length) {
  for (const auto end = steady_clock::now() + length; steady_clock::now() < end;) {
  }
}

// -------------------------------------------------------------------------------------------------
// the systems
// [frame]
class frame {
 public:
  explicit frame(filch::thread_queue& main_thread) {
    const auto input = add("input", 100);
    const auto scripts = add("scripts", 400, input);
    const auto physics = add("broad phase", 500, scripts);
    const auto solved = add("solve contacts", 900);
    add_many("island", 8, 150, physics, solved);
    const auto poses = add("poses", 500, solved);
    add_many("animation", 8, 100, scripts, poses);
    const auto cull = add("cull", 600, poses);
    const auto sort = add("sort what is seen", 500, cull);
    const auto draw = add("draw", 900, sort);
    add_many("thinking", 8, 90, input, draw);
    add_many("particles", 6, 110, scripts, draw);
    add("audio", 250, poses);
    add("network", 150, input);

    input.on(main_thread);
    draw.on(main_thread);
  }
  void run(filch::thread_pool& pool) { graph_.run(filch::with(pool)); }
  filch::graph_report last_run() { return graph_.last_run(); }
  std::size_t systems() const { return graph_.size(); }

 private:
  template <class... Earlier>
  filch::graph_node<> add(const std::string& name, int us, const Earlier&... earlier) {
    return graph_.emplace(
        name, [us] { compute(microseconds{us}); }, earlier...);
  }
  void add_many(const std::string& name, int count, int us, const filch::graph_node<>& before,
                const filch::graph_node<>& after) {
    for (int i = 1; i <= count; ++i) add(name + ' ' + std::to_string(i), us, before).precede(after);
  }
  // [frame]

  filch::task_graph graph_;
};

/// Work without a deadline, such as files that are unpacked: always one job for each worker.
class background {
 public:
  background(filch::thread_pool& pool, unsigned jobs) : pool_{pool}, left_{jobs} {
    for (; jobs != 0; --jobs) submit();
  }
  ~background() {
    is_over_ = true;
    while (left_ != 0) std::this_thread::sleep_for(microseconds{100});
  }
  unsigned done() const { return done_; }

 private:
  void submit() {
    pool_.submit(
        [this] {
          compute(microseconds{100});
          ++done_;
          is_over_ ? static_cast<void>(--left_) : submit();
        },
        filch::priority::background);
  }

  filch::thread_pool& pool_;
  std::atomic<bool> is_over_{false};
  std::atomic<unsigned> left_, done_{0};
};

// -------------------------------------------------------------------------------------------------
// the report
double percentile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  return values[std::min(values.size() - 1,
                         static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

double ms(nanoseconds time) { return static_cast<double>(time.count()) / 1e6; }

struct times {
  std::vector<double> frames, critical_paths;  ///< In milliseconds.
  unsigned missed = 0;
  bool is_complete = true;  ///< Each system has run in each frame.
};

times run_frames(frame& systems, filch::thread_pool& pool, unsigned count) {
  times all;
  auto next = steady_clock::now();
  for (unsigned i = 0; i != count; ++i) {
    std::this_thread::sleep_until(next);
    const auto begin = steady_clock::now();
    systems.run(pool);
    const auto end = steady_clock::now();
    next = std::max(next + frame_length, end);
    all.missed += end - begin > frame_length;
    all.frames.push_back(ms(end - begin));
    const filch::graph_report report = systems.last_run();
    all.critical_paths.push_back(ms(report.span));
    all.is_complete &= std::ranges::all_of(
        report.nodes, [](const auto& node) { return node.outcome == filch::node_outcome::ran; });
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const int frames = argc > 1 ? std::atoi(argv[1]) : 60;
  const int workers = argc > 2 ? std::atoi(argv[2]) : 2;
  if (frames < 1 || workers < 1) {
    std::fputs("usage: example_frame_loop [FRAMES [WORKERS]]\n", stderr);
    return 2;
  }
  filch::thread_pool pool({.workers = static_cast<unsigned>(workers)});
  filch::thread_queue main_thread;
  frame systems{main_thread};
  const times alone = run_frames(systems, pool, 30);  // so that it knows what each system takes
  const background load{pool, static_cast<unsigned>(workers)};
  const times all = run_frames(systems, pool, static_cast<unsigned>(frames));

  const double path = percentile(alone.critical_paths, 0.5), p99 = percentile(all.frames, 0.99);
  std::printf("%zu systems, %d frames, critical path %.2f ms\n", systems.systems(), frames, path);
  std::printf("p50 %.2f ms, p99 %.2f ms (%.2f of the critical path), %u missed\n",
              percentile(all.frames, 0.5), p99, p99 / path, all.missed);
  std::printf("beside %u jobs in the background\n", load.done());
  return alone.is_complete && all.is_complete ? 0 : 1;
}
