#pragma once
// "starved=10%": limits on what a recording shows.
#include <filch/event/recording.hpp>
#include <filch/span/verdict.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace filch::cli {

enum class unit : std::uint8_t { share, time, number };

/// The figures that limits are compared with.
struct evidence {
  const span::observation& seen;
  /// The analysis at span level, of the same run or of another one of the same work.
  const std::optional<analysis::result>& watched;
};

/// The runs for which a measure has a meaning.
enum class told_of : std::uint8_t {
  all,
  parallel,  ///< A watched run is serial, so the measure would only say how serial.
  watched,   ///< Read it only if there is an analysis.
};

/// Something that can be limited.
struct measure {
  std::string name;
  unit in = unit::share;
  std::string meaning;
  double (*read)(const evidence&, std::size_t) = nullptr;  ///< Gets `index`.
  std::size_t index = 0;
  told_of runs = told_of::all;
};

/// All there is: the uses of the budget, and some more.
const std::vector<measure>& measures();

struct bad_limit : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

enum class bound : std::uint8_t { at_most, at_least };

struct limit {
  const measure* what = nullptr;
  bound side = bound::at_most;
  double value = 0;

  bool is_kept_by(double found) const noexcept {
    return side == bound::at_most ? found <= value : found >= value;
  }
};

/// limit := name '=' number unit?     unit := '%' for shares, ns us ms s for times
/// Throws: `bad_limit`, which says what was wrong and what there is.
limit parse_limit(std::string_view text, bound side);
/// 0.1 as "10 %", as the measure wants it.
std::string value_text(unit in, double value);

}  // namespace filch::cli
