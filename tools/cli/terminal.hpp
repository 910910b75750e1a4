#pragma once
#include <termios.h>

#include <optional>
#include <string>

namespace filch::cli {

/// The terminal as a screen of our own: keys come at once and unechoed, also ctrl-C, and at the end
/// everything is as it was, also by SIGTERM or where it is closed. One at a time. Throws:
/// `std::system_error` if the terminal refuses.
class raw_terminal {
 public:
  raw_terminal();
  raw_terminal(const raw_terminal&) = delete;
  raw_terminal& operator=(const raw_terminal&) = delete;
  ~raw_terminal();

 private:
  termios before_{};
};

/// How many lines the terminal has; 24 where it does not say.
unsigned screen_lines();
/// What is typed within `ms`, or at all if that is negative; empty if that is nothing, and nothing
/// at the end of the input.
std::optional<std::string> typed_within(int ms);

}  // namespace filch::cli
