#include <filch/trace/options.hpp>

#include <filch/base/environment.hpp>
#include <filch/trace/layout.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace filch::inline v0_2::trace {
namespace {

constexpr std::uint64_t usual_places = 65536;
constexpr std::uint64_t usual_spool_bytes = 256'000'000;
constexpr std::uint64_t most_spool_bytes = 1'000'000'000'000;

constexpr std::array<std::pair<std::string_view, trace_level>, 3> levels{
    {{"steal", trace_level::steal}, {"jobs", trace_level::jobs}, {"span", trace_level::span}}};

/// `text` in lower case if it has only letters; else empty.
std::string in_small_letters(std::string_view text) {
  std::string made;
  for (const char c : text) {
    const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (small < 'a' || small > 'z') return {};
    made += small;
  }
  return made;
}

std::string with_process_id(std::string_view name, std::int64_t process_id) {
  std::string file{name};
  for (std::size_t at = 0; (at = file.find("%p", at)) != file.npos;) {
    const std::string number = std::to_string(process_id);
    file.replace(at, 2, number);
    at += number.size();
  }
  return file;
}

}  // namespace

trace_request parse_request(std::string_view text, std::int64_t process_id) {
  trace_options asked;
  const std::size_t colon = text.rfind(':');
  const std::string_view level = colon == text.npos ? std::string_view{} : text.substr(colon + 1);
  std::string_view name = text;
  if (const std::string wanted = in_small_letters(level); !wanted.empty()) {
    name = text.substr(0, colon);
    const auto known =
        std::ranges::find(levels, wanted, [](const auto& each) { return each.first; });
    if (known == levels.end())
      return {{},
              "there is no level '" + std::string{level} +
                  "'; write FILE, FILE:steal, FILE:jobs or FILE:span"};
    asked.level = known->second;
  }
  if (name.empty()) return {{}, "no file is named"};
  asked.file = with_process_id(name, process_id);
  return {std::move(asked), {}};
}

std::uint64_t parse_ring_places(std::string_view text) {
  if (text.empty()) return usual_places;
  std::uint64_t places = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), places);
  const bool fits = places >= least_ring_places && places <= most_ring_places;
  if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size() || !fits) {
    throw std::invalid_argument("filch: FILCH_TRACE_RING is '" + std::string{text} +
                                "'; it takes a number of records from " +
                                std::to_string(least_ring_places) + " to " +
                                std::to_string(most_ring_places));
  }
  return std::bit_ceil(places);
}

std::uint64_t parse_spool_bytes(std::string_view text) {
  if (text.empty()) return usual_spool_bytes;
  std::uint64_t bytes = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, bytes);
  constexpr std::string_view units = "KMG";
  std::uint64_t unit = 1;
  const std::size_t which = parsed.ptr + 1 == end ? units.find(*parsed.ptr) : units.npos;
  for (std::size_t i = 0; which != units.npos && i <= which; ++i) unit *= 1000;
  const bool is_number = parsed.ec == std::errc{} && (parsed.ptr == end || unit != 1);
  if (!is_number || bytes > most_spool_bytes / unit) {
    throw std::invalid_argument(
        "filch: FILCH_TRACE_MAX_SIZE is '" + std::string{text} +
        "'; it takes a number of bytes up to 1000G, as 256M or 2G, or 0 for none on disk");
  }
  return bytes * unit;
}

std::uint64_t spool_bytes_from_environment() {
  const char* const set = base::trusted_environment("FILCH_TRACE_MAX_SIZE");
  return parse_spool_bytes(set == nullptr ? "" : set);
}

std::uint64_t ring_places_from_environment() {
  const char* const set = base::trusted_environment("FILCH_TRACE_RING");
  return parse_ring_places(set == nullptr ? "" : set);
}

}  // namespace filch::trace
