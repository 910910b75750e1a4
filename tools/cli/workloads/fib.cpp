#include <bench/fib/filch.hpp>
#include <fmt/format.h>
#include <tools/cli/commands.hpp>
#include <tools/cli/report.hpp>
#include <tools/cli/workloads/workload.hpp>

namespace filch::cli {

namespace {

class fib final : public workload {
 public:
  void add_options(CLI::App& command) override {
    add_number(command, "-n", chosen_.n, "Which number", 0u, bench::fib::largest_n);
  }

  std::string size() const override { return fmt::format("n = {}", chosen_.n); }
  void solve() override { found_ = bench::fib::on_filch(chosen_); }
  std::string check() const override { return bench::fib::check(chosen_, found_); }
  const char* checked_against() const override { return "adding upwards"; }

  summary summarise() const override {
    return {count_text(found_),
            {{"n", chosen_.n}, {"fib", found_}},
            bench::fib::call_count(chosen_),
            "calls"};
  }

 private:
  bench::fib::parameters chosen_;
  std::uint64_t found_ = 0;
};

}  // namespace

std::unique_ptr<workload> make_fib() { return std::make_unique<fib>(); }

}  // namespace filch::cli
