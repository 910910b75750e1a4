#include <bench/sum/filch.hpp>
#include <fmt/format.h>
#include <tools/cli/commands.hpp>
#include <tools/cli/report.hpp>
#include <tools/cli/workloads/workload.hpp>

namespace filch::cli {

namespace {

class sum final : public workload {
 public:
  void add_options(CLI::App& command) override {
    add_number(command, "--count", chosen_.count, "How many elements", 0, 1'000'000'000'000);
  }

  std::string size() const override { return count_text(chosen_.count, "elements"); }
  void solve() override { total_ = bench::sum::on_filch(chosen_); }
  std::string check() const override { return bench::sum::check(chosen_, total_); }
  const char* checked_against() const override { return "the closed form"; }

  summary summarise() const override {
    return {fmt::format("{} (modulo 2^64)", total_),
            {{"count", chosen_.count}, {"sum", total_}},
            chosen_.count,
            "elements"};
  }

 private:
  bench::sum::parameters chosen_;
  std::uint64_t total_ = 0;
};

}  // namespace

std::unique_ptr<workload> make_sum() { return std::make_unique<sum>(); }

}  // namespace filch::cli
