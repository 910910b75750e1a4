#include <filch/sched/pool/prometheus.hpp>

#include <filch/fork.hpp>

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <locale>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

using filch::thread_pool;
using filch::write_prometheus;

using labels = std::map<std::string, std::string>;

struct sample {
  std::string name;
  labels with;
  double value = 0;
};

struct family {
  std::string type, help;
  std::vector<sample> samples;
};

/// A page in format 0.0.4 as a scraper reads it; throws if the page breaks a rule of the format.
class parser {
 public:
  explicit parser(const std::string& page) {
    if (page.empty() || page.back() != '\n') throw std::runtime_error("the last line does not end");
    std::istringstream lines{page};
    for (std::string line; std::getline(lines, line);) {
      at_ = line;
      line.starts_with("# HELP ") ? help() : line.starts_with("# TYPE ") ? type() : value();
    }
  }
  std::map<std::string, family> families;

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw std::runtime_error(why + ": " + at_);
  }
  std::string word() {
    const std::size_t end = at_.find(' ');
    if (end == at_.npos || end == 0) refuse("a word is missing");
    std::string taken = at_.substr(0, end);
    at_.erase(0, end + 1);
    return taken;
  }
  void expect(const std::string& text) {
    if (!at_.starts_with(text)) refuse("not " + text);
    at_.erase(0, text.size());
  }
  void help() {
    expect("# HELP ");
    now_ = word();
    if (!families.try_emplace(now_).second) refuse("a family comes twice");
    families[now_].help = at_;
  }
  void type() {
    expect("# TYPE ");
    if (word() != now_) refuse("another family's help came before");
    families[now_].type = at_;
  }
  std::string name() {
    std::size_t end = 0;
    while (end < at_.size() &&
           (std::isalnum(static_cast<unsigned char>(at_[end])) || at_[end] == '_'))
      ++end;
    if (end == 0) refuse("a name is missing");
    std::string taken = at_.substr(0, end);
    at_.erase(0, end);
    return taken;
  }
  void value() {
    sample read;
    read.name = name();
    for (expect("{"); !at_.starts_with("}");) {
      const std::string label = name();
      expect("=\"");
      const std::size_t end = at_.find('"');
      if (end == at_.npos || !read.with.emplace(label, at_.substr(0, end)).second)
        refuse("a label without end, or twice");
      at_.erase(0, end + 1);
      if (!at_.starts_with("}")) expect(",");
    }
    expect("} ");
    const auto parsed = std::from_chars(at_.data(), at_.data() + at_.size(), read.value);
    if (parsed.ec != std::errc{} || parsed.ptr != at_.data() + at_.size()) refuse("no number");
    const std::string rest =
        read.name.starts_with(now_) ? read.name.substr(now_.size()) : "another family";
    const std::set<std::string> allowed = families[now_].type == "histogram"
                                              ? std::set<std::string>{"_bucket", "_sum", "_count"}
                                              : std::set<std::string>{""};
    if (!allowed.contains(rest)) refuse("a sample of no such family");
    if (!seen_.emplace(read.name, read.with).second) refuse("a sample comes twice");
    families[now_].samples.push_back(read);
  }

  std::string at_, now_;
  std::set<std::pair<std::string, labels>> seen_;
};

double limit_of(const sample& bucket) {
  const std::string& le = bucket.with.at("le");
  return le == "+Inf" ? std::numeric_limits<double>::infinity() : std::stod(le);
}

/// The buckets of each histogram are cumulative, and end in all there are; what else it has by the
/// name of the rest.
void check_histogram(const family& shown) {
  std::map<labels, std::vector<sample>> buckets;
  std::map<labels, double> counts, sums;
  for (const sample& each : shown.samples) {
    labels of = each.with;
    of.erase("le");
    if (each.with.contains("le")) buckets[of].push_back(each);
    if (each.name.ends_with("_count")) counts[of] = each.value;
    if (each.name.ends_with("_sum")) sums[of] = each.value;
  }
  ASSERT_FALSE(buckets.empty());
  EXPECT_EQ(counts.size(), buckets.size());
  EXPECT_EQ(sums.size(), buckets.size());
  for (const auto& [of, in_order] : buckets) {
    for (std::size_t i = 1; i < in_order.size(); ++i) {
      EXPECT_LT(limit_of(in_order[i - 1]), limit_of(in_order[i]));
      EXPECT_LE(in_order[i - 1].value, in_order[i].value);
    }
    EXPECT_TRUE(std::isinf(limit_of(in_order.back())));
    EXPECT_EQ(in_order.back().value, counts.at(of));
    EXPECT_GE(sums.at(of), 0);
  }
}

void check_conventions(const parser& page) {
  for (const auto& [name, of] : page.families) {
    EXPECT_TRUE(name.starts_with("filch_")) << name;
    EXPECT_FALSE(of.help.empty()) << name;
    EXPECT_EQ(of.type == "counter", name.ends_with("_total")) << name;
    for (const char* unit : {"_us", "_ms", "_ns", "micro", "nano"})
      EXPECT_EQ(name.find(unit), name.npos) << "the unit is the second";
    for (const sample& each : of.samples) EXPECT_TRUE(each.with.contains("pool")) << name;
    if (of.type == "histogram") check_histogram(of);
  }
}

parser page_of(const thread_pool& pool) {
  std::ostringstream text;
  write_prometheus(text, pool);
  return parser{text.str()};
}

double sum_of(const parser& page, const std::string& name) {
  double sum = 0;
  for (const sample& each : page.families.at(name).samples) sum += each.value;
  return sum;
}

/// A pool in which jobs were queued, injected, stolen and blocked.
void work_in(thread_pool& pool) {
  pool.warm_up();
  std::atomic<int> ran{0};
  for (int i = 0; i < 10; ++i) pool.submit([&] { ++ran; });
  while (ran != 10) std::this_thread::yield();
  pool.run([&] {
    filch::task_group jobs;
    for (int i = 0; i < 20; ++i) jobs.run([] { filch::blocking([] {}); });
    jobs.wait();
  });
}

TEST(prometheus, pages_keep_the_format_and_its_conventions) {
  thread_pool pool({.workers = 2});
  work_in(pool);
  const parser page = page_of(pool);
  EXPECT_GE(page.families.size(), 35u);
  check_conventions(page);
}

TEST(prometheus, pages_say_what_the_counters_say) {
  thread_pool pool({.workers = 2});
  work_in(pool);
  const parser page = page_of(pool);
  EXPECT_EQ(sum_of(page, "filch_blocking_entered_total"), 20);
  EXPECT_EQ(sum_of(page, "filch_jobs_injected_total"), 10);
  EXPECT_EQ(sum_of(page, "filch_visits_total"), 1);
  EXPECT_EQ(sum_of(page, "filch_slots"), 2);
}

TEST(prometheus, all_pools_of_the_process_are_told_apart) {
  thread_pool one({.workers = 1});
  thread_pool three({.workers = 3});
  std::ostringstream text;
  write_prometheus(text);
  std::map<std::string, double> slots;
  const parser page{text.str()};
  for (const sample& each : page.families.at("filch_slots").samples)
    slots[each.with.at("pool")] = each.value;
  EXPECT_EQ(slots.at(std::to_string(one.metrics().pool)), 1);
  EXPECT_EQ(slots.at(std::to_string(three.metrics().pool)), 3);
}

struct thousands : std::numpunct<char> {
  char do_thousands_sep() const override { return ','; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(prometheus, numbers_do_not_follow_the_locale_of_the_stream) {
  filch::metrics_snapshot much;
  much.pool = 1;
  much.workers.resize(1);
  much.workers[0].jobs_run = 1'234'567;
  std::ostringstream text;
  text.imbue(std::locale{std::locale::classic(), new thousands});
  write_prometheus(text, {&much, 1});
  EXPECT_EQ(sum_of(parser{text.str()}, "filch_jobs_run_total"), 1'234'567);
}

TEST(prometheus, durations_fall_into_cumulative_buckets_in_seconds) {
  filch::metrics_snapshot one;
  one.pool = 1;
  one.workers.resize(1);
  one.workers[0].wake_latency.counts[3] = 5;  // 4 to 8 us
  one.workers[0].wake_latency.counts[10] = 1;
  one.workers[0].wake_latency.counts.back() = 1;
  one.workers[0].wake_latency.sum_seconds = 12.5;
  std::ostringstream text;
  write_prometheus(text, {&one, 1});
  const family read = parser{text.str()}.families.at("filch_wake_latency_seconds");
  std::map<std::string, double> by_limit;
  for (const sample& each : read.samples) {
    if (each.with.contains("le")) by_limit[each.with.at("le")] = each.value;
    if (each.name.ends_with("_sum")) {
      EXPECT_EQ(each.value, 12.5);
    }
  }
  EXPECT_EQ(by_limit.at("4e-06"), 0);
  EXPECT_EQ(by_limit.at("8e-06"), 5);
  EXPECT_EQ(by_limit.at("0.001024"), 6);
  EXPECT_EQ(by_limit.at("+Inf"), 7);
  check_conventions(parser{text.str()});
}

}  // namespace
