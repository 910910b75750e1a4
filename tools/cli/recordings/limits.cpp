#include <filch/span/text.hpp>
#include <fmt/format.h>
#include <tools/cli/recordings/limits.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace filch::cli {

namespace {

double share_of_use(const span::observation& seen, std::size_t index) {
  return seen.spent.share(static_cast<span::use>(index));
}

std::vector<measure> make_measures() {
  std::vector<measure> made;
  for (const span::use_description& use : span::uses) {
    made.push_back(
        {std::string{use.name}, unit::share, std::string{use.meaning}, share_of_use, static_cast<std::size_t>(use.what)});
  }
  const auto add = [&](const char* name, unit in, const char* meaning, double (*read)(const span::observation&, std::size_t)) {
    made.push_back({name, in, meaning, read, 0});
  };
  add("parallelism", unit::number, "slots at work on average",
      [](const span::observation& o, std::size_t) { return o.spent.parallelism(); });
  add("length", unit::time, "of the recording",
      [](const span::observation& o, std::size_t) { return static_cast<double>(o.laid_out.length_ns); });
  add("median_job", unit::time, "half of the recorded jobs end within",
      [](const span::observation& o, std::size_t) { return static_cast<double>(o.seen.jobs.median_ns()); });
  add("longest_job", unit::time, "the longest recorded job",
      [](const span::observation& o, std::size_t) { return static_cast<double>(o.seen.jobs.longest_ns()); });
  add("median_wake", unit::time, "from a wake to the first word of the woken",
      [](const span::observation& o, std::size_t) { return static_cast<double>(o.seen.waking.median_ns()); });
  add("steals", unit::number, "jobs taken from another worker",
      [](const span::observation& o, std::size_t) { return static_cast<double>(o.seen.count(event::kind::steal_won)); });
  add("lost", unit::number, "records that were overwritten",
      [](const span::observation& o, std::size_t) { return static_cast<double>(o.how_far.lost_records); });
  return made;
}

std::string names() {
  std::string all;
  for (const measure& each : measures()) all += (all.empty() ? "" : ", ") + each.name;
  return all;
}

/// What one of the unit that stands behind a number is worth; 0 for none that fits.
double worth_of(unit in, std::string_view suffix) {
  if (in == unit::share) return suffix == "%" ? 0.01 : suffix.empty() ? 1 : 0;
  if (in == unit::number) return suffix.empty() ? 1 : 0;
  return suffix == "ns" ? 1 : suffix == "us" ? 1e3 : suffix == "ms" ? 1e6 : suffix == "s" ? 1e9 : 0;
}

std::string_view form_of(unit in) {
  static constexpr std::array<std::string_view, 3> forms = {"a share, as 10% or 0.1", "a time, as 20us (ns, us, ms, s)",
                                                            "a number"};
  return forms[static_cast<std::size_t>(in)];
}

}  // namespace

const std::vector<measure>& measures() {
  static const std::vector<measure> all = make_measures();
  return all;
}

limit parse_limit(std::string_view text, bound side) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) throw bad_limit{fmt::format("'{}': want name=value, as starved=10%", text)};
  const std::string_view name = text.substr(0, equals), value = text.substr(equals + 1);
  const auto what = std::ranges::find(measures(), name, &measure::name);
  if (what == measures().end()) throw bad_limit{fmt::format("nothing called '{}' is measured; there are {}", name, names())};
  double number = 0;
  const auto [rest, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const double worth = worth_of(what->in, {rest, static_cast<std::size_t>(value.data() + value.size() - rest)});
  if (error != std::errc{} || worth == 0 || !std::isfinite(number) || number < 0) {
    throw bad_limit{fmt::format("'{}': {} is {}", text, name, form_of(what->in))};
  }
  return {&*what, side, number * worth};
}

std::string value_text(unit in, double value) {
  if (in == unit::share) return span::percent_text(value);
  return in == unit::time ? span::duration_text(value) : span::number_text(value);
}

}  // namespace filch::cli
