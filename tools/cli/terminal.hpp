#pragma once
#include <termios.h>

#include <optional>
#include <string>

namespace filch::cli {

/// The terminal as a screen of our own: keys, ctrl-C too, come at once and unechoed. At the end all
/// is as it was, even after SIGTERM or if the terminal is closed. One at a time. Throws:
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

/// How many lines the terminal has; 24 if it does not say.
unsigned screen_lines();
/// Keys typed within `ms`, or without a limit if that is negative. Empty text if none were typed;
/// no value at the end of the input.
std::optional<std::string> typed_within(int ms);

}  // namespace filch::cli
