#include <filch/testing/machine/machine_keys.hpp>
#include <filch/topo/affinity.hpp>
#include <filch/topo/machine.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tools/cli/commands.hpp>
#include <tools/cli/machine/measure.hpp>
#include <tools/cli/report.hpp>

#include <cstdio>
#include <memory>

namespace filch::cli {

namespace {

/// What this process may use.
topo::machine usable_machine() {
  const topo::machine all = topo::read_machine();
  if (!topo::has_affinity()) return all;
  topo::machine mine = all.only(topo::current_affinity());
  return mine.cpus().empty() ? all : mine;
}

template <class Visit>
void for_each_figure(const measured_machine& of, Visit visit) {
  for (const testing::machine_key& key : testing::machine_keys) {
    std::visit(
        [&](auto member) {
          if constexpr (!std::is_same_v<decltype(member), std::string testing::machine::*>)
            visit(key.name, of.prices.*member);
        },
        key.member);
  }
}

/// Four significant digits, without an exponent.
std::string number_text(double value) {
  if (value >= 100) return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}f}", value, value >= 10 ? 1 : value >= 1 ? 2 : 3);
}
std::string number_text(unsigned value) { return std::to_string(value); }

void print_file(const measured_machine& of) {
  fmt::print("name = \"{}\"\nnote = \"{}\"\n\n", of.prices.name, of.prices.note);
  for_each_figure(of, [&](std::string_view key, auto value) {
    fmt::print("{} = {}  # {}\n", key, number_text(value), of.sources.at(key));
  });
}

void print_json(const measured_machine& of) {
  nlohmann::json all{{"name", of.prices.name}, {"note", of.prices.note}};
  nlohmann::json sources = nlohmann::json::object();
  for_each_figure(of, [&](std::string_view key, auto value) {
    all[std::string{key}] = value;
    sources[std::string{key}] = of.sources.at(key);
  });
  all["sources"] = sources;
  fmt::print("{}\n", all.dump(2));
}

nlohmann::json layout_json(const core_layout& of, const std::string& source) {
  return {{"nodes", of.nodes},
          {"caches_per_node", of.caches_per_node},
          {"cores_per_cache", of.cores_per_cache},
          {"is_regular", of.is_regular},
          {"source", source}};
}

void print_layout(const core_layout& of, const std::string& source) {
  fmt::print("{}  {}\n", painted(stdout, tone::strong, "machine"),
             painted(stdout, tone::faint, "as told by " + source));
  fmt::print("  {}, {} each, {} each{}\n", count_text(of.nodes, "memory nodes"),
             count_text(of.caches_per_node, "last-level caches"),
             count_text(of.cores_per_cache, "cores"),
             of.is_regular ? "" : ", about: not all of them are alike");
  fmt::print("  `filch machine --measure` says what its memory and its kernel cost\n");
}

void show(bool measures, bool as_json) {
  const topo::machine usable = usable_machine();
  if (!measures) {
    const core_layout layout{usable};
    if (as_json)
      fmt::print("{}\n", layout_json(layout, usable.source()).dump(2));
    else
      print_layout(layout, usable.source());
    return;
  }
  measured_machine measured = measure_machine(usable);
  measured.prices.name = fmt::format("here-{}", measured.prices.cores());
  measured.prices.note = "measured here by `filch machine --measure`; times are nanoseconds";
  if (as_json)
    print_json(measured);
  else
    print_file(measured);
}

}  // namespace

void add_machine_command(CLI::App& app, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("machine", "Show cores and caches, or measure what they cost");
  struct options {
    bool measures = false, as_json = false;
  };
  const auto given = std::make_shared<options>();
  command->add_flag("--measure", given->measures,
                    "Measure prices, as a file for filch-scale (some ten seconds)");
  command->add_flag("--json", given->as_json, "Print JSON and nothing else");
  command->callback([given, &exit_code] {
    show(given->measures, given->as_json);
    exit_code = all_well;
  });
}

}  // namespace filch::cli
