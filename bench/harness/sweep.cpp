// What bench/run.py does if there is neither Python nor a compiler: runs the contenders of a
// bundle in turn, by the same rules, and writes what `bench/run.py --merge` reads. The rules are
// those of sampling.py, cells.py and settling.py.
#include <bench/harness/energy.hpp>
#include <bench/harness/foreign_load.hpp>
#include <bench/harness/machine_facts.hpp>
#include <bench/harness/settling.hpp>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using nlohmann::json;
namespace fs = std::filesystem;
namespace energy = bench::energy;
namespace foreign_load = bench::foreign_load;
namespace machine_facts = bench::machine_facts;

constexpr int seconds_before_giving_up = 600;
constexpr unsigned most_rounds_for_one = 3;

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct finished {
  std::string output;
  int status = 0;
  double own_seconds = 0;
};

/// Whether there is something to read, or the end of it, before `until`.
bool comes_before(double until, int file) {
  for (double left = until - now_seconds(); left > 0; left = until - now_seconds()) {
    pollfd input{file, POLLIN, 0};
    if (::poll(&input, 1, static_cast<int>(left * 1000) + 1) > 0) return true;
  }
  return false;
}

/// Runs a program to its end, or until its time is up: then it is killed, as some catch what could
/// be caught.
finished run(const std::vector<std::string>& words) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  finished done;
  char buffer[4096];
  const double until = now_seconds() + seconds_before_giving_up;
  bool is_in_time = comes_before(until, ends[0]);
  for (ssize_t count; is_in_time && (count = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    done.output.append(buffer, static_cast<std::size_t>(count));
    is_in_time = comes_before(until, ends[0]);
  }
  ::close(ends[0]);
  if (!is_in_time) ::kill(child, SIGKILL);
  rusage used{};
  ::wait4(child, &done.status, 0, &used);
  done.own_seconds = foreign_load::seconds_of(used);
  return done;
}

/// Whether what the case names is a folder that is not on this machine.
bool is_missing_folder(const json& name) {
  std::error_code none;
  return name.is_string() && name.get<std::string>().starts_with('/') &&
         !fs::is_directory(name.get<std::string>(), none);
}

/// The median of each number over the lines of one run. Throws if a result is wrong or missing.
json medians(const std::string& output) {
  std::map<std::string, std::vector<double>> columns;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const json row = json::parse(line);
    if (!row.at("correct").get<bool>()) throw std::runtime_error("computed a wrong result");
    for (const auto& [name, value] : row.items()) {
      if (value.is_number()) columns[name].push_back(value.get<double>());
    }
  }
  if (columns.empty()) throw std::runtime_error("printed no sample");
  json values = json::object();
  for (const auto& [name, column] : columns) values[name] = bench::settling::median(column);
  return values;
}

/// A cell of the grid as the JSON that is kept of it, with how many samples of it were undisturbed.
struct cell {
  json kept;
  unsigned undisturbed = 0;
  double seconds = 0;

  /// Null if there are too few samples to know, or no time among what the program prints.
  json settled() const {
    std::vector<double> times;
    for (const json& sample : kept["samples"]) {
      if (!sample["values"].contains("seconds")) return nullptr;
      if (!sample["disturbed"].get<bool>()) times.push_back(sample["values"]["seconds"]);
    }
    if (bench::settling::rank(times.size()) == 0) return nullptr;
    return bench::settling::is_settled(times);
  }

  bool complete(unsigned wanted, unsigned most) const {
    if (!kept["failure"].is_null() || !kept["skipped"].is_null()) return true;
    if (undisturbed < wanted) return false;
    return settled() != false || undisturbed >= most || seconds >= bench::settling::most_seconds;
  }
};

std::vector<std::string> command_of(const json& kept, const fs::path& programs) {
  const std::string name =
      "bench_" + kept["problem"].get<std::string>() + "_" + kept["peer"].get<std::string>();
  std::vector<std::string> words{programs / name, "--workers", kept["workers"].dump(), "--repeat",
                                 kept["repeat"].dump()};
  if (!kept["size"].is_null()) words.insert(words.end(), {"--size", kept["size"].dump()});
  if (!kept["case"].is_null())
    words.insert(words.end(), {"--case", kept["case"].get<std::string>()});
  return words;
}

void sample_into(cell& each, const fs::path& programs) try {
  const std::map<fs::path, double> joules_before = energy::joules_so_far();
  const double busy_before = foreign_load::machine_busy_seconds(), start = now_seconds();
  const finished done = run(command_of(each.kept, programs));
  const double seconds = now_seconds() - start;
  const double foreign =
      std::max(0.0, foreign_load::machine_busy_seconds() - busy_before - done.own_seconds);
  if (WIFSIGNALED(done.status) && WTERMSIG(done.status) == SIGKILL)
    throw std::runtime_error("was killed, as after " + std::to_string(seconds_before_giving_up) +
                             " s without an end");
  if (done.status != 0)
    throw std::runtime_error("ended badly, status " + std::to_string(done.status));
  const bool disturbed = foreign_load::disturbs(foreign, seconds);
  json values = medians(done.output);
  values["cpu_seconds"] = done.own_seconds;
  if (!joules_before.empty())
    values["joules"] = energy::joules_between(joules_before, energy::joules_so_far());
  each.undisturbed += disturbed ? 0 : 1;
  each.seconds += seconds;
  each.kept["samples"].push_back({{"values", values},
                                  {"seconds", seconds},
                                  {"foreign_seconds", foreign},
                                  {"disturbed", disturbed}});
} catch (const std::exception& error) {
  each.kept["failure"] = error.what();
}

/// All cells once a round, each round in another order, until each has enough undisturbed samples:
/// `wanted`, and up to `most` until its median settles. One round at least; a further one begins
/// before `until` only.
void measure(std::vector<cell>& cells, unsigned wanted, unsigned most, const fs::path& programs,
             double until) {
  std::mt19937 order(1);
  for (unsigned turn = 0;
       turn != most_rounds_for_one * wanted && (turn == 0 || now_seconds() < until); ++turn) {
    std::vector<cell*> waiting;
    for (cell& each : cells) {
      if (!each.complete(wanted, most)) waiting.push_back(&each);
    }
    std::ranges::shuffle(waiting, order);
    for (cell* each : waiting) sample_into(*each, programs);
  }
}

std::vector<cell> cells_of(const json& lines, const std::string& problem,
                           const std::vector<unsigned>& worker_counts, unsigned wanted) {
  std::vector<cell> cells;
  for (const json& line : lines) {
    if (line["problem"] != problem) continue;
    const bool alone = line["peer"] == "serial" || line.value("alone", false),
               once_forks = line["peer"] == "async";
    for (const unsigned workers : alone ? std::vector<unsigned>{1} : worker_counts) {
      if (once_forks && workers == 1) continue;
      cell each{line};
      each.kept.erase("alone");
      each.kept.update(
          {{"workers", workers},
           {"failure", nullptr},
           {"skipped",
            is_missing_folder(line["case"]) ? json("there is no such folder") : json(nullptr)},
           {"samples", json::array()},
           {"samples_wanted", wanted}});
      cells.push_back(each);
    }
  }
  return cells;
}

/// All samples are there. If a limit cut them short, those there are must do.
void conclude(cell& each, unsigned wanted, bool has_limit) {
  const unsigned enough = has_limit ? std::clamp(each.undisturbed, 1u, wanted) : wanted;
  each.kept["samples_wanted"] = enough;
  each.kept["disturbed"] = each.undisturbed < enough;
  each.kept["settled"] = each.settled();
  if (!each.kept["failure"].is_null())
    std::cerr << "  failed: " << each.kept["peer"] << ' ' << each.kept["failure"] << '\n';
}

/// After each problem: a sweep that is cut short keeps what it has.
void keep(const json& all, const fs::path& output) {
  if (std::ofstream file(output); !(file << all.dump(1) << '\n' << std::flush))
    throw std::runtime_error("cannot write " + output.string());
}

std::vector<std::string> problems_of(const json& lines) {
  std::vector<std::string> problems;
  for (const json& line : lines) {
    if (problems.empty() || problems.back() != line["problem"].get<std::string>())
      problems.push_back(line["problem"]);
  }
  return problems;
}

std::vector<unsigned> usual_counts() {
  std::vector<unsigned> counts;
  for (unsigned count = 1; count < machine_facts::usable_cores(); count *= 2)
    counts.push_back(count);
  counts.push_back(machine_facts::usable_cores());
  return counts;
}

struct request {
  fs::path folder, output = "sweep.json";
  std::vector<unsigned> worker_counts = usual_counts();
  std::vector<std::string> problems;
  unsigned wanted = 0, most = 0;
  double minutes = 0;
  bool quick = false;
};

void add_options(CLI::App& app, request& asked) {
  app.add_option("--json", asked.output, "where to write; default: sweep.json");
  app.add_option("--workers", asked.worker_counts,
                 "numbers of workers; default: powers of two, and all cores")
      ->delimiter(',')
      ->check(CLI::Range(1, 1024));
  app.add_option("--problem", asked.problems, "only this problem; may be repeated");
  app.add_option("--samples", asked.wanted,
                 "undisturbed samples of each cell; default: 5, and up to 11 until the median "
                 "settles; quick: 1")
      ->check(CLI::Range(1, 1000));
  app.add_option("--minutes", asked.minutes,
                 "measure for about so long: each problem once, and more of it while its share of "
                 "the time lasts")
      ->check(CLI::PositiveNumber);
  app.add_flag("--quick", asked.quick, "small sizes: shows that it works, proves nothing");
}

/// Measures all problems, and keeps them in `kept` and its file. Whether no cell has failed.
bool measure_all(const request& asked, const json& lines, json& kept) {
  bool failed = false;
  const double ends_at = asked.minutes > 0 ? now_seconds() + 60 * asked.minutes
                                           : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i != asked.problems.size(); ++i) {
    const std::string& problem = asked.problems[i];
    std::vector<cell> cells = cells_of(lines, problem, asked.worker_counts, asked.wanted);
    std::cerr << problem << ": " << cells.size() << " cells" << std::endl;
    const double begins_at = now_seconds(),
                 share = (ends_at - begins_at) / static_cast<double>(asked.problems.size() - i);
    measure(cells, asked.wanted, asked.most, asked.folder / "bin", begins_at + share);
    for (cell& each : cells) {
      conclude(each, asked.wanted, asked.minutes > 0);
      failed = failed || !each.kept["failure"].is_null();
      kept["cells"].push_back(each.kept);
    }
    keep(kept, asked.output);
  }
  return !failed;
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app{
      "Measures the contenders of this folder in turn; keeps what bench/run.py --merge reads."};
  request asked;
  asked.folder = fs::path(argv[0]).parent_path();
  add_options(app, asked);
  CLI11_PARSE(app, argc, argv);
  asked.most = asked.wanted == 0 && !asked.quick ? bench::settling::most : asked.wanted;
  if (asked.wanted == 0) asked.wanted = asked.quick ? 1 : bench::settling::least;

  std::ifstream grid_file(asked.folder / "grid.json");
  const json grid = json::parse(grid_file, nullptr, false);
  if (grid.is_discarded()) {
    std::cerr << asked.folder / "grid.json"
              << " cannot be read: this program runs in the folder that bench/bundle made\n";
    return 2;
  }
  const json& lines = grid[asked.quick ? "quick" : "full"];
  const std::vector<std::string> known = problems_of(lines);
  for (const std::string& each : asked.problems) {
    if (std::ranges::find(known, each) != known.end()) continue;
    std::cerr << "there is no problem " << each << " here\n";
    return 2;
  }
  if (asked.problems.empty()) asked.problems = known;
  json kept{{"date", machine_facts::today()},
            {"command", "run-sweep.sh"},
            {"machine", machine_facts::all(grid["machine"])},
            {"left_out", json::array()},
            {"rows", json::array()},
            {"cells", json::array()}};
  if (!std::ofstream(asked.output, std::ios::app)) {
    std::cerr << "cannot write " << asked.output << '\n';
    return 2;
  }
  const bool is_whole = measure_all(asked, lines, kept);
  std::cerr << "kept in " << asked.output << '\n';
  return is_whole ? 0 : 1;
} catch (const std::exception& problem) {
  std::cerr << problem.what() << '\n';
  return 1;
}
