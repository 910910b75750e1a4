#include <fmt/format.h>
#include <sys/ioctl.h>
#include <tools/cli/report.hpp>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <span>

namespace filch::cli {

namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

/// What COLUMNS says, or 0 if it says nothing of use.
unsigned columns_from_environment() {
  const char* value = std::getenv("COLUMNS");
  unsigned told = 0;
  if (value == nullptr) return 0;
  const auto [end, error] = std::from_chars(value, value + std::strlen(value), told);
  return error == std::errc{} && *end == '\0' && told <= 10'000 ? told : 0;
}

struct unit {
  double size;
  const char* name;
};

/// `value` in the largest unit that leaves at least one, with three significant digits.
std::string scaled(double value, std::span<const unit> largest_first) {
  const unit* fitting = &largest_first.back();
  for (const unit& candidate : largest_first) {
    // A value that rounds up to the next unit belongs to it.
    if (value >= candidate.size * 0.9995) {
      fitting = &candidate;
      break;
    }
  }
  const double shown = value / fitting->size;
  const int decimals = shown >= 99.95 ? 0 : shown >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f} {}", shown, decimals, fitting->name);
}

bool begins_letter(char byte) noexcept { return (byte & 0xc0) != 0x80; }

/// Code points, which is columns for the letters that occur here.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_letter));
}

/// As much of `text` as fits into so many columns, and at least a letter.
std::string_view front_of(std::string_view text, std::size_t columns) {
  std::size_t bytes = 1;
  for (std::size_t letters = 1;
       bytes < text.size() && (!begins_letter(text[bytes]) || letters < columns); ++bytes)
    letters += begins_letter(text[bytes]);
  return text.substr(0, bytes);
}

}  // namespace

bool is_terminal(std::FILE* stream) {
  const char* kind = std::getenv("TERM");
  return ::isatty(::fileno(stream)) == 1 && kind != nullptr && std::string_view{kind} != "dumb";
}

unsigned columns(std::FILE* stream) {
  if (const unsigned told = columns_from_environment(); told > 0) return told;
  winsize size{};
  return ::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

unsigned page_columns(std::FILE* stream) { return std::clamp(columns(stream), 40u, 100u); }

std::string painted(std::FILE* stream, tone t, std::string_view text) {
  static constexpr std::array<const char*, 5> codes = {"", "1", "2", "32", "1;31"};
  return t == tone::plain ? std::string{text}
                          : coloured(stream, codes[static_cast<std::size_t>(t)], text);
}

std::string coloured(std::FILE* stream, std::string_view code, std::string_view text) {
  if (is_set("NO_COLOR") || !is_terminal(stream)) return std::string{text};
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines;
  columns = std::max<std::size_t>(columns, 1);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    std::string_view word = text.substr(begin, end - begin);
    if (!lines.empty() && width(lines.back()) + 1 + width(word) <= columns) {
      lines.back().append(" ").append(word);
    } else {
      for (; width(word) > columns; word.remove_prefix(lines.back().size()))
        lines.emplace_back(front_of(word, columns));
      lines.emplace_back(word);
    }
    begin = end + 1;
  }
  return lines;
}

std::string count_text(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, ",");
  return digits;
}

std::string count_text(std::uint64_t count, std::string_view nouns) {
  if (count == 1) nouns.remove_suffix(1);
  return fmt::format("{} {}", count_text(count), nouns);
}

std::string seconds_text(double seconds) {
  static constexpr unit units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  return scaled(seconds, units);
}

std::string bytes_text(std::uint64_t bytes) {
  static constexpr unit units[] = {
      {0x1p40, "TiB"}, {0x1p30, "GiB"}, {0x1p20, "MiB"}, {0x1p10, "KiB"}};
  return bytes < 1024 ? fmt::format("{} B", bytes) : scaled(static_cast<double>(bytes), units);
}

std::string rate_text(double per_second, std::string_view nouns) {
  static constexpr unit units[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
  return per_second < 1000 ? fmt::format("{:.3g} {}/s", per_second, nouns)
                           : fmt::format("{} {}/s", scaled(per_second, units), nouns);
}

// Replaces control characters of one byte, and U+0080 to U+009F: terminals obey them, too.
std::string name_text(std::string_view name) {
  std::string clean;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto byte_at = [&](std::size_t at) {
      return at < name.size() ? static_cast<unsigned char>(name[at]) : 0;
    };
    const bool is_of_two = byte_at(i) == 0xc2 && byte_at(i + 1) >= 0x80 && byte_at(i + 1) < 0xa0;
    clean.push_back(is_of_two || byte_at(i) < 32 || byte_at(i) == 127 ? '?' : name[i]);
    if (is_of_two) ++i;
  }
  return clean;
}

std::vector<std::size_t> table::widths() const {
  std::vector<std::size_t> widest;
  for (const column& c : columns_) widest.push_back(width(c.heading));
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widest[i] = std::max(widest[i], width(row[i].text));
  }
  return widest;
}

void table::print_row(std::FILE* stream, const std::vector<cell>& cells,
                      const std::vector<std::size_t>& widths) const {
  std::string line;
  std::size_t owed = 2;  // blanks are written only before something, so that no line ends in one
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t blanks = widths[i] - width(cells[i].text);
    const bool right = columns_[i].side == align::right;
    if (!cells[i].text.empty()) {
      line += std::string(owed + (right ? blanks : 0), ' ') +
              painted(stream, cells[i].look, cells[i].text);
      owed = 0;
    }
    owed += (right && !cells[i].text.empty() ? 0 : blanks) + 2;
  }
  fmt::print(stream, "{}\n", line);
}

void table::print(std::FILE* stream) const {
  const std::vector<std::size_t> widest = widths();
  std::vector<cell> headings;
  for (const column& c : columns_) headings.emplace_back(c.heading, tone::faint);
  if (std::ranges::any_of(columns_, [](const column& c) { return !c.heading.empty(); }))
    print_row(stream, headings, widest);
  for (const auto& row : rows_) print_row(stream, row, widest);
}

}  // namespace filch::cli
