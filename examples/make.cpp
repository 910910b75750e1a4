// A parallel make. It reads rules in the plain form of make: targets, prerequisites and commands.
// What is out of date runs: each rule is a node of a task graph, and `-j` is a limit that nodes
// hold while their processes run.
//
//     example_make [-f FILE] [-j N] [-k] [-n] [TARGET...]
//
// Exit code: 0 all is up to date, 1 a command failed, 2 misuse, or rules that cannot be followed.
#include <filch/fork.hpp>
#include <filch/graph.hpp>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace {

namespace fs = std::filesystem;

// -------------------------------------------------------------------------------------------------
// rules
struct rule {
  std::vector<std::string> prerequisites, commands;
  std::optional<bool> is_stale;  ///< Known after `look`.
  bool is_looked_at = false;
  bool has_failed = false;  ///< Its command, or one that it needs. Read by nodes that come after.
};
using rules = std::map<std::string, rule>;

struct misuse : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Adds the rules of `file`; `first` becomes the first target.
void read(std::istream& file, rules& all, std::string& first) {
  std::vector<rule*> now;  // those of the last line with a colon
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const std::string where = "line " + std::to_string(number) + ": ";
    if (const std::size_t text = line.find_first_not_of(" \t"); text == std::string::npos) {
      continue;
    } else if (text != 0) {
      if (now.empty()) throw misuse(where + "a command without a target");
      for (rule* each : now) each->commands.push_back(line.substr(text));
      continue;
    }
    if (line[0] == '#') continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) throw misuse(where + "no colon after the target");
    std::istringstream targets(line.substr(0, colon));
    now.clear();
    for (std::string target; targets >> target;) {
      if (first.empty()) first = target;
      std::istringstream words(line.substr(colon + 1));
      for (std::string word; words >> word;) all[target].prerequisites.push_back(word);
      now.push_back(&all[target]);
    }
  }
}

/// Whether `target` must be made. Looks at what it needs, too.
bool look(const std::string& target, rules& all) {
  std::error_code missing;
  const fs::file_time_type made = fs::last_write_time(target, missing);
  const auto found = all.find(target);
  if (found == all.end()) {
    if (missing) throw misuse("no rule makes " + target);
    return false;
  }
  rule& its = found->second;
  if (its.is_looked_at) return its.is_stale.value_or(true);  // in a circle, which `run` refuses
  its.is_looked_at = true;
  bool is_stale = static_cast<bool>(missing);
  for (const std::string& each : its.prerequisites) {
    if (look(each, all) || (!missing && fs::last_write_time(each) > made)) is_stale = true;
  }
  its.is_stale = is_stale;
  return is_stale;
}

// -------------------------------------------------------------------------------------------------
// progress
/// One line for each command: on a terminal the same line, elsewhere one below the other.
class progress {
 public:
  explicit progress(std::size_t total) : total_{total} {}

  void begin(const std::string& command) {
    const std::lock_guard guard{lock_};
    std::printf("%s[%zu/%zu] %s%s", is_terminal_ ? "\r" : "", ++begun_, total_, command.c_str(),
                is_terminal_ ? "\x1b[K" : "\n");
    std::fflush(stdout);
  }
  /// `output` is all that the command has written.
  void end(const std::string& target, const std::string& output, int status) {
    const std::lock_guard guard{lock_};
    if (is_terminal_ && (status != 0 || !output.empty())) std::puts("");
    std::fputs(output.c_str(), stdout);
    if (status != 0) std::printf("failed: %s, exit code %d\n", target.c_str(), status);
    std::fflush(stdout);
  }
  void close() const {
    if (is_terminal_ && begun_ != 0) std::puts("");
  }

 private:
  const bool is_terminal_ = isatty(STDOUT_FILENO) == 1;
  const std::size_t total_;
  std::mutex lock_;
  std::size_t begun_ = 0;
};

// -------------------------------------------------------------------------------------------------
// processes
struct file_closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// Runs `command` by the shell, waits for its end, and returns its exit code. Blocks.
int run_process(const std::string& command, std::string& output) {
  const std::unique_ptr<std::FILE, file_closer> said{std::tmpfile()};
  if (said == nullptr) throw std::system_error(errno, std::generic_category(), "a file for output");
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, fileno(said.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(said.get()), STDERR_FILENO);
  std::string words[] = {"sh", "-c", command};
  char* const arguments[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawn(&child, "/bin/sh", &files, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw std::system_error(error, std::generic_category(), "/bin/sh");
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::rewind(said.get());
  for (int next = std::fgetc(said.get()); next != EOF; next = std::fgetc(said.get()))
    output.push_back(static_cast<char>(next));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// -------------------------------------------------------------------------------------------------
// the graph
struct options {
  std::string file = "build.txt";
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  bool keeps_going = false;
  bool is_dry = false;
  std::vector<std::string> targets;
};

struct command_failed : std::exception {};

class build {
 public:
  build(const options& how, rules& all)
      : how_{how}, rules_{all}, processes_{how.jobs}, told_{count_commands()} {
    for (auto& [target, its] : rules_)
      if (its.is_stale.value_or(false)) add(target, its);
    for (auto& [target, its] : rules_) {
      for (const std::string& each : its.prerequisites)
        if (nodes_.contains(target) && nodes_.contains(each))
          nodes_.at(target).succeed(nodes_.at(each));
    }
  }
  /// Returns whether all commands have succeeded.
  /// Throws: `std::logic_error` that names the targets of a circle.
  bool run() {
    bool is_well = true;
    try {
      graph_.run();
    } catch (const command_failed&) {
      is_well = false;
    }
    told_.close();
    for (const auto& [target, its] : rules_) is_well = is_well && !its.has_failed;
    return is_well;
  }

 private:
  std::size_t count_commands() const {
    std::size_t count = 0;
    for (const auto& [target, its] : rules_)
      if (its.is_stale.value_or(false)) count += its.commands.size();
    return count;
  }
  // [make]
  void add(const std::string& target, rule& its) {
    const auto node = graph_.emplace(target, [&] {
      for (const std::string& each : its.prerequisites) {
        const auto needed = rules_.find(each);
        if (needed != rules_.end() && needed->second.has_failed) its.has_failed = true;
      }
      if (its.has_failed) return;
      for (const std::string& each : its.commands)
        if (!succeeds(target, each)) {
          its.has_failed = true;
          // An exception cancels the nodes that have not begun, and leaves `run`
          if (!how_.keeps_going) throw command_failed{};
          return;
        }
    });
    node.limited_by(processes_);
    nodes_.emplace(target, node);
  }
  bool succeeds(const std::string& target, const std::string& command) {
    told_.begin(command);
    if (how_.is_dry) return true;
    std::string output;
    // While this thread waits for the process, another one takes its place in the pool
    const int status = filch::blocking([&] { return run_process(command, output); });
    told_.end(target, output, status);
    return status == 0;
  }
  // [make]

  const options& how_;
  rules& rules_;
  filch::graph_limit processes_;
  progress told_;
  filch::task_graph graph_;
  std::map<std::string, filch::graph_node<>> nodes_;
};

options parse(int argc, char** argv) {
  options how;
  for (int option; (option = getopt(argc, argv, "f:j:kn")) != -1;) {
    switch (option) {
      case 'f': how.file = optarg; break;
      case 'j': how.jobs = static_cast<unsigned>(std::atoi(optarg)); break;
      case 'k': how.keeps_going = true; break;
      case 'n': how.is_dry = true; break;
      default: throw misuse("usage: example_make [-f FILE] [-j N] [-k] [-n] [TARGET...]");
    }
  }
  if (how.jobs == 0 || how.jobs > 1000) throw misuse("-j takes a number from 1 to 1000");
  how.targets.assign(argv + optind, argv + argc);
  return how;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    options how = parse(argc, argv);
    std::ifstream file(how.file);
    if (!file) throw misuse("cannot read " + how.file);
    rules all;
    std::string first;
    read(file, all, first);
    if (how.targets.empty() && !first.empty()) how.targets.push_back(first);
    for (const std::string& each : how.targets) look(each, all);
    return build{how, all}.run() ? 0 : 1;
  } catch (const std::exception& error) {  // misuse, or a circle, as the graph names it
    std::fprintf(stderr, "make: %s\n", error.what());
    return 2;
  }
}
