#pragma once
#include <tools/cli/explain/frame.hpp>

namespace filch::cli::explain {

enum class key {
  none,
  play,
  back,
  forward,
  first,
  last,
  next_run,
  previous_run,
  next_scene,
  slower,
  faster,
  quit
};

/// Takes the first key press off `typed`, which may hold several: a character, or an escape
/// sequence up to its last letter.
key take_key(std::string& typed);

/// What is shown, and how it changes with keys and time.
class player {
 public:
  player(const story& all, position start) : all_{all}, at_{start} {}

  /// False: leave.
  bool press(key pressed);
  /// Goes one step on if playing, and stops at the end.
  void tick();
  bool is_playing() const noexcept { return is_playing_; }
  unsigned step_ms() const noexcept { return step_ms_; }
  const position& at() const noexcept { return at_; }

 private:
  void go_to_run(std::size_t run);

  const story& all_;
  position at_;
  bool is_playing_ = false;
  unsigned step_ms_ = 400;
};

/// Plays on the terminal until the user quits. Throws: `std::system_error` if the terminal refuses.
void play_on_terminal(const story& all, position start);

/// Strong or faint if the terminal has it and NO_COLOR is not set.
std::string painted_for_terminal(std::string_view text, bool is_strong);

}  // namespace filch::cli::explain
