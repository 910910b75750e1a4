#include <filch/base/text_file.hpp>
#include <filch/testing/machine/machine_keys.hpp>
#include <filch/topo/scan.hpp>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace filch::inline v0_2::testing {
namespace {

/// As many as a simulated machine may have in all: three such numbers multiply without overflow.
constexpr unsigned most_of_a_kind = 256;
/// Times are kept in picoseconds; a quarter of an hour is longer than any price.
constexpr double least_price = 0.001, most_price = 1e12;

bool is_digits(std::string_view text) noexcept {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

/// Throws with the cause; `reader` adds file and line.
[[noreturn]] void refuse(const std::string& cause) { throw std::invalid_argument(cause); }

std::string quoted(std::string_view text) { return '`' + std::string{text} + '`'; }

/// A value and what follows it: nothing, or a comment.
struct value_text {
  std::string_view value, rest;
};

value_text take_string(std::string_view text) {
  const std::size_t end = text.find('"', 1);
  if (end == text.npos) refuse("a string without its second quote");
  return {text.substr(1, end - 1), topo::trimmed(text.substr(end + 1))};
}

value_text take_number(std::string_view text) {
  const std::size_t end = (std::min)(text.find_first_of(" \t\r#"), text.size());
  return {text.substr(0, end), topo::trimmed(text.substr(end))};
}

void set(std::string& to, std::string_view key, std::string_view text) {
  if (!text.starts_with('"')) refuse(quoted(key) + " is a string: \"...\"");
  const value_text read = take_string(text);
  if (read.value.find('\\') != read.value.npos)
    refuse(quoted(key) + " has a backslash, and nothing can be escaped");
  if (!read.rest.empty() && !read.rest.starts_with('#'))
    refuse("behind the value stands " + quoted(read.rest));
  to = read.value;
}

/// Reads the number, which has no sign and no exponent.
template <class Number>
Number positive(std::string_view key, std::string_view text, Number least, Number most) {
  const value_text read = take_number(text);
  const std::size_t point = read.value.find('.');
  const bool is_whole = point == read.value.npos;
  const bool is_number =
      is_whole ? is_digits(read.value)
               : is_digits(read.value.substr(0, point)) && is_digits(read.value.substr(point + 1));
  if (!is_number) refuse(quoted(key) + " is no positive number: " + quoted(read.value));
  if (!read.rest.empty() && !read.rest.starts_with('#'))
    refuse("behind the value stands " + quoted(read.rest));
  Number number{};
  const char* const end = read.value.data() + read.value.size();
  const auto [stopped, error] = std::from_chars(read.value.data(), end, number);
  if (error != std::errc{} || stopped != end || number < least || number > most) {
    std::ostringstream limits;
    limits << quoted(key) << " is not from " << least << " to " << most << ": "
           << quoted(read.value);
    refuse(limits.str());
  }
  return number;
}

void set(unsigned& to, std::string_view key, std::string_view text) {
  to = positive<unsigned>(key, text, 1, most_of_a_kind);
}
void set(double& to, std::string_view key, std::string_view text) {
  to = positive<double>(key, text, least_price, most_price);
}

class reader {
 public:
  /// Throws: with the cause, as `refuse`.
  void take_line(std::string_view line) {
    line = topo::trimmed(line);
    if (line.empty() || line.starts_with('#')) return;
    const std::size_t equals = line.find('=');
    if (equals == line.npos) refuse("no `key = value`: " + quoted(line));
    const std::string_view key = topo::trimmed(line.substr(0, equals));
    const auto known = std::ranges::find(machine_keys, key, &machine_key::name);
    if (known == machine_keys.end()) refuse("unknown key " + quoted(key));
    if (std::exchange(is_set_[static_cast<std::size_t>(known - machine_keys.begin())], true))
      refuse(quoted(key) + " is given twice");
    const std::string_view value = topo::trimmed(line.substr(equals + 1));
    std::visit([&](auto member) { set(made_.*member, key, value); }, known->member);
  }
  /// Throws: as above, if a key is missing.
  machine finish() const {
    const auto missing = std::ranges::find(is_set_, false);
    if (missing != is_set_.end()) {
      const auto index = static_cast<std::size_t>(missing - is_set_.begin());
      refuse("the file ends without " + quoted(machine_keys[index].name));
    }
    return made_;
  }

 private:
  machine made_;
  std::array<bool, machine_keys.size()> is_set_{};
};

}  // namespace

machine read_machine(std::istream& from, const std::string& source) {
  const std::string text{std::istreambuf_iterator<char>{from}, {}};
  unsigned line_number = 0;
  try {
    reader made;
    for (const std::string_view line : topo::split_lines(text)) {
      ++line_number;
      made.take_line(line);
    }
    return made.finish();
  } catch (const std::invalid_argument& cause) {
    throw std::invalid_argument(source + ":" + std::to_string(line_number) + ": " + cause.what());
  }
}

machine read_machine_file(const std::string& path) {
  const base::file_text file = base::read_text(path);
  if (file.error) throw std::system_error(file.error, "cannot read the machine file " + path);
  std::istringstream text{file.text};
  return read_machine(text, path);
}

}  // namespace filch::testing
