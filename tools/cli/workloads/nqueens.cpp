#include <bench/nqueens/filch.hpp>
#include <fmt/format.h>
#include <tools/cli/commands.hpp>
#include <tools/cli/report.hpp>
#include <tools/cli/workloads/workload.hpp>

namespace filch::cli {

namespace {

class nqueens final : public workload {
 public:
  void add_options(CLI::App& command) override {
    add_number(command, "-n", chosen_.n, "Side of the board", 0, bench::nqueens::largest_n);
  }

  std::string size() const override { return fmt::format("n = {}", chosen_.n); }
  void solve() override { found_ = bench::nqueens::on_filch(chosen_); }
  std::string check() const override { return bench::nqueens::check(chosen_, found_); }
  const char* checked_against() const override { return "the published count"; }

  summary summarise() const override {
    return {count_text(found_, "solutions"),
            {{"n", chosen_.n}, {"solutions", found_}},
            found_,
            "solutions"};
  }

 private:
  bench::nqueens::parameters chosen_;
  std::uint64_t found_ = 0;
};

}  // namespace

std::unique_ptr<workload> make_nqueens() { return std::make_unique<nqueens>(); }

}  // namespace filch::cli
