#include <bench/fft/filch.hpp>
#include <fmt/format.h>
#include <tools/cli/commands.hpp>
#include <tools/cli/report.hpp>
#include <tools/cli/workloads/workload.hpp>

#include <optional>

namespace filch::cli {

namespace {

class fft final : public workload {
 public:
  void add_options(CLI::App& command) override {
    add_number(command, "--log2-size", chosen_.log2_size, "The size as a power of two", 0, 28);
    add_number(command, "--seed", chosen_.seed, "Seed of the elements", 0, ~std::uint64_t{0});
  }

  std::string size() const override { return count_text(chosen_.size(), "points"); }

  void prepare() override {
    if (!plan_) plan_.emplace(chosen_.size());
    in_ = bench::fft::input(chosen_);
    out_.assign(chosen_.size(), {});
  }

  void solve() override { bench::fft::on_filch(*plan_, in_, out_); }
  std::string check() const override { return bench::fft::check(*plan_, in_, out_); }
  const char* checked_against() const override {
    return "the definition, and its inverse brings the input back";
  }

  summary summarise() const override {
    return {"transformed",
            {{"size", chosen_.size()}, {"seed", chosen_.seed}},
            chosen_.size(),
            "points"};
  }

 private:
  bench::fft::parameters chosen_;
  std::optional<bench::fft::plan> plan_;
  std::vector<bench::fft::number> in_, out_;
};

}  // namespace

std::unique_ptr<workload> make_fft() { return std::make_unique<fft>(); }

}  // namespace filch::cli
