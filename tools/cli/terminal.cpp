#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <tools/cli/terminal.hpp>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>

namespace filch::cli {

raw_terminal::raw_terminal() {
  if (::tcgetattr(STDIN_FILENO, &before_) != 0) throw std::system_error(errno, std::generic_category(), "terminal settings");
  termios raw = before_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG);
  if (::tcsetattr(STDIN_FILENO, TCSANOW, &raw) != 0)
    throw std::system_error(errno, std::generic_category(), "terminal settings");
  fmt::print("\033[?1049h\033[?25l");
}

raw_terminal::~raw_terminal() {
  fmt::print("\033[?25h\033[?1049l");
  std::fflush(stdout);
  ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
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
