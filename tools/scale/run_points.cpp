#include <bench/declared_work.hpp>
#include <poll.h>
#include <sys/wait.h>
#include <tools/scale/run_points.hpp>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

namespace filch::scaling {

using nlohmann::json;
using testing::hot_line;
using testing::hot_place;

namespace {

json place_json(const hot_place& of) {
  return {{"what", of.what}, {"function", of.function},   {"file", of.file},
          {"line", of.line}, {"waited_ns", of.waited_ns}, {"count", of.count}};
}

json line_json(const hot_line& of) {
  json places = json::array();
  for (const hot_place& each : of.places) places.push_back(place_json(each));
  return {{"share", of.share}, {"waited_ns", of.waited_ns}, {"places", places}};
}

hot_place place_of(const json& from) {
  return {from.at("what"), from.at("function"),  from.at("file"),
          from.at("line"), from.at("waited_ns"), from.at("count")};
}

hot_line line_of(const json& from) {
  hot_line made{from.at("share"), from.at("waited_ns"), {}};
  for (const json& each : from.at("places")) made.places.push_back(place_of(each));
  return made;
}

json result_json(const point& of) {
  const testing::scale_point& p = of.result;
  json hottest = json::array();
  for (const hot_line& each : p.hottest) hottest.push_back(line_json(each));
  return {{"ns", p.ns},
          {"timed_ns", of.timed_ns},
          {"nodes", of.nodes},
          {"cpu_ns", p.cpu_ns},
          {"spent_ns", p.spent_ns},
          {"waited_ns", p.waited_ns},
          {"paused_ns", p.paused_ns},
          {"accesses", p.accesses},
          {"steals_tried", p.steals_tried},
          {"steals_won", p.steals_won},
          {"parks", p.parks},
          {"wakes", p.wakes},
          {"hottest", hottest}};
}

point point_of(const point_request& asked, const json& from) {
  point made{.asked = asked};
  made.failure = from.value("failure", "");
  if (!made.failure.empty()) return made;
  testing::scale_point& p = made.result;
  p.workers = asked.workers;
  made.timed_ns = from.at("timed_ns");
  made.nodes = from.at("nodes");
  p.ns = from.at("ns");
  p.cpu_ns = from.at("cpu_ns");
  p.spent_ns = from.at("spent_ns");
  p.waited_ns = from.at("waited_ns");
  p.paused_ns = from.at("paused_ns");
  p.accesses = from.at("accesses");
  p.steals_tried = from.at("steals_tried");
  p.steals_won = from.at("steals_won");
  p.parks = from.at("parks");
  p.wakes = from.at("wakes");
  for (const json& each : from.at("hottest")) p.hottest.push_back(line_of(each));
  return made;
}

/// What the child writes: the point as JSON.
std::string run_for_parent(const point_request& asked, const run_options& how) {
  try {
    return to_json(run_point(asked, how)).dump();
  } catch (const std::exception& failure) {
    return json{{"failure", failure.what()}}.dump();
  }
}

/// A process that runs a point, and the pipe that its result comes through.
struct child {
  std::size_t index = 0;
  pid_t id = 0;
  int from = -1;
  std::string text;
};

[[noreturn]] void be_child(int to, const point_request& asked, const run_options& how) {
  const std::string text = run_for_parent(asked, how);
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(to, text.data() + at, text.size() - at);
    if (written < 0 && errno != EINTR) ::_exit(1);
    if (written > 0) at += static_cast<std::size_t>(written);
  }
  ::_exit(0);
}

child start(std::size_t index, const point_request& asked, const run_options& how) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::system_error{errno, std::generic_category(), "pipe"};
  std::fflush(nullptr);
  const pid_t id = ::fork();
  if (id < 0) throw std::system_error{errno, std::generic_category(), "fork"};
  if (id == 0) {
    ::close(ends[0]);
    be_child(ends[1], asked, how);
  }
  ::close(ends[1]);
  return {index, id, ends[0], {}};
}

/// Reads what has come. False: the child has ended.
bool read_more(child& of) {
  std::array<char, 65536> bytes{};
  const ssize_t count = ::read(of.from, bytes.data(), bytes.size());
  if (count < 0) return errno == EINTR;
  of.text.append(bytes.data(), static_cast<std::size_t>(count));
  return count > 0;
}

point end_of(child& of, const point_request& asked) {
  ::close(of.from);
  int status = 0;
  while (::waitpid(of.id, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status))
    return {.asked = asked, .failure = "killed by signal " + std::to_string(WTERMSIG(status))};
  const json read = json::parse(of.text, nullptr, false);
  if (read.is_discarded()) return {.asked = asked, .failure = "its process ended without result"};
  return point_of(asked, read);
}

}  // namespace

json to_json(const point& of) {
  json made = {{"workload", of.asked.what->name},
               {"purpose", of.asked.what->purpose},
               {"size", of.asked.size},
               {"size_is", of.asked.what->size_is},
               {"workers", of.asked.workers}};
  if (of.failure.empty()) {
    made.update(result_json(of));
  } else {
    made["failure"] = of.failure;
  }
  return made;
}

point run_point(const point_request& asked, const run_options& how) {
  bench::work.node_ns = how.node_ns >= 0 ? how.node_ns : asked.what->node_ns;
  const prepared ready = asked.what->make(asked.size);
  double nodes = 0;
  const std::array workers{asked.workers};
  const auto body = [&] {
    ready.reset();
    const double before = bench::work.nodes;
    ready.body();
    nodes = bench::work.nodes - before;
  };
  point made{.asked = asked};
  made.result = testing::scale(body, how.on, workers, {.seed = how.seed}).front();
  made.nodes = nodes;
  made.timed_ns = ready.timed_ns ? ready.timed_ns() : made.result.ns;
  made.failure = ready.check();
  return made;
}

std::vector<point> run_points(const std::vector<point_request>& requests, const run_options& how,
                              const std::function<void()>& done) {
  std::vector<point> all(requests.size());
  std::vector<child> running;
  for (std::size_t next = 0; next < requests.size() || !running.empty();) {
    while (next < requests.size() && running.size() < how.at_once) {
      running.push_back(start(next, requests[next], how));
      ++next;
    }
    std::vector<pollfd> waits;
    for (const child& each : running) waits.push_back({each.from, POLLIN, 0});
    if (::poll(waits.data(), waits.size(), -1) < 0) continue;
    for (std::size_t i = waits.size(); i-- > 0;) {
      if (waits[i].revents == 0 || read_more(running[i])) continue;
      all[running[i].index] = end_of(running[i], requests[running[i].index]);
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
      done();
    }
  }
  return all;
}

}  // namespace filch::scaling
