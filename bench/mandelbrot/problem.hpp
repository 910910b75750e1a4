#pragma once
// The Mandelbrot set, centered on the real axis: rows of very unequal cost.
#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::mandelbrot {

struct parameters {
  std::size_t width = 1200;
  std::size_t height = 800;
  std::uint32_t most_iterations = 1000;
};

inline constexpr double view_height = 2.5;  ///< Of the complex plane; the set is 2.25 high.
inline constexpr double view_centre = -0.75;

inline double pixel_side(const parameters& p) noexcept {
  return view_height / static_cast<double>(p.height);
}

/// The center of a pixel. Rows as far above as below the middle are exact mirror images.
inline std::complex<double> point(const parameters& p, std::size_t x, std::size_t y) noexcept {
  const double right = static_cast<double>(x) + 0.5 - static_cast<double>(p.width) / 2;
  const double down = static_cast<double>(y) + 0.5 - static_cast<double>(p.height) / 2;
  return {view_centre + right * pixel_side(p), -down * pixel_side(p)};
}

/// Counts the steps of z -> z^2 + c until |z| > 2, at most `most`.
inline std::uint32_t escape_time(std::complex<double> c, std::uint32_t most) noexcept {
  double re = 0, im = 0;
  for (std::uint32_t i = 0; i < most; ++i) {
    const double re2 = re * re, im2 = im * im;
    if (re2 + im2 > 4) return i;
    im = 2 * re * im + c.imag();
    re = re2 - im2 + c.real();
  }
  return most;
}

/// Escape times, row by row.
struct image {
  explicit image(const parameters& p) : shape{p}, times(p.width * p.height) {}

  std::uint32_t at(std::size_t x, std::size_t y) const noexcept {
    return times[y * shape.width + x];
  }
  bool inside(std::size_t x, std::size_t y) const noexcept {
    return at(x, y) == shape.most_iterations;
  }

  parameters shape;
  std::vector<std::uint32_t> times;
};

inline void draw_row(image& picture, std::size_t y) noexcept {
  const parameters& p = picture.shape;
  for (std::size_t x = 0; x < p.width; ++x)
    picture.times[y * p.width + x] = escape_time(point(p, x, y), p.most_iterations);
}

inline void serial(image& picture) {
  for (std::size_t y = 0; y < picture.shape.height; ++y) draw_row(picture, y);
}

/// Whether c is in the main cardioid or the disc to its left, by their equations, and not at the
/// very edge.
inline bool surely_inside(std::complex<double> c) noexcept {
  const double multiplier = std::abs(1.0 - std::sqrt(1.0 - 4.0 * c));
  return multiplier < 0.99 || std::abs(c + 1.0) < 0.2475;
}

/// Says which pixel is wrong by what is known of the set without iterating; empty when none: what
/// is surely inside is, what is farther than 2 from the origin escapes at once, and the picture is
/// its own mirror image.
inline std::string check(const image& picture) {
  const parameters& p = picture.shape;
  const auto wrong = [](std::size_t x, std::size_t y, const char* why) {
    return "pixel " + std::to_string(x) + ", " + std::to_string(y) + " is wrong: it " + why;
  };
  for (std::size_t y = 0; y < p.height; ++y) {
    for (std::size_t x = 0; x < p.width; ++x) {
      const std::complex<double> c = point(p, x, y);
      if (surely_inside(c) && !picture.inside(x, y)) return wrong(x, y, "belongs to the set");
      if (std::abs(c) > 2.0001 && picture.at(x, y) > 1)
        return wrong(x, y, "escapes in the first step");
      if (picture.at(x, y) != picture.at(x, p.height - 1 - y))
        return wrong(x, y, "differs from its mirror image");
    }
  }
  return {};
}

}  // namespace bench::mandelbrot
