// Counts by key: filch on one worker and on more beside a serial `std::unordered_map`, from 10 keys
// to 10^7, each as frequent as the others or by Zipf's law, numbers and words. A ratio is how many
// times faster filch is. The second ratio is of processor time, divided evenly: on a machine with
// other work it tells what the clock would say on an idle one.
#include <bench/harness/contender.hpp>
#include <bench/harness/median.hpp>
#include <filch/algo.hpp>
#include <filch/base/rng.hpp>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

struct plan {
  std::size_t size = 10'000'000;
  unsigned rounds = 3, workers = 2;
  std::vector<double> keys{1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
  std::string json;
};

struct cost {
  double wall_ms, processor_ms;
};

double processor_ms() { return static_cast<double>(std::clock()) * 1e3 / CLOCKS_PER_SEC; }

/// What `f()` takes, without freeing what it returns.
template <class F>
cost cost_of(F f, std::size_t& keys) {
  const double begin = bench::now_seconds(), spent = processor_ms();
  const auto result = f();
  const cost taken{(bench::now_seconds() - begin) * 1e3, processor_ms() - spent};
  keys = result.size();
  return taken;
}

cost median_of(const std::vector<cost>& all) {
  std::vector<double> wall, processor;
  for (const cost& each : all) {
    wall.push_back(each.wall_ms);
    processor.push_back(each.processor_ms);
  }
  return {bench::median(wall), bench::median(processor)};
}

/// Keys from 0, each as frequent as the others, or key k as 1 / (k + 1).
std::vector<std::uint64_t> drawn(std::size_t size, double keys, bool are_skewed) {
  std::vector<std::uint64_t> all(size);
  filch::base::split_mix64 random{1};
  for (std::uint64_t& each : all) {
    const double at = static_cast<double>(random() >> 11) * 0x1p-53;
    const double key = are_skewed ? std::exp(at * std::log(keys + 1)) - 1 : at * keys;
    each = static_cast<std::uint64_t>(key);
  }
  return all;
}

template <class T>
nlohmann::json row(const plan& p, const std::string& title, const std::vector<T>& in) {
  filch::thread_pool one({.workers = 1}), more({.workers = p.workers});
  one.warm_up();
  more.warm_up();
  std::vector<cost> serial, alone, together;
  std::size_t expected = 0, found = 0;
  for (unsigned round = 0; round != p.rounds; ++round) {
    const auto count = [&] {
      std::unordered_map<T, std::uint64_t> counts;
      for (const T& each : in) ++counts[each];
      return counts;
    };
    serial.push_back(cost_of(count, expected));
    for (auto* pool : {&one, &more}) {
      const auto by_filch = [&] { return filch::count_by_key(filch::with(*pool), in); };
      (pool == &one ? alone : together).push_back(cost_of(by_filch, found));
      if (found != expected) throw std::runtime_error("keys are missing");
    }
  }
  const cost s = median_of(serial), a = median_of(alone), t = median_of(together);
  const double processors = p.workers;
  std::printf("| %-16s | %8zu | %7.1f | %7.1f | %5.2f | %5.2f | %7.1f | %5.2f | %5.2f |\n",
              title.c_str(), expected, s.wall_ms, a.wall_ms, s.wall_ms / a.wall_ms,
              s.processor_ms / a.processor_ms, t.wall_ms, s.wall_ms / t.wall_ms,
              processors * s.processor_ms / t.processor_ms);
  std::fflush(stdout);
  return {{"what", title},
          {"keys", expected},
          {"serial_ms", s.wall_ms},
          {"one_ms", a.wall_ms},
          {"more_ms", t.wall_ms},
          {"serial_processor_ms", s.processor_ms},
          {"one_processor_ms", a.processor_ms},
          {"more_processor_ms", t.processor_ms}};
}

void measure(const plan& p) {
  std::printf("| what | keys | serial, ms | 1 worker, ms | faster | by processor time ");
  std::printf("| %u workers, ms | faster | by processor time |\n", p.workers);
  std::printf("|---|---|---|---|---|---|---|---|---|\n");
  nlohmann::json rows;
  for (const double keys : p.keys) {
    for (const bool are_skewed : {false, true}) {
      const std::string how = are_skewed ? "skewed" : "even";
      const auto numbers = drawn(p.size, keys, are_skewed);
      rows.push_back(row(p, "numbers, " + how, numbers));
      std::vector<std::string> words;
      for (const std::uint64_t each : numbers) words.push_back("word" + std::to_string(each));
      rows.push_back(row(p, "words, " + how, words));
    }
  }
  if (!p.json.empty()) std::ofstream(p.json) << rows.dump(1) << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  plan p;
  CLI::App app("Counts by key: filch beside a serial hash table");
  app.add_option("--size", p.size, "elements")->check(CLI::PositiveNumber);
  app.add_option("--rounds", p.rounds, "of which the medians are printed")
      ->check(CLI::PositiveNumber);
  app.add_option("--workers", p.workers, "of the second pool")->check(CLI::PositiveNumber);
  app.add_option("--keys", p.keys, "how many keys")->check(CLI::PositiveNumber);
  app.add_option("--json", p.json, "a file for the figures");
  CLI11_PARSE(app, argc, argv);
  measure(p);
  return 0;
}
