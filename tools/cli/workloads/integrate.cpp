#include <bench/integrate/filch.hpp>
#include <fmt/format.h>
#include <tools/cli/commands.hpp>
#include <tools/cli/workloads/workload.hpp>

namespace filch::cli {

namespace {

class integrate final : public workload {
 public:
  void add_options(CLI::App& command) override {
    add_number(command, "--upper", chosen_.upper, "Upper end of the integral", 0, 1e5);
    add_number(command, "--epsilon", chosen_.epsilon, "Change of area that ends the halving", 1e-10,
               1);
  }

  std::string size() const override {
    return fmt::format("from 0 to {}, epsilon {}", chosen_.upper, chosen_.epsilon);
  }
  void solve() override { area_ = bench::integrate::on_filch(chosen_); }
  std::string check() const override { return bench::integrate::check(chosen_, area_); }
  const char* checked_against() const override { return "the antiderivative"; }

  summary summarise() const override {
    return {fmt::format("{:.15g}", area_),
            {{"upper", chosen_.upper}, {"epsilon", chosen_.epsilon}, {"area", area_}}};
  }

 private:
  bench::integrate::parameters chosen_;
  double area_ = 0;
};

}  // namespace

std::unique_ptr<workload> make_integrate() { return std::make_unique<integrate>(); }

}  // namespace filch::cli
