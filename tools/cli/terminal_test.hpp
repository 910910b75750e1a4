#pragma once
// Runs the `filch` program on a terminal, as a user at one does.
#include <tools/cli/program_test.hpp>

#include <pty.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <string_view>
#include <vector>

namespace filch::cli {

/// A terminal of 24 lines in which the program runs.
class terminal {
 public:
  struct settings {
    unsigned short columns = 80;  ///< As the terminal itself says.
    bool has_colour = true;       ///< Else NO_COLOR is set.
    const char* COLUMNS = nullptr;
  };

  explicit terminal(const std::vector<std::string>& arguments) : terminal{arguments, settings{}} {}
  terminal(const std::vector<std::string>& arguments, settings with) {
    const winsize size{.ws_row = 24, .ws_col = with.columns, .ws_xpixel = 0, .ws_ypixel = 0};
    child_ = ::forkpty(&master_, nullptr, nullptr, &size);
    if (child_ == 0) run(arguments, with);
  }
  terminal(const terminal&) = delete;
  terminal& operator=(const terminal&) = delete;
  ~terminal() { ::close(master_); }

  void type(std::string_view keys) {
    EXPECT_EQ(::write(master_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
  }
  /// Reads on until `text` has appeared since the last call, or the program has ended; says whether
  /// it has.
  bool shows(std::string_view text) {
    std::string seen;
    while (seen.find(text) == seen.npos) {
      const std::string more = read();
      if (more.empty()) return false;
      seen += more;
    }
    return true;
  }
  void send(int signal) { EXPECT_EQ(::kill(child_, signal), 0); }
  /// All that the program has written when it ends.
  std::string whole() {
    while (!read().empty()) {
    }
    return all_;
  }
  int exit_code() {
    int status = 0;
    ::waitpid(child_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  [[noreturn]] static void run(const std::vector<std::string>& arguments, settings with) {
    ::setenv("TERM", "xterm", 1);
    ::unsetenv("NO_COLOR");
    ::unsetenv("COLUMNS");
    if (!with.has_colour) ::setenv("NO_COLOR", "1", 1);
    if (with.COLUMNS != nullptr) ::setenv("COLUMNS", with.COLUMNS, 1);
    std::vector<char*> pointers{const_cast<char*>("filch")};
    for (const std::string& each : arguments) pointers.push_back(const_cast<char*>(each.c_str()));
    pointers.push_back(nullptr);
    ::execv(FILCH_PROGRAM, pointers.data());
    ::_exit(127);
  }
  std::string read() {
    std::array<char, 4096> piece;
    const ssize_t count = ::read(master_, piece.data(), piece.size());
    const std::string more{piece.data(), count <= 0 ? 0 : static_cast<std::size_t>(count)};
    all_ += more;
    return more;
  }

  std::string all_;
  int master_ = -1;
  pid_t child_ = -1;
};

/// What was written to a terminal, taken apart.
struct screen_text {
  std::vector<std::string> lines;  ///< As a user reads them.
  bool has_colour = false;         ///< Also bold and faint.
};

/// Knows of escape sequences those with a final letter, which are all that the program writes.
inline screen_text on_screen(std::string_view written) {
  screen_text made;
  made.lines.emplace_back();
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i] == '\033') {
      const std::size_t last = written.find_first_of("ABCDEFGHJKSTfhlmsu", i + 2);
      if (last == written.npos) break;
      made.has_colour |= written[last] == 'm';
      if (written[last] == 'H') made.lines.emplace_back();
      i = last;
    } else if (written[i] == '\n') {
      made.lines.emplace_back();
    } else if (written[i] != '\r' && (static_cast<unsigned char>(written[i]) & 0xc0) != 0x80) {
      made.lines.back() += written[i];  // of a letter of several bytes the first
    }
  }
  return made;
}

inline std::size_t widest_of(const screen_text& text) {
  std::size_t widest = 0;
  for (const std::string& line : text.lines) widest = std::max(widest, line.size());
  return widest;
}

}  // namespace filch::cli
