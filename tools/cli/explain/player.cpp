#include <fmt/format.h>
#include <tools/cli/explain/player.hpp>
#include <tools/cli/report.hpp>
#include <tools/cli/terminal.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace filch::cli::explain {

namespace {

/// How many of the characters of `typed` belong to its first key press.
std::size_t key_length(std::string_view typed) {
  if (!typed.starts_with("\033[")) return std::min<std::size_t>(typed.size(), 1);
  const auto is_last = [](char c) { return c >= '@' && c <= '~'; };
  const auto last = std::find_if(typed.begin() + 2, typed.end(), is_last);
  return static_cast<std::size_t>(last - typed.begin()) + (last == typed.end() ? 0 : 1);
}

key key_of(std::string_view bytes) {
  static constexpr std::pair<std::string_view, key> keys[] = {
      {" ", key::play},         {"\033[D", key::back},
      {"h", key::back},         {"\033[C", key::forward},
      {"l", key::forward},      {"\033[H", key::first},
      {"\033[1~", key::first},  {"\033[F", key::last},
      {"\033[4~", key::last},   {"g", key::first},
      {"G", key::last},         {"\033[B", key::next_run},
      {"j", key::next_run},     {"\033[A", key::previous_run},
      {"k", key::previous_run}, {"\t", key::next_scene},
      {"-", key::slower},       {"+", key::faster},
      {"q", key::quit},         {"\033", key::quit},
      {"\003", key::quit}};
  const auto found = std::ranges::find(keys, bytes, &std::pair<std::string_view, key>::first);
  return found == std::end(keys) ? key::none : found->second;
}

}  // namespace

key take_key(std::string& typed) {
  const std::size_t length = key_length(typed);
  const key first = key_of(std::string_view{typed}.substr(0, length));
  typed.erase(0, length);
  return first;
}

bool player::press(key pressed) {
  const std::size_t last = step_count(all_, at_);
  switch (pressed) {
    case key::none: break;
    case key::quit: return false;
    case key::play:
      is_playing_ = !is_playing_;
      if (is_playing_ && at_.step == last) at_.step = 0;
      break;
    case key::back: at_.step -= at_.step > 0; break;
    case key::forward: at_.step += at_.step < last; break;
    case key::first: at_.step = 0; break;
    case key::last: at_.step = last; break;
    case key::next_run: go_to_run(at_.run + 1); break;
    case key::previous_run: go_to_run(at_.run + run_count(all_, at_) - 1); break;
    case key::next_scene:
      at_ = {.scene = (at_.scene + 1) % scene_count(all_), .run = 0, .step = 0};
      break;
    case key::slower: step_ms_ = std::min(2 * step_ms_, 3200u); break;
    case key::faster: step_ms_ = std::max(step_ms_ / 2, 25u); break;
  }
  return true;
}

void player::go_to_run(std::size_t run) {
  at_.run = run % run_count(all_, at_);
  at_.step = 0;
}

void player::tick() {
  if (!is_playing_) return;
  const std::size_t last = step_count(all_, at_);
  at_.step += at_.step < last;
  if (at_.step == last) is_playing_ = false;
}

std::string painted_for_terminal(std::string_view text, bool is_strong) {
  return painted(stdout, is_strong ? tone::strong : tone::faint, text);
}

namespace {

/// Keys as they come, several at a time on a slow line.
class keyboard {
 public:
  /// The next key within `ms`, or at all if that is negative; nothing if none was. The end of the
  /// input is a wish to leave.
  key wait(int ms) {
    if (typed_.empty()) {
      const std::optional<std::string> typed = typed_within(ms);
      if (!typed) return key::quit;
      if (typed->empty()) return key::none;
      typed_ = *typed;
    }
    return take_key(typed_);
  }

 private:
  std::string typed_;
};

void draw(const story& all, const player& shown) {
  std::string screen = "\033[H";
  for (const std::string& line : frame_of(all, shown.at(), columns(stdout), painted_for_terminal))
    screen += line + "\033[K\r\n";
  screen += "\033[J\033[24;1H";
  screen += painted_for_terminal(
      " space play   <- -> step   home end   up down scheduler   tab scene   + - q", false);
  fmt::print("{}", screen);
  std::fflush(stdout);
}

}  // namespace

void play_on_terminal(const story& all, position start) {
  const raw_terminal terminal;
  keyboard keys;
  player shown{all, start};
  for (bool stays = true; stays;) {
    draw(all, shown);
    const key pressed = keys.wait(shown.is_playing() ? static_cast<int>(shown.step_ms()) : -1);
    if (pressed == key::none) {
      shown.tick();
    } else {
      stays = shown.press(pressed);
    }
  }
}

}  // namespace filch::cli::explain
