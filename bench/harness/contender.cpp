#include <bench/harness/contender.hpp>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <sys/resource.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

namespace bench {
namespace {

/// Peak resident memory. Not `ru_maxrss` on Linux: that one survives exec and would report the
/// runner's own peak.
std::int64_t peak_rss_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::int64_t kib = 0;
    if (word == "VmHWM:" && status >> kib) return kib;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

}  // namespace

contender::contender(int argc, char** argv, const identity& who)
    : who_{who}, size_{who.size}, variant_{who.variant} {
  CLI::App app{std::string("Times ") + who.problem + " with " + who.peer +
               "; one JSON line a repeat."};
  app.add_option("--workers", workers_, "number of workers")->check(CLI::Range(1, 1024));
  app.add_option("--repeat", repeat_, "number of timed repeats")->check(CLI::Range(1, 1'000'000));
  app.add_option("--size", size_, "size of the problem")->check(CLI::NonNegativeNumber);
  app.add_option("--case", variant_, "variant of the problem");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error));
  }
}

void contender::require(bool holds, const std::string& message) const {
  if (holds) return;
  std::cerr << "bench_" << who_.problem << '_' << who_.peer << ": " << message << '\n';
  std::exit(2);
}

void contender::report(const values& measured, const std::string& complaint) {
  nlohmann::ordered_json line{
      {"problem", who_.problem}, {"peer", who_.peer}, {"workers", workers_}, {"size", size_}};
  if (!variant_.empty()) line["case"] = variant_;
  for (const auto& [name, value] : measured) line[name] = value;
  if (more_ && line.contains("seconds")) {
    for (const auto& [name, value] : more_(line["seconds"])) line[name] = value;
  }
  line["correct"] = complaint.empty();
  line["peak_rss_kib"] = peak_rss_kib();
  std::cout << line << std::endl;
  if (complaint.empty()) return;
  std::cerr << "bench_" << who_.problem << '_' << who_.peer << ": " << complaint << '\n';
  all_correct_ = false;
}

}  // namespace bench
