#include <filch/base/text_property_fuzz.hpp>
#include <filch/testing/machine/machine_keys.hpp>

#include <array>
#include <iomanip>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace filch::inline v0_2::testing {
namespace {

/// The file that `read_machine` makes `of` from.
std::string file_of(const machine& of) {
  std::ostringstream text;
  text << std::setprecision(std::numeric_limits<double>::max_digits10) << std::fixed;
  for (const machine_key& key : machine_keys) {
    std::visit(
        [&](auto member) {
          if constexpr (std::is_same_v<decltype(member), std::string machine::*>)
            text << key.name << " = \"" << of.*member << "\"\n";
          else
            text << key.name << " = " << of.*member << '\n';
        },
        key.member);
  }
  return text.str();
}

machine read(const std::string& text) {
  std::istringstream from{text};
  return read_machine(from, "file");
}

/// What is refused is refused with its line. What is accepted has positive prices, and is read back
/// from its own text.
std::string machine_file(std::string_view text) {
  machine made;
  try {
    made = read(std::string{text});
  } catch (const std::invalid_argument& refused) {
    return std::string_view{refused.what()}.starts_with("file:") ? "" : "refused without a line";
  }
  if (made.cores() == 0 || made.cores() > 256 * 256 * 256) return "an impossible number of cores";
  if (!(made.access > 0 && made.bytes_per_ns > 0)) return "a price that is not positive";
  return file_of(read(file_of(made))) == file_of(made) ? "" : "reads back otherwise";
}

constexpr std::array<base::text_property, 1> all{{{"machine_file", machine_file}}};

}  // namespace
}  // namespace filch::testing

std::span<const filch::base::text_property> filch::base::text_properties() { return testing::all; }
