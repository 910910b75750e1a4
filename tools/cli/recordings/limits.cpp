#include <filch/span/text.hpp>
#include <fmt/format.h>
#include <tools/cli/recordings/limits.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace filch::cli {

namespace {

double share_of_use(const evidence& from, std::size_t index) {
  return from.seen.spent.share(static_cast<span::use>(index));
}

// Uses of time that depend on other workers: moving jobs, or lacking them.
bool is_of_company(span::use what) {
  return what == span::use::stealing || what == span::use::searching ||
         what == span::use::waiting || what == span::use::neglected || what == span::use::starved;
}

double parallelism_of(const evidence& from, std::size_t) {
  return from.watched ? from.watched->parallelism() : from.seen.spent.parallelism();
}

std::vector<measure> make_measures() {
  std::vector<measure> made;
  for (const span::use_description& use : span::uses) {
    made.push_back({std::string{use.name}, unit::share, std::string{use.meaning}, share_of_use,
                    static_cast<std::size_t>(use.what),
                    is_of_company(use.what) ? told_of::parallel : told_of::all});
  }
  const auto add = [&](const char* name, unit in, const char* meaning,
                       double (*read)(const evidence&, std::size_t)) {
    made.push_back({name, in, meaning, read});
  };
  add("parallelism", unit::number, "slots at work on average; of a run at span level work / span",
      parallelism_of);
  add("length", unit::time, "of the recording", [](const evidence& e, std::size_t) {
    return static_cast<double>(e.seen.laid_out.length_ns);
  });
  add("median_job", unit::time, "half of the recorded jobs end within",
      [](const evidence& e, std::size_t) {
        return static_cast<double>(e.seen.seen.jobs.median_ns());
      });
  add("longest_job", unit::time, "the longest recorded job", [](const evidence& e, std::size_t) {
    return static_cast<double>(e.seen.seen.jobs.longest_ns());
  });
  add("median_wake", unit::time, "from a wake to the first word of the woken",
      [](const evidence& e, std::size_t) {
        return static_cast<double>(e.seen.seen.waking.median_ns());
      });
  add("steals", unit::number, "jobs taken from another worker", [](const evidence& e, std::size_t) {
    return static_cast<double>(e.seen.seen.count(event::kind::steal_won));
  });
  add("lost", unit::number, "records that were overwritten", [](const evidence& e, std::size_t) {
    return static_cast<double>(e.seen.how_far.lost_records);
  });
  const auto add_watched = [&](const char* name, unit in, const char* meaning,
                               double (*read)(const evidence&, std::size_t)) {
    made.push_back({name, in, meaning, read, 0, told_of::watched});
  };
  add_watched("work", unit::time, "on one worker",
              [](const evidence& e, std::size_t) { return e.watched->work_ns; });
  add_watched("span", unit::time, "on as many as it can use",
              [](const evidence& e, std::size_t) { return e.watched->span_ns; });
  add_watched("burdened", unit::number, "parallelism with steals at their price",
              [](const evidence& e, std::size_t) { return e.watched->burdened_parallelism(); });
  add_watched("fork_cost", unit::share, "part of the work that is the cost of forks",
              [](const evidence& e, std::size_t) {
                return e.watched->work_ns > 0 ? e.watched->fork_overhead_ns / e.watched->work_ns
                                              : 0;
              });
  return made;
}

std::string names() {
  std::string all;
  for (const measure& each : measures()) all += (all.empty() ? "" : ", ") + each.name;
  return all;
}

/// The value of one unit of `suffix`, which stands behind a number; 0 if it does not fit.
double worth_of(unit in, std::string_view suffix) {
  if (in == unit::share) return suffix == "%" ? 0.01 : suffix.empty() ? 1 : 0;
  if (in == unit::number) return suffix.empty() ? 1 : 0;
  return suffix == "ns" ? 1 : suffix == "us" ? 1e3 : suffix == "ms" ? 1e6 : suffix == "s" ? 1e9 : 0;
}

std::string_view form_of(unit in) {
  static constexpr std::array<std::string_view, 3> forms = {
      "a share, as 10% or 0.1", "a time, as 20us (ns, us, ms, s)", "a number"};
  return forms[static_cast<std::size_t>(in)];
}

}  // namespace

const std::vector<measure>& measures() {
  static const std::vector<measure> all = make_measures();
  return all;
}

limit parse_limit(std::string_view text, bound side) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    throw bad_limit{fmt::format("'{}': want name=value, as starved=10%", text)};
  const std::string_view name = text.substr(0, equals), value = text.substr(equals + 1);
  const auto what = std::ranges::find(measures(), name, &measure::name);
  if (what == measures().end())
    throw bad_limit{fmt::format("nothing called '{}' is measured; there are {}", name, names())};
  double number = 0;
  const auto [rest, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const double worth =
      worth_of(what->in, {rest, static_cast<std::size_t>(value.data() + value.size() - rest)});
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
