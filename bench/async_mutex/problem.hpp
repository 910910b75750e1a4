#pragma once
// Async mutex: tasks take turns at one lock and count under it; `--case held` each lets others run
// while it has the lock, so that all of them wait.
#include <cstdint>
#include <string>

namespace bench::async_mutex {

inline constexpr std::uint64_t tasks = 64;
inline constexpr std::uint64_t default_turns = 640'000;
inline constexpr const char* default_case = "short";

struct parameters {
  std::uint64_t turns;
  bool is_held;
  std::uint64_t of_each() const { return turns / tasks; }
};

inline bool is_sound(std::uint64_t turns, const std::string& variant) {
  return turns % tasks == 0 && (variant == "short" || variant == "held");
}

inline constexpr const char* case_rule = "--case is short or held, and --size a multiple of 64";

/// Says what is wrong with the count; empty when nothing.
inline std::string check(const parameters& p, std::uint64_t count) {
  if (count == p.turns) return {};
  return "counted " + std::to_string(count) + " of " + std::to_string(p.turns);
}

}  // namespace bench::async_mutex
