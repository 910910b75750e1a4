#include <bench/matmul/filch.hpp>
#include <fmt/format.h>
#include <tools/cli/commands.hpp>
#include <tools/cli/workloads/workload.hpp>

namespace filch::cli {

namespace {

class matmul final : public workload {
 public:
  void add_options(CLI::App& command) override {
    add_number(command, "-n", chosen_.n, "Side of the matrices", 1, 32768);
    add_number(command, "--seed", chosen_.seed, "Seed of the elements", 0, ~std::uint64_t{0});
  }

  std::string size() const override { return fmt::format("{0} x {0}", chosen_.n); }

  void prepare() override {
    left_ = bench::matmul::input(chosen_, 0);
    right_ = bench::matmul::input(chosen_, 1);
    product_.assign(chosen_.n * chosen_.n, 0);
  }

  void solve() override {
    const std::size_t n = chosen_.n;
    bench::matmul::on_filch(bench::matmul::whole(left_, n), bench::matmul::whole(right_, n),
                            bench::matmul::whole(product_, n));
  }

  std::string check() const override {
    const std::size_t n = chosen_.n;
    return bench::matmul::check(chosen_, bench::matmul::whole(left_, n),
                                bench::matmul::whole(right_, n), bench::matmul::whole(product_, n));
  }

  const char* checked_against() const override { return "both factors applied to a random vector"; }

  summary summarise() const override {
    return {"multiplied",
            {{"n", chosen_.n}, {"seed", chosen_.seed}},
            2 * chosen_.n * chosen_.n * chosen_.n,
            "flops"};
  }

 private:
  bench::matmul::parameters chosen_;
  std::vector<double> left_, right_, product_;
};

}  // namespace

std::unique_ptr<workload> make_matmul() { return std::make_unique<matmul>(); }

}  // namespace filch::cli
