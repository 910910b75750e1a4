#include <tools/cli/recordings/page/grid.hpp>

#include <algorithm>
#include <bit>

namespace filch::cli {
namespace {

constexpr std::size_t fewest_parts = 64, most_parts = 8192;  // a wide screen has 4,000 pixels
// A megabyte or two of the page, packed
constexpr std::size_t most_cells = std::size_t{1} << 18;

std::size_t index_of(occupation what) noexcept { return static_cast<std::size_t>(what); }
std::size_t index_of(span::use what) noexcept { return static_cast<std::size_t>(what); }

/// Calls `f(part, what lies in it)` for each part of `by` that `whole`, an interval or a vacancy,
/// reaches into.
template <class Interval, class F>
void divide(const Interval& whole, const grid& by, F&& f) {
  auto part = static_cast<std::size_t>(whole.when.begin_ns / by.part_ns);
  for (; part < by.parts() && by.part(part).begin_ns < whole.when.end_ns; ++part)
    f(part, cut(whole, by.part(part)));
}

void book(spent_time& on, const span::interval& what) noexcept {
  on[occupation_of(what)] += what.left_ns();
  on[index_of(span::use::forking)] += what.forking_ns;
  on[index_of(span::use::run_delay)] += what.run_delay_ns;
  on[index_of(span::use::blocked)] += what.slept_ns;
}

void book(spent_time& on, const span::vacancy& what) noexcept {
  const std::int64_t length = what.when.length_ns();
  on[index_of(span::use::neglected)] += length * (what.neglected + what.woken_for);
  on[index_of(span::use::starved)] += length * what.starved;
  on[index_of(span::use::unknown)] += length * what.unknown;
}

}  // namespace

std::size_t occupation_of(const span::interval& what) noexcept {
  if (what.holds_slot()) return index_of(span::use_of(what.what));
  switch (what.what) {
    case span::state::blocked:
    case span::state::suspended: return index_of(occupation::suspended);
    case span::state::parked: return index_of(occupation::parked);
    case span::state::away: return index_of(occupation::away);
    case span::state::unknown: return index_of(occupation::lost);
    case span::state::working:
    case span::state::stealing:
    case span::state::searching:
    case span::state::waiting: break;
  }
  return index_of(occupation::contending);
}

grid grid::fitting(std::int64_t length_ns, std::size_t interval_count,
                   std::size_t worker_count) noexcept {
  const std::size_t most =
      std::max(fewest_parts, std::min(most_parts, most_cells / (worker_count + 1)));
  const std::size_t wanted = std::clamp(std::bit_ceil(interval_count), fewest_parts, most);
  const auto parts = static_cast<std::int64_t>(wanted);
  return {length_ns, std::max<std::int64_t>(1, (length_ns + parts - 1) / parts)};
}

span::time_range grid::part(std::size_t index) const noexcept {
  const std::int64_t begin = static_cast<std::int64_t>(index) * part_ns;
  return {begin, std::min(begin + part_ns, length_ns)};
}

std::vector<lane> lanes_of(const span::timeline& from, std::size_t worker_count, const grid& by) {
  std::vector<lane> made(worker_count + 1);
  made.back().resize(by.parts());
  for (const span::interval& s : from.intervals) {
    made[s.worker].resize(by.parts());
    divide(s, by, [&](std::size_t part, const span::interval& inside) {
      book(made[s.worker][part], inside);
    });
  }
  for (const span::vacancy& v : from.vacancies) {
    divide(v, by, [&](std::size_t part, const span::vacancy& inside) {
      book(made[worker_count][part], inside);
    });
  }
  return made;
}

}  // namespace filch::cli
