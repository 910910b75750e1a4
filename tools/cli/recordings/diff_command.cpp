// `filch diff`: what changed from one recorded run to another.
#include <filch/span/text.hpp>
#include <fmt/format.h>
#include <tools/cli/commands.hpp>
#include <tools/cli/recordings/load.hpp>
#include <tools/cli/recordings/show.hpp>
#include <tools/cli/report.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

namespace filch::cli {

namespace {

struct diff_request {
  std::string before, after;
  bool as_json = false;
};

struct comparison {
  span::budget before, after;

  std::int64_t change_ns(span::use what) const { return after[what] - before[what]; }
  double speed_up() const {
    return after.when.length_ns() == 0 ? 1
                                       : static_cast<double>(before.when.length_ns()) /
                                             static_cast<double>(after.when.length_ns());
  }
  /// The use whose time changed most.
  const span::use_description& greatest_change() const {
    return *std::ranges::max_element(
        span::uses, {}, [&](const auto& use) { return std::abs(change_ns(use.what)); });
  }
};

std::string signed_time_text(std::int64_t ns) {
  return ns == 0 ? "0" : (ns < 0 ? "-" : "+") + time_text(std::abs(ns));
}

std::string speed_text(double speed_up) {
  if (speed_up > 1.02) return fmt::format("The second run is {:.2f} times as fast", speed_up);
  if (speed_up < 0.98)
    return fmt::format("The second run takes {:.2f} times as long", 1 / speed_up);
  return "The runs take equally long";
}

std::string sentence(const comparison& c) {
  const span::use_description& most = c.greatest_change();
  const std::string times = fmt::format(" ({} and {})", time_text(c.before.when.length_ns()),
                                        time_text(c.after.when.length_ns()));
  if (c.change_ns(most.what) == 0)
    return speed_text(c.speed_up()) + times + ", and nothing changed.";
  return fmt::format("{}{}; what changed most is {}, by {} to {} of the slots' time.",
                     speed_text(c.speed_up()), times, most.name,
                     signed_time_text(c.change_ns(most.what)),
                     span::percent_text(c.after.share(most.what)));
}

span::budget budget_of(const std::string& file) {
  const event::recording recorded = load_recording(file);
  return span::account_of(span::lay_out(recorded, span::busiest_pool(recorded)));
}

void print_table(const comparison& c) {
  table both{{{""},
              {"first", align::right},
              {"", align::right},
              {"second", align::right},
              {"", align::right},
              {"change", align::right}}};
  for (const span::use_description& use : span::uses) {
    if (c.before[use.what] == 0 && c.after[use.what] == 0) continue;
    both.add_row({fmt::format("{} {}", use.letter, use.name), time_text(c.before[use.what]),
                  span::percent_text(c.before.share(use.what)), time_text(c.after[use.what]),
                  span::percent_text(c.after.share(use.what)),
                  signed_time_text(c.change_ns(use.what))});
  }
  both.add_row({{"slots x time", tone::faint},
                time_text(c.before.total_ns()),
                "",
                time_text(c.after.total_ns()),
                "",
                signed_time_text(c.after.total_ns() - c.before.total_ns())});
  both.print(stdout);
}

int diff(const diff_request& request) {
  const comparison c{budget_of(request.before), budget_of(request.after)};
  if (request.as_json) {
    const nlohmann::json all{{"sentence", sentence(c)},
                             {"speed_up", c.speed_up()},
                             {"first", to_json(c.before)},
                             {"second", to_json(c.after)},
                             {"changed_most", c.greatest_change().name}};
    fmt::print("{}\n", all.dump(2));
    return all_well;
  }
  const std::size_t width = page_columns(stdout);
  for (const std::string& line : wrapped(sentence(c), width))
    fmt::print("{}\n", painted(stdout, tone::strong, line));
  fmt::print("\n  {:<7}{}\n  {:<7}{}\n\n", "first", budget_bar(stdout, c.before, width - 9),
             "second", budget_bar(stdout, c.after, width - 9));
  print_table(c);
  return all_well;
}

}  // namespace

void add_diff_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("diff", "Compare where the time of two recorded runs went");
  auto request = std::make_shared<diff_request>();
  command->add_option("FIRST", request->before, "A recording")->required();
  command->add_option("SECOND", request->after, "Another one")->required();
  command->add_flag("--json", request->as_json, "Print JSON and nothing else");
  command->callback([request, &exit_code] { exit_code = diff(*request); });
}

}  // namespace filch::cli
