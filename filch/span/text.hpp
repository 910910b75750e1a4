#pragma once
// Numbers in sentences. The library has no formatter of its own; the program's is in tools.
#include <filch/base/language.hpp>

#include <cstdint>
#include <string>

namespace filch::inline v0_2::span {

/// 0.347 as "35 %", 0.034 as "3.4 %".
std::string percent_text(double share);
/// Nanoseconds in the unit that fits, two or three digits: "850 ns", "1.2 us", "12 ms", "3.5 s".
std::string duration_text(double ns);
/// Two significant digits below ten, else whole: "1.8", "12".
std::string number_text(double number);

}  // namespace filch::span
