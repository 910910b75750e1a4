#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <tools/cli/terminal.hpp>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string_view>
#include <system_error>

namespace filch::cli {

namespace {

constexpr std::array deadly = {SIGTERM, SIGHUP};
constexpr std::string_view screen_of_our_own = "\033[?1049h\033[?25l",
                           screen_of_before = "\033[?25h\033[?1049l";
termios* settings_before = nullptr;  ///< Settings of the one terminal, while it is ours.
std::array<void (*)(int), deadly.size()> handlers_before{};

// Only what a signal handler may call.
void restore_terminal() noexcept {
  [[maybe_unused]] const auto written =
      ::write(STDOUT_FILENO, screen_of_before.data(), screen_of_before.size());
  ::tcsetattr(STDIN_FILENO, TCSANOW, settings_before);
}

void die_as_asked(int signal) {
  restore_terminal();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

}  // namespace

raw_terminal::raw_terminal() {
  if (::tcgetattr(STDIN_FILENO, &before_) != 0)
    throw std::system_error(errno, std::generic_category(), "terminal settings");
  termios raw = before_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG);
  if (::tcsetattr(STDIN_FILENO, TCSANOW, &raw) != 0)
    throw std::system_error(errno, std::generic_category(), "terminal settings");
  settings_before = &before_;
  for (std::size_t i = 0; i < deadly.size(); ++i) {
    handlers_before[i] = ::signal(deadly[i], die_as_asked);
    if (handlers_before[i] == SIG_IGN) ::signal(deadly[i], SIG_IGN);  // as under nohup
  }
  fmt::print("{}", screen_of_our_own);
}

raw_terminal::~raw_terminal() {
  for (std::size_t i = 0; i < deadly.size(); ++i) ::signal(deadly[i], handlers_before[i]);
  std::fflush(stdout);
  restore_terminal();
  settings_before = nullptr;
}

unsigned screen_lines() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : 24;
}

std::optional<std::string> typed_within(int ms) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (::poll(&input, 1, ms) <= 0) return std::string{};
  std::array<char, 64> bytes{};
  const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
  if (count <= 0) return std::nullopt;
  return std::string{bytes.data(), static_cast<std::size_t>(count)};
}

}  // namespace filch::cli
