// What a graph tells of its last run.
#include <filch/graph/graph_on_test.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace filch::inline v0_2 {
namespace {

using namespace std::chrono_literals;

class graph_reports : public graph_on {};
INSTANTIATE_TEST_SUITE_P(workers, graph_reports, widths_of_graphs);

void compute_for(std::chrono::microseconds length) {
  const auto end = std::chrono::steady_clock::now() + length;
  while (std::chrono::steady_clock::now() < end) {
  }
}

/// The longest way through the nodes of `report`, each taking `ns`.
std::int64_t longest(const graph_report& report, const std::vector<std::int64_t>& ns) {
  std::vector<std::int64_t> after(report.nodes.size());
  std::int64_t span = 0;
  for (std::size_t i = report.nodes.size(); i-- != 0;) {
    for (const std::uint32_t next : report.nodes[i].successors)
      after[i] = std::max(after[i], after[next]);
    after[i] += ns[i];
    span = std::max(span, after[i]);
  }
  return span;
}

TEST_P(graph_reports, span_slack_and_speed_ups_are_those_of_a_search) {
  std::mt19937 random{7};
  for (int trial = 0; trial < 20; ++trial) {
    task_graph g;
    std::vector<graph_node<>> nodes;
    for (std::size_t i = 0; i < 40; ++i) {
      nodes.push_back(g.emplace(
          [&, length = random() % 30] { compute_for(std::chrono::microseconds(length)); }));
      for (std::size_t e = 0; i > 0 && e < random() % 3; ++e) nodes[random() % i].precede(nodes[i]);
    }
    g.run(with(pool));
    const graph_report report = g.last_run();
    ASSERT_EQ(report.nodes.size(), nodes.size());
    std::vector<std::int64_t> ns;
    std::int64_t work = 0;
    for (const auto& each : report.nodes) {
      ns.push_back(each.time.count());
      work += ns.back();
    }
    const std::int64_t span = longest(report, ns);
    EXPECT_EQ(report.span.count(), span);
    EXPECT_EQ(report.work.count(), work);
    for (std::size_t i = 0; i < ns.size(); ++i) {
      std::vector<std::int64_t> other = ns;
      other[i] += report.nodes[i].slack.count();
      EXPECT_EQ(longest(report, other), span) << "a node may take its slack longer";
      ++other[i];
      EXPECT_EQ(longest(report, other), span + 1) << "but no more";
      other[i] = ns[i] - ns[i] / 2;
      EXPECT_EQ(report.nodes[i].span_if_twice_as_fast.count(), longest(report, other));
      EXPECT_EQ(report.nodes[i].is_critical, report.nodes[i].slack.count() == 0);
      for (const std::uint32_t next : report.nodes[i].successors) EXPECT_GT(next, i);
    }
  }
}

TEST_P(graph_reports, times_are_those_of_the_functions) {
  task_graph g;
  const auto slow = g.emplace("slow", [] { compute_for(3ms); });
  const auto fast = g.emplace("fast", [] {});
  const auto waits = g.emplace("waits", []() -> task<> { co_await sleep_for(4ms); });
  slow.precede(fast);
  waits.precede(fast);
  g.run(with(pool));
  EXPECT_GE(slow.time(), 2900us);
  EXPECT_GE(waits.time(), 3900us);
  EXPECT_LT(fast.time(), 2ms);
  const graph_report report = g.last_run();
  EXPECT_GE(report.wall, 3900us);
  EXPECT_LE(report.span, report.wall + 1ms);
}

TEST_P(graph_reports, workers_are_those_of_the_pool) {
  task_graph g;
  std::vector<graph_node<unsigned>> nodes;
  for (int i = 0; i < 50; ++i) nodes.push_back(g.emplace([] { return worker_index(); }));
  g.run(with(pool));
  for (const auto& each : nodes) EXPECT_EQ(each.worker(), each.get());
}

TEST(graph_report, a_graph_that_has_not_run_since_it_was_changed_has_none) {
  task_graph g;
  EXPECT_TRUE(g.last_run().nodes.empty());
  const auto node = g.emplace([] {});
  EXPECT_EQ(node.outcome(), node_outcome::none);
  EXPECT_EQ(node.time(), 0ns);
  EXPECT_EQ(node.worker(), no_worker);
  g.run();
  EXPECT_EQ(g.last_run().nodes.size(), 1u);
  g.emplace([] {});
  EXPECT_TRUE(g.last_run().nodes.empty());
  EXPECT_EQ(node.outcome(), node_outcome::none);
}

void a_function_with_a_name() {}

TEST(graph_report, nodes_have_the_names_given_to_them_or_those_of_their_functions) {
  task_graph g;
  EXPECT_EQ(g.emplace("given", [] {}).name(), "given");
  EXPECT_EQ(g.emplace(std::string("a string"), [] {}).name(), "a string");
  EXPECT_EQ(g.input<int>("frame").name(), "frame");
  EXPECT_FALSE(g.emplace([] {}).name().empty());
  EXPECT_FALSE(g.emplace(&a_function_with_a_name).name().empty());
}

/// Whether `text` is one JSON value, and how far it goes.
class json_reader {
 public:
  static bool accepts(const std::string& text) {
    json_reader reader{text};
    reader.value();
    reader.space();
    return reader.is_right_ && reader.at_ == text.size();
  }

 private:
  explicit json_reader(const std::string& text) : text_{text} {}
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void space() {
    while (peek() == '\n' || peek() == ' ') ++at_;
  }
  bool take(char wanted) {
    space();
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }
  void need(bool holds) { is_right_ &= holds; }
  void value() {
    space();
    if (peek() == '{' || peek() == '[') return list(peek() == '{');
    if (peek() == '"') return string();
    const std::size_t begin = at_;
    while (std::isalnum(static_cast<unsigned char>(peek())) || peek() == '-') ++at_;
    need(at_ != begin);
  }
  void list(bool is_object) {
    ++at_;
    const char end = is_object ? '}' : ']';
    if (take(end)) return;
    do {
      space();
      if (is_object) string(), need(take(':'));
      value();
    } while (is_right_ && take(','));
    need(take(end));
  }
  void string() {
    need(take('"'));
    for (; at_ < text_.size() && peek() != '"'; ++at_) {
      need(static_cast<unsigned char>(peek()) >= 0x20);
      if (peek() == '\\') ++at_;
    }
    need(take('"'));
  }
  const std::string& text_;
  std::size_t at_ = 0;
  bool is_right_ = true;
};

TEST(graph_report, json_and_dot_can_be_read_whatever_the_names_are) {
  EXPECT_FALSE(json_reader::accepts("{\"a\":}"));
  task_graph g;
  EXPECT_TRUE(json_reader::accepts(g.last_run().json()));
  const auto first = g.emplace("\"quoted\" \\ \n and \x01", [] {});
  const auto second = g.emplace("second", [] { throw std::runtime_error("as the test wants"); });
  first.precede(second);
  second.precede(g.emplace("never", [] {}));
  EXPECT_THROW(g.run(), std::runtime_error);
  const graph_report report = g.last_run();
  EXPECT_TRUE(json_reader::accepts(report.json())) << report.json();
  EXPECT_TRUE(contains(report.json(), "\\\"quoted\\\" \\\\ \\n and \\u0001")) << report.json();
  for (const char* const each : {"\"ran\"", "\"failed\"", "\"cancelled\""})
    EXPECT_TRUE(contains(report.json(), each)) << report.json();
  EXPECT_TRUE(contains(report.dot(), "0 -> 1")) << report.dot();
  EXPECT_TRUE(contains(report.dot(), "1 -> 2")) << report.dot();
}

}  // namespace
}  // namespace filch
