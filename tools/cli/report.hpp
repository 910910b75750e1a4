#pragma once
// How the program speaks to people: numbers, colors and aligned columns.
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace filch::cli {

enum class tone { plain, strong, faint, good, bad };

/// Whether a person watches `stream` on something that can move its cursor.
bool is_terminal(std::FILE* stream);
/// How many columns `stream` has: what COLUMNS says, else what the terminal says, else 80.
unsigned columns(std::FILE* stream);
/// How wide text is laid out for it: no wider than is easy to read, and no narrower than figures
/// need, whatever `columns` says.
unsigned page_columns(std::FILE* stream);
/// `text` in color if `stream` is a terminal and NO_COLOR is not set, else as it is.
std::string painted(std::FILE* stream, tone t, std::string_view text);
/// The same with a code of the terminal's own: "30;42" is black on green.
std::string coloured(std::FILE* stream, std::string_view code, std::string_view text);
/// `text` in lines of at most `columns`, broken at blanks; a longer word is cut.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

/// 4130071 as "4,130,071".
std::string count_text(std::uint64_t count);
/// "3 files", "1 file": `noun` in the plural, which must end in s.
std::string count_text(std::uint64_t count, std::string_view nouns);
/// Three significant digits and a unit: "412 ns", "8.03 ms", "1.24 s".
std::string seconds_text(double seconds);
/// "512 B", "1.50 MiB".
std::string bytes_text(std::uint64_t bytes);
/// Items a second: "15.2 M nodes/s".
std::string rate_text(double per_second, std::string_view nouns);
/// A file name without what could confuse a terminal: control characters become question marks.
std::string name_text(std::string_view name);

enum class align { left, right };

/// Columns as wide as their widest cell. Example: `table t{{"rival", align::left}, {"time",
/// align::right}}`.
class table {
 public:
  struct column {
    std::string heading;
    align side = align::left;
  };
  struct cell {
    cell(std::string words, tone t = tone::plain) : text{std::move(words)}, look{t} {}
    cell(const char* words, tone t = tone::plain) : text{words}, look{t} {}
    std::string text;
    tone look;
  };

  explicit table(std::vector<column> columns) : columns_{std::move(columns)} {}
  /// One cell for each column, or fewer.
  void add_row(std::vector<cell> cells) { rows_.push_back(std::move(cells)); }
  /// Headings, unless all are empty, and rows, indented by two.
  void print(std::FILE* stream) const;

 private:
  std::vector<std::size_t> widths() const;
  void print_row(std::FILE* stream, const std::vector<cell>& cells,
                 const std::vector<std::size_t>& widths) const;

  std::vector<column> columns_;
  std::vector<std::vector<cell>> rows_;
};

}  // namespace filch::cli
