#include <filch/topo/cpu_budget.hpp>
#include <filch/topo/machine.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tools/cli/commands.hpp>
#include <tools/cli/report.hpp>

#include <memory>

namespace filch::cli {

namespace {

/// What is known of where the program runs, read once.
struct place {
  topo::machine machine = topo::read_machine();
  topo::budget budget = topo::read_budget();
  std::optional<unsigned> asked_for = topo::workers_from_environment();

  unsigned workers() const { return asked_for.value_or(budget.workers); }
};

/// The CPUs as text: one row each, or their number if that would be a long list.
void print_cpus(const topo::machine& m) {
  constexpr std::size_t most_rows = 32;
  if (m.cpus().size() > most_rows) return;
  table cpus{{{"CPU", align::right},
              {"core", align::right},
              {"cache", align::right},
              {"node", align::right},
              {"package", align::right}}};
  for (const topo::cpu& c : m.cpus()) {
    cpus.add_row({std::to_string(c.os_index), std::to_string(c.core), std::to_string(c.cache),
                  std::to_string(c.numa_node), std::to_string(c.package)});
  }
  cpus.print(stdout);
  fmt::print("\n");
}

std::string caches_text(const topo::cache_sizes& sizes) {
  std::string text;
  const auto add = [&](const char* name, std::size_t bytes) {
    if (bytes > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, bytes_text(bytes));
  };
  add("L1d", sizes.l1_data_bytes);
  add("L2", sizes.l2_bytes);
  add("L3", sizes.l3_bytes);
  return text.empty() ? "sizes unknown" : text;
}

void print_machine(const topo::machine& m) {
  fmt::print("{}  {}\n", painted(stdout, tone::strong, "machine"),
             painted(stdout, tone::faint, "as told by " + m.source()));
  fmt::print("  {}, {}, {}, {}\n", count_text(m.package_count(), "packages"),
             count_text(m.numa_node_count(), "NUMA nodes"), count_text(m.core_count(), "cores"),
             count_text(m.cpus().size(), "CPUs"));
  fmt::print("  {}\n\n", caches_text(m.caches()));
  print_cpus(m);
}

void print_budget(const place& here) {
  const topo::budget& b = here.budget;
  fmt::print("{}  {}\n", painted(stdout, tone::strong, "workers"),
             painted(stdout, tone::good, std::to_string(here.workers())));
  table limits{
      {{"limit"}, {"CPUs", align::right}, {"says", align::left}, {"where", align::left}, {""}}};
  for (std::size_t i = 0; i < b.limits.size(); ++i) {
    const topo::cpu_limit& l = b.limits[i];
    limits.add_row({std::string{topo::name_of(l.kind)},
                    fmt::format("{:.4g}", l.cpus),
                    l.text,
                    l.source,
                    {i == b.winner && !here.asked_for ? "decides" : "", tone::good}});
  }
  if (here.asked_for) {
    limits.add_row({"environment",
                    std::to_string(*here.asked_for),
                    "",
                    "FILCH_WORKERS",
                    {"decides", tone::good}});
  }
  limits.print(stdout);
  for (const topo::budget_problem& problem : b.problems)
    fmt::print(stderr, "filch: {}: {}\n", problem.source, problem.reason);
}

nlohmann::json as_json(const place& here) {
  const topo::machine& m = here.machine;
  nlohmann::json cpus = nlohmann::json::array(), limits = nlohmann::json::array();
  for (const topo::cpu& c : m.cpus()) {
    cpus.push_back({{"cpu", c.os_index},
                    {"core", c.core},
                    {"cache", c.cache},
                    {"numa_node", c.numa_node},
                    {"package", c.package}});
  }
  for (const topo::cpu_limit& l : here.budget.limits) {
    limits.push_back({{"kind", topo::name_of(l.kind)},
                      {"cpus", l.cpus},
                      {"workers", l.workers},
                      {"source", l.source},
                      {"text", l.text}});
  }
  return {{"workers", here.workers()},
          {"decided_by", here.asked_for ? "FILCH_WORKERS" : here.budget.why().source},
          {"limits", limits},
          {"machine",
           {{"source", m.source()},
            {"packages", m.package_count()},
            {"numa_nodes", m.numa_node_count()},
            {"cores", m.core_count()},
            {"caches",
             {{"l1_data_bytes", m.caches().l1_data_bytes},
              {"l2_bytes", m.caches().l2_bytes},
              {"l3_bytes", m.caches().l3_bytes}}},
            {"cpus", cpus}}}};
}

}  // namespace

void add_info_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("info", "Show the machine, the CPU budget, and which limit won");
  auto as_json_wanted = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json_wanted, "Print JSON and nothing else");
  command->callback([as_json_wanted, &exit_code] {
    const place here;
    if (*as_json_wanted) {
      fmt::print("{}\n",
                 as_json(here).dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    } else {
      print_machine(here.machine);
      print_budget(here);
    }
    exit_code = all_well;
  });
}

}  // namespace filch::cli
