#include <bench/mandelbrot/filch.hpp>
#include <fmt/format.h>
#include <tools/cli/commands.hpp>
#include <tools/cli/report.hpp>
#include <tools/cli/workloads/png_file.hpp>
#include <tools/cli/workloads/workload.hpp>

#include <algorithm>
#include <optional>

namespace filch::cli {

namespace {

class mandelbrot final : public workload {
 public:
  void add_options(CLI::App& command) override {
    add_number(command, "--width", chosen_.width, "Pixels across", 1, 32768);
    add_number(command, "--height", chosen_.height, "Pixels down", 1, 32768);
    add_number(command, "--iterations", chosen_.most_iterations,
               "Steps after which a point counts as inside", 2, 1'000'000);
    command.add_option("--out", path_, "PNG file to write")->type_name("FILE");
  }

  std::string size() const override {
    return fmt::format("{} x {} pixels", chosen_.width, chosen_.height);
  }
  void prepare() override { picture_.emplace(chosen_); }
  void solve() override { bench::mandelbrot::on_filch(*picture_); }
  std::string check() const override { return bench::mandelbrot::check(*picture_); }
  const char* checked_against() const override { return "what is known without iterating"; }

  summary summarise() const override {
    const auto inside = std::ranges::count(picture_->times, chosen_.most_iterations);
    const double side = bench::mandelbrot::pixel_side(chosen_);
    const double area = static_cast<double>(inside) * side * side;
    return {fmt::format("area {:.4f}", area),
            {{"width", chosen_.width},
             {"height", chosen_.height},
             {"iterations", chosen_.most_iterations},
             {"area", area}},
            picture_->times.size(),
            "pixels"};
  }

  std::string write_file() const override {
    if (!path_.empty()) write_png(path_, chosen_.width, chosen_.height, brightness());
    return path_;
  }

 private:
  /// Inside is black; outside, what took longer is brighter, by the logarithm.
  std::vector<std::uint8_t> brightness() const {
    const double scale = 255 / std::log(1.0 + chosen_.most_iterations);
    std::vector<std::uint8_t> bytes(picture_->times.size());
    std::ranges::transform(picture_->times, bytes.begin(), [&](std::uint32_t time) {
      return time == chosen_.most_iterations
                 ? std::uint8_t{0}
                 : static_cast<std::uint8_t>(scale * std::log(1.0 + time));
    });
    return bytes;
  }

  bench::mandelbrot::parameters chosen_;
  std::string path_;
  std::optional<bench::mandelbrot::image> picture_;
};

}  // namespace

std::unique_ptr<workload> make_mandelbrot() { return std::make_unique<mandelbrot>(); }

}  // namespace filch::cli
