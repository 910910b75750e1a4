#include <filch/base/clock.hpp>
#include <fmt/format.h>
#include <tools/cli/progress.hpp>
#include <tools/cli/report.hpp>

#include <algorithm>

namespace filch::cli {

namespace {
// Ten times a second looks alive and costs nothing
constexpr std::uint64_t redraw_ns = 100'000'000;
constexpr unsigned narrowest_bar = 8, widest_bar = 40;
}  // namespace

progress_bar::progress_bar(std::FILE* stream) : stream_{stream}, shown_{is_terminal(stream)} {}

void progress_bar::begin(const char* phase, std::size_t steps) {
  phase_ = phase;
  steps_ = steps;
  done_.store(0, base::relaxed);
  if (shown_) draw();
}

void progress_bar::step() {
  done_.fetch_add(1, base::relaxed);
  if (!shown_) return;
  const std::uint64_t now = base::now_ns();
  std::uint64_t due = next_drawing_ns_.load(base::relaxed);
  // Two that draw in the same tenth of a second are kept apart by the exchange, later ones by the
  // tenth of a second.
  if (now >= due && next_drawing_ns_.compare_exchange(due, now + redraw_ns, base::relaxed)) draw();
}

void progress_bar::clear() {
  if (!shown_) return;
  fmt::print(stream_, "\r\033[K");
  std::fflush(stream_);
}

std::string progress_bar::line(const char* phase, std::size_t done, std::size_t steps,
                               unsigned columns) {
  const std::string name = fmt::format("{:<16}", phase);
  if (steps == 0) return fmt::format("{} {}", name, count_text(done)).substr(0, columns);
  const std::size_t reached = std::min(done, steps);
  const std::string all = count_text(steps);
  const std::string numbers = fmt::format("{:>4} %  {:>{}} of {}", reached * 100 / steps,
                                          count_text(reached), all.size(), all);
  const unsigned taken = static_cast<unsigned>(name.size() + numbers.size()) + 4;
  if (columns < taken + narrowest_bar) return (name + numbers).substr(0, columns);
  const std::size_t width = std::min(columns - taken, widest_bar);
  const std::size_t filled = width * reached / steps;
  const bool has_head = 0 < filled && filled < width;
  const std::string bar = std::string(filled - has_head, '=') + (has_head ? ">" : "");
  return fmt::format("{} [{:<{}}]{}", name, bar, width, numbers);
}

void progress_bar::draw() {
  const std::string words = line(phase_, done_.load(base::relaxed), steps_, columns(stream_));
  fmt::print(stream_, "\r{}\033[K", words);
  std::fflush(stream_);
}

}  // namespace filch::cli
