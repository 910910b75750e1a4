#include <filch/span/text.hpp>

#include <array>
#include <cmath>
#include <cstdio>

namespace filch::inline v0_2::span {

std::string number_text(double number) {
  char text[32];
  // 9.96 would come out as 10.0.
  std::snprintf(text, sizeof text, std::abs(number) < 9.95 ? "%.1f" : "%.0f", number);
  return text;
}

std::string percent_text(double share) {
  const double percent = 100 * share;
  return number_text(percent) + " %";
}

std::string duration_text(double ns) {
  struct unit {
    double ns;
    const char* name;
  };
  constexpr std::array<unit, 3> units{{{1e9, " s"}, {1e6, " ms"}, {1e3, " us"}}};
  for (const unit& each : units) {
    if (ns >= 0.9995 * each.ns) return number_text(ns / each.ns) + each.name;
  }
  return std::to_string(std::llround(ns)) + " ns";
}

}  // namespace filch::span
