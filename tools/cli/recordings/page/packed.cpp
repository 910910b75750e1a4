#include <filch/trace/bytes.hpp>
#include <tools/cli/recordings/page/packed.hpp>

#include <algorithm>
#include <utility>

namespace filch::cli {
namespace {

using trace::byte_writer;

static_assert(occupation_count <= 16, "an occupation has four bits");

void put(byte_writer& into, std::int64_t number) { into.put(static_cast<std::uint64_t>(number)); }

void put(byte_writer& into, const span::interval& what, std::uint32_t site) {
  const bool is_carved = what.left_ns() != what.when.length_ns();
  put(into, what.when.length_ns());
  into.put(occupation_of(what) | (is_carved ? 16u : 0u) | std::uint64_t{site} << 5);
  if (!is_carved) return;
  put(into, what.run_delay_ns);
  put(into, what.slept_ns);
  put(into, what.forking_ns);
}

}  // namespace

std::string pack(const lane& cells) {
  byte_writer made;
  for (const spent_time& cell : cells) {
    std::uint64_t present = 0;
    for (std::size_t i = 0; i < cell.size(); ++i) present |= std::uint64_t{cell[i] != 0} << i;
    made.put(present);
    for (const std::int64_t ns : cell) {
      if (ns != 0) put(made, ns);
    }
  }
  return made.release();
}

std::vector<std::string> pack_intervals(const span::timeline& from, std::size_t worker_count,
                                        const site_numbers& sites) {
  std::vector<byte_writer> writers(worker_count);
  for (const span::interval& s : from.intervals) put(writers[s.worker], s, sites[s.site]);
  std::vector<std::string> made;
  for (byte_writer& each : writers) made.push_back(each.release());
  return made;
}

std::string pack(std::span<const span::vacancy> vacancies) {
  byte_writer made;
  for (const span::vacancy& each : vacancies) {
    put(made, each.when.length_ns());
    made.put(each.neglected + each.woken_for);
    made.put(each.starved);
    made.put(each.unknown);
  }
  return made.release();
}

std::string pack(std::span<const span::job> jobs, const site_numbers& sites,
                 std::span<const std::uint32_t> lanes) {
  byte_writer made;
  std::int64_t before_ns = 0;
  for (const span::job& each : jobs) {
    put(made, each.when.begin_ns - std::exchange(before_ns, each.when.begin_ns));
    put(made, each.when.length_ns());
    const bool is_stolen = event::is_worker(each.from);
    made.put((each.has_ended ? 1u : 0u) | (is_stolen ? 2u : 0u) | (each.in_place ? 4u : 0u) |
             std::uint64_t{sites[each.site]} << 3);
    made.put(lanes[each.worker]);
  }
  return made.release();
}

std::string pack(std::span<const steal> steals, const site_numbers& sites) {
  byte_writer made;
  std::int64_t before_ns = 0;
  for (const steal& each : steals) {
    put(made, each.at_ns - std::exchange(before_ns, each.at_ns));
    made.put(each.thief);
    made.put(each.victim);
    made.put(sites[each.site]);
  }
  return made.release();
}

std::string pack(const depths& seen) {
  byte_writer made;
  std::int64_t before_ns = 0;
  for (const depth& each : seen) {
    put(made, each.at_ns - std::exchange(before_ns, each.at_ns));
    made.put(each.jobs);
  }
  return made.release();
}

std::string pack(std::span<const std::uint32_t> numbers) {
  byte_writer made;
  for (const std::uint32_t each : numbers) made.put(each);
  return made.release();
}

std::string to_base64(std::string_view bytes) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (; !bytes.empty(); bytes.remove_prefix(std::min<std::size_t>(3, bytes.size()))) {
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i)
      group = group << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i)
      text += i <= bytes.size() ? letters[group >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

}  // namespace filch::cli
