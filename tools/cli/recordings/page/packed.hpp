#pragma once
// Columns of numbers as the page carries them: varints, lowest seven bits first.
// `tools/viewer/src/report/unpack.ts` reads them.
#include <tools/cli/recordings/page/depths.hpp>
#include <tools/cli/recordings/page/grid.hpp>
#include <tools/cli/recordings/page/steals.hpp>

#include <span>
#include <string>

namespace filch::cli {

/// The numbers that the page has for sites: 0 is none of its table. Indexed as `recording::sites`.
using site_numbers = std::vector<std::uint32_t>;

/// Part by part: which occupations there are, as bits, and the nanoseconds of each of them.
std::string pack(const lane& cells);

/// The intervals of each worker, in order of time and without gaps: length; occupation + 16 * (is
/// carved) + 32 * site; if it is carved, run delay, sleep and forks. Indexed as
/// `recording::workers`.
std::vector<std::string> pack_intervals(const span::timeline& from, std::size_t worker_count,
                                        const site_numbers& sites);

/// Slots that no worker held, in order of time and without gaps: length, and how many are
/// neglected, starved and unknown.
std::string pack(std::span<const span::vacancy> vacancies);

/// In order of time: begin, as the distance from the one before; length; (has ended) + 2 * (is
/// stolen) + 4 * (in place) + 8 * site; what `lanes` has for its worker.
std::string pack(std::span<const span::job> jobs, const site_numbers& sites,
                 std::span<const std::uint32_t> lanes);

/// Time, as the distance from the one before; thief; victim; site.
std::string pack(std::span<const steal> steals, const site_numbers& sites);

/// Looks in order of time: the distance from the one before, and how many jobs there were.
std::string pack(const depths& seen);

/// Numbers one after the other.
std::string pack(std::span<const std::uint32_t> numbers);

/// Bytes as letters, six bits each. Source: RFC 4648, section 4.
std::string to_base64(std::string_view bytes);

}  // namespace filch::cli
