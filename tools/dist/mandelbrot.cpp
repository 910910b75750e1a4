#include <bench/mandelbrot/problem.hpp>
#include <fmt/format.h>
#include <tools/cli/workloads/png_file.hpp>
#include <tools/dist/problem.hpp>

#include <algorithm>
#include <cmath>

namespace filch::dist_cli {

namespace {

namespace mandelbrot = bench::mandelbrot;
using rows = dist::by_key<std::uint64_t, std::vector<std::uint32_t>>;

class mandelbrot_problem final : public problem {
 public:
  void add_options(CLI::App& command) override {
    const auto number = [&](const char* name, auto& value, const char* purpose, auto most) {
      command.add_option(name, value, purpose)
          ->type_name("N")
          ->capture_default_str()
          ->check(CLI::Range(decltype(most){2}, most).description(""));
    };
    number("--width", chosen_.width, "Pixels across", std::size_t{32768});
    number("--height", chosen_.height, "Pixels down", std::size_t{32768});
    number("--iterations", chosen_.most_iterations, "Steps after which a point counts as inside",
           std::uint32_t{1'000'000});
    command.add_option("--out", path_, "PNG file to write")->type_name("FILE");
  }
  std::string parameters() const override {
    return fmt::format("{} x {}, {}", chosen_.width, chosen_.height, chosen_.most_iterations);
  }
  const char* tasks_are() const override { return "rows"; }

  outcome solve(dist::communicator& ranks, const dist::run_options& options) override {
    const auto row = [this](std::uint64_t y) {
      std::vector<std::uint32_t> times(chosen_.width);
      for (std::size_t x = 0; x < times.size(); ++x)
        times[x] =
            mandelbrot::escape_time(mandelbrot::point(chosen_, x, y), chosen_.most_iterations);
      rows one;
      one.add(y, std::move(times));
      return one;
    };
    auto all =
        dist::map_reduce(ranks, chosen_.height, row, dist::monoid{rows{}, rows::meet}, options)
            .sorted();
    mandelbrot::image picture{chosen_};
    for (const auto& [y, times] : all)
      std::ranges::copy(times,
                        picture.times.begin() + static_cast<std::ptrdiff_t>(y * chosen_.width));
    std::string wrong =
        all.size() == chosen_.height ? mandelbrot::check(picture) : "rows are missing";
    const auto inside = std::ranges::count(picture.times, chosen_.most_iterations);
    if (ranks.rank() == 0 && wrong.empty() && !path_.empty()) write(picture);
    return {fmt::format("{} x {} pixels, {} of them inside", chosen_.width, chosen_.height, inside),
            std::move(wrong),
            {{"width", chosen_.width}, {"height", chosen_.height}, {"inside", inside}}};
  }

 private:
  /// Inside is black; outside, what took longer is brighter, by the logarithm.
  void write(const mandelbrot::image& picture) const {
    const double scale = 255 / std::log(1.0 + chosen_.most_iterations);
    std::vector<std::uint8_t> bytes(picture.times.size());
    std::ranges::transform(picture.times, bytes.begin(), [&](std::uint32_t time) {
      return time == chosen_.most_iterations
                 ? std::uint8_t{0}
                 : static_cast<std::uint8_t>(scale * std::log(1.0 + time));
    });
    cli::write_png(path_, chosen_.width, chosen_.height, bytes);
  }

  mandelbrot::parameters chosen_;
  std::string path_;
};

}  // namespace

std::unique_ptr<problem> make_mandelbrot() { return std::make_unique<mandelbrot_problem>(); }

}  // namespace filch::dist_cli
