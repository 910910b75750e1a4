#include <filch/base/scratch_folder.hpp>
#include <filch/base/text_file.hpp>
#include <filch/testing/machine/scale.hpp>
#include <tools/cli/recordings/child.hpp>
#include <tools/scale/contention.hpp>
#include <tools/scale/contention_work.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace filch::scaling {

using nlohmann::json;

namespace {

double simulated_ns(const contention& what, const testing::machine& on) {
  constexpr unsigned one[] = {1};
  double ns = 0;
  testing::scale([&] { ns = what.run(contention_times); }, on, one);
  return ns;
}

json real_runs(const std::filesystem::path& program) {
  const base::scratch_folder folder;
  const std::filesystem::path output = folder / "runs";
  const cli::child_end end = cli::run_child({program.string()}, {}, output);
  const std::string text = base::read_text(output.string()).text;
  const json runs = json::parse(text, nullptr, false);
  if (end.exit_code != 0 || !runs.is_object())
    throw std::runtime_error("filch-contention-real: " + text);
  return runs;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace

std::vector<contention_comparison> compare_contention(const testing::machine& on,
                                                      const std::filesystem::path& real_program) {
  const json runs = real_runs(real_program);
  std::vector<contention_comparison> all;
  for (const contention& each : contentions) {
    const json& of = runs.at(each.name);
    const auto ns = of.value("ns", std::vector<double>{});
    all.push_back({each.name, each.unit, simulated_ns(each, on), median(ns), ns.size(),
                   of.value("disturbed", std::vector<double>{}).size()});
  }
  return all;
}

}  // namespace filch::scaling
