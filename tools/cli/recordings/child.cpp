#include <fcntl.h>
#include <filch/base/clock.hpp>
#include <spawn.h>
#include <sys/wait.h>
#include <tools/cli/recordings/child.hpp>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

namespace filch::cli {

namespace {

/// Our environment with `settings` in place of what they name.
std::vector<std::string> environment_with(
    const std::vector<std::pair<std::string, std::string>>& settings) {
  std::vector<std::string> made;
  for (const auto& [name, value] : settings) made.push_back(name + "=" + value);
  const auto is_set = [&](std::string_view variable) {
    return std::ranges::any_of(settings,
                               [&](const auto& s) { return variable.starts_with(s.first + "="); });
  };
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!is_set(*variable)) made.emplace_back(*variable);
  }
  return made;
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> made;
  for (const std::string& text : texts) made.push_back(const_cast<char*>(text.c_str()));
  made.push_back(nullptr);
  return made;
}

/// Where a child's files come from and go to.
class redirection {
 public:
  explicit redirection(const std::filesystem::path& output) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, output.c_str(),
                                       O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
  }
  redirection(const redirection&) = delete;
  redirection& operator=(const redirection&) = delete;
  ~redirection() { ::posix_spawn_file_actions_destroy(&actions_); }

  const posix_spawn_file_actions_t* actions() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

/// While it lives, what is typed to end the child ends it alone, as with system(3): we have its
/// figures to print.
class left_to_the_child {
 public:
  left_to_the_child() noexcept {
    for (std::size_t i = 0; i < typed.size(); ++i) before_[i] = ::signal(typed[i], SIG_IGN);
    ::posix_spawnattr_init(&attributes_);
    sigset_t usual;
    sigemptyset(&usual);
    for (const int each : typed) sigaddset(&usual, each);
    ::posix_spawnattr_setsigdefault(&attributes_, &usual);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
  }
  left_to_the_child(const left_to_the_child&) = delete;
  left_to_the_child& operator=(const left_to_the_child&) = delete;
  ~left_to_the_child() {
    ::posix_spawnattr_destroy(&attributes_);
    for (std::size_t i = 0; i < typed.size(); ++i) ::signal(typed[i], before_[i]);
  }
  const posix_spawnattr_t* attributes() const noexcept { return &attributes_; }

 private:
  static constexpr std::array typed = {SIGINT, SIGQUIT};
  std::array<void (*)(int), typed.size()> before_{};
  posix_spawnattr_t attributes_;
};

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::system_error{errno, std::generic_category(), "waitpid"};
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

child_end run_child(const std::vector<std::string>& command,
                    const std::vector<std::pair<std::string, std::string>>& settings,
                    const std::filesystem::path& output) {
  const redirection files{output};
  const std::vector<std::string> environment = environment_with(settings);
  const std::uint64_t begin_ns = base::now_ns();
  pid_t child = 0;
  const left_to_the_child signals;
  const int refused =
      ::posix_spawnp(&child, command.front().c_str(), files.actions(), signals.attributes(),
                     pointers_to(command).data(), pointers_to(environment).data());
  if (refused != 0)
    throw std::system_error{refused, std::generic_category(), "cannot run " + command.front()};
  const int exit_code = wait_for(child);
  return {exit_code, static_cast<std::int64_t>(base::now_ns() - begin_ns)};
}

}  // namespace filch::cli
