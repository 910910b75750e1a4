#include <bench/mergesort/filch.hpp>
#include <bench/quicksort/filch.hpp>
#include <fmt/format.h>
#include <tools/cli/commands.hpp>
#include <tools/cli/report.hpp>
#include <tools/cli/workloads/workload.hpp>

namespace filch::cli {

namespace {

/// Both sorts: same input, same check.
class sorting final : public workload {
 public:
  using algorithm = void (*)(std::span<bench::sorting::value>);

  explicit sorting(algorithm sort) : sort_{sort} {}

  void add_options(CLI::App& command) override {
    add_number(command, "--count", chosen_.count, "How many numbers", 0, 10'000'000'000);
    add_number(command, "--seed", chosen_.seed, "Seed of the numbers", 0, ~std::uint64_t{0});
  }

  std::string size() const override { return count_text(chosen_.count, "numbers"); }
  void prepare() override { values_ = bench::sorting::input(chosen_); }
  void solve() override { sort_(values_); }
  std::string check() const override { return bench::sorting::check(chosen_, values_); }
  const char* checked_against() const override {
    return "the order and the fingerprint of the input";
  }

  summary summarise() const override {
    return {"sorted", {{"count", chosen_.count}, {"seed", chosen_.seed}}, chosen_.count, "numbers"};
  }

 private:
  algorithm sort_;
  bench::sorting::parameters chosen_;
  std::vector<bench::sorting::value> values_;
};

}  // namespace

std::unique_ptr<workload> make_quicksort() {
  return std::make_unique<sorting>(&bench::quicksort::on_filch);
}
std::unique_ptr<workload> make_mergesort() {
  return std::make_unique<sorting>(&bench::mergesort::on_filch);
}

}  // namespace filch::cli
