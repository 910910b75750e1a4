// Task graphs: the programs of the pages in docs/guide/how.
#include <filch/filch.hpp>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <future>
#include <map>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

// [graph]
using image = std::vector<int>;

image load(const std::string& path) { return image(1'000, static_cast<int>(path.size())); }
image shrink(const image& full) { return image(full.begin(), full.begin() + 10); }
long brightness(const image& full) { return std::accumulate(full.begin(), full.end(), 0L); }

// The graph is built once and run for each file. `shrink` and `brightness` run in parallel.
long convert(const std::vector<std::string>& paths) {
  long total = 0, written = 0;
  filch::task_graph graph;
  const filch::graph_input<std::string> path = graph.input<std::string>("path");
  const filch::graph_node<image> full = graph.emplace("load", load, path);
  const auto small = graph.emplace("shrink", shrink, full);
  const auto light = graph.emplace("brightness", brightness, full);
  const auto sum = graph.emplace(
      "combine", [](image own, long of_all) { return of_all + own[0]; }, small, light);
  graph.emplace("count", [&] { ++written; }).succeed(small);  // runs after it, and gets nothing
  for (const std::string& each : paths) {
    path.set(each);
    graph.run();         // returns when all nodes have ended
    total += sum.get();  // what `combine` returned
  }
  return total + written;
}
// [graph]

// [branch]
enum class way : unsigned char { known, unknown };

// A branch chooses `read` or `compute`; the other one is skipped.
long sum_of_squares(const std::vector<int>& numbers, std::map<int, long>& known) {
  filch::task_graph graph;
  const auto number = graph.input<int>("number");
  const auto look = [&](int of) { return known.contains(of) ? way::known : way::unknown; };
  const filch::graph_branch is_known = graph.branch("look", look, number);
  const auto read = graph.emplace(
      "read", [&](int of) { return known.at(of); }, number);
  const auto made = graph.emplace(
      "compute", [](int of) { return 1L * of * of; }, number);
  is_known.choose(way::known, read).choose(way::unknown, made);

  // Needs what `compute` returns, so it is skipped with it
  graph.emplace(
      "keep", [&](int of, long square) { known[of] = square; }, number, made);
  // Runs if one of the two has run. The pointer to the result of the other is null
  const auto either = [](const long* old, const long* square) { return old ? *old : *square; };
  const auto square = graph.emplace("either", either, read.optional(), made.optional());

  long sum = 0;
  for (const int each : numbers) {
    number.set(each);
    graph.run();
    sum += square.get();
  }
  return sum;
}
// [branch]

// [loop]
// Newton's method: the branch goes back to `step` until the root is good enough.
double root(double of) {
  double guess = 0;
  filch::task_graph graph;
  const auto begin = graph.emplace("begin", [&] { guess = of; });
  const auto step = graph.emplace("step", [&] { guess = (guess + of / guess) / 2; });
  const auto is_bad = [&] { return std::abs(guess * guess - of) > 1e-9 * of; };
  const auto again = graph.branch("again", is_bad, step);
  step.succeed(begin);
  again.choose(true, step);  // no node is chosen by false: the loop ends
  const auto done = graph.emplace("done", [&] { return guess; }).succeed(again);
  graph.run();
  return done.get();
}
// [loop]

// [limit]
struct peak {
  std::atomic<int> now{0}, most{0};
  void enter() {
    const int entered = ++now;
    for (int seen = most; seen < entered && !most.compare_exchange_weak(seen, entered);) {
    }
  }
  void leave() { --now; }
};

// Two of 100 downloads at a time. They wait without a worker, so others could go on meanwhile.
int most_downloads(peak& network) {
  filch::graph_limit connections{2};  // before the graph
  filch::task_graph graph;
  for (int i = 0; i < 100; ++i) {
    const auto data = graph.emplace("download", [&network, i]() -> filch::task<int> {
      network.enter();
      co_await filch::sleep_for(std::chrono::microseconds{100});
      network.leave();
      co_return i;
    });
    data.limited_by(connections);
    const auto check = [](int value) { return value % 7 == 0; };
    graph.emplace("check", check, data);  // not limited
  }
  graph.run();
  return network.most;
}
// [limit]

// [main_thread]
// A window may be drawn to by the thread that opened it, and by no other.
struct window {
  std::thread::id owner = std::this_thread::get_id();
  int frames = 0;
  void draw(const std::vector<float>&) { frames += std::this_thread::get_id() == owner ? 1 : 0; }
};

int run_frames(window& shown, int count) {
  filch::thread_queue main_thread;  // belongs to this thread; before the graph
  filch::task_graph frame;
  std::vector<float> places(1'000), speeds(1'000, 1);
  const auto accelerate = frame.emplace(
      "accelerate", [&] { filch::for_each(speeds, [](float& each) { each *= 0.99f; }); });
  const auto move = frame.emplace(
      "move", [&] { filch::transform(places, speeds, places.begin(), std::plus<>{}); });
  const auto draw = frame.emplace("draw", [&] { shown.draw(places); });
  move.succeed(accelerate);
  draw.succeed(move).on(main_thread);
  for (int i = 0; i < count; ++i) {
    main_thread.run_pending();  // what others have submitted since the last frame
    frame.run();                // runs `draw` on this thread, and the others where there is room
  }
  return shown.frames;
}
// [main_thread]

// [own_thread]
// A thread for a database handle that only one thread may use.
class database_thread {
 public:
  database_thread() : queue_{made_.get_future().get()} {}
  ~database_thread() {
    queue_.submit([this] { is_done_ = true; });
  }
  filch::thread_queue& queue() { return queue_; }

 private:
  void serve() {
    filch::thread_queue mine;
    made_.set_value(mine);
    mine.run_until([this] { return is_done_; });
  }
  bool is_done_ = false;
  std::promise<filch::thread_queue&> made_;
  std::jthread thread_{[this] { serve(); }};
  filch::thread_queue& queue_;
};

bool asks_on_its_thread(database_thread& database) {
  filch::task_graph graph;
  const auto rows = graph.emplace("ask", [] { return std::this_thread::get_id(); });
  rows.on(database.queue());
  graph.run();
  return rows.get() != std::this_thread::get_id();
}
// [own_thread]

// [report]
void work(int microseconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds{microseconds};
  while (std::chrono::steady_clock::now() < end) {
  }
}

filch::graph_report measured() {
  filch::task_graph graph;
  const auto read = graph.emplace("read", [] { work(200); });
  const auto parse = graph.emplace("parse", [] { work(800); });
  const auto index = graph.emplace("index", [] { work(300); });
  const auto write = graph.emplace("write", [] { work(100); });
  read.precede(parse, index);
  write.succeed(parse, index);
  graph.run();
  filch::graph_report report = graph.last_run();

  const auto us = [](std::chrono::nanoseconds of) { return static_cast<int>(of.count() / 1000); };
  std::printf("%d us, work %d us, critical path %d us\n", us(report.wall), us(report.work),
              us(report.span));
  for (const filch::graph_report::node& each : report.nodes)
    std::printf("%-5s %4d us, slack %4d us, twice as fast: %4d us%s\n", each.name.c_str(),
                us(each.time), us(each.slack), us(each.span_if_twice_as_fast),
                each.is_critical ? ", critical" : "");
  std::ofstream("graph.dot") << report.dot();  // dot -Tsvg graph.dot -o graph.svg
  std::ofstream("graph.json") << report.json();
  return report;
}
// [report]

bool check(const char* what, bool is_right) {
  if (!is_right) std::printf("%s: wrong\n", what);
  return is_right;
}

}  // namespace

int main() {
  bool is_right = check("graph", convert({"a", "bcd"}) == 1'001 + 3'003 + 2);
  std::map<int, long> squares;
  is_right &= check("branch", sum_of_squares({3, 4, 3}, squares) == 34 && squares.size() == 2);
  is_right &= check("loop", std::abs(root(2) - std::sqrt(2)) < 1e-6);
  peak network;
  is_right &= check("limit", most_downloads(network) <= 2);
  window shown;
  is_right &= check("main_thread", run_frames(shown, 10) == 10);
  database_thread database;
  is_right &= check("own_thread", asks_on_its_thread(database));
  const filch::graph_report report = measured();
  is_right &= check("report", report.nodes.size() == 4 && report.span <= report.work);
  return is_right ? 0 : 1;
}
