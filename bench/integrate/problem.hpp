#pragma once
// Adaptive quadrature of x^3 + x by the trapezium rule: an interval is halved until halving no
// longer changes its area. The benchmark of the Cilk, libfork and TooManyCooks suites.
#include <algorithm>
#include <cmath>
#include <string>

namespace bench::integrate {

struct parameters {
  double upper = 10'000;  ///< The integral runs from 0 to here.
  double epsilon = 1e-9;  ///< The change of area that ends the halving.
};

constexpr double integrand(double x) noexcept { return (x * x + 1) * x; }

/// One interval: its ends, the function there, and the area of the trapezium between.
struct interval {
  double x1, y1, x2, y2, area;
};

/// An interval in two halves, and whether that told anything new.
struct halves {
  interval left, right;
  bool settled;

  halves(const interval& whole, double epsilon) noexcept {
    const double half = (whole.x2 - whole.x1) / 2;
    const double x0 = whole.x1 + half;
    const double y0 = integrand(x0);
    left = {whole.x1, whole.y1, x0, y0, (whole.y1 + y0) / 2 * half};
    right = {x0, y0, whole.x2, whole.y2, (y0 + whole.y2) / 2 * half};
    settled = std::abs(area() - whole.area) < epsilon;
  }

  double area() const noexcept { return left.area + right.area; }
};

inline double serial(const interval& whole, double epsilon) {
  const halves parts{whole, epsilon};
  if (parts.settled) return parts.area();
  return serial(parts.left, epsilon) + serial(parts.right, epsilon);
}

inline interval whole_range(const parameters& p) noexcept {
  return {0, integrand(0), p.upper, integrand(p.upper), 0};
}

inline double serial(const parameters& p) { return serial(whole_range(p), p.epsilon); }

/// Says how `result` differs from the antiderivative x^4 / 4 + x^2 / 2 by more than rounding; empty
/// when it does not.
inline std::string check(const parameters& p, double result) {
  const double square = p.upper * p.upper;
  const double exact = square * square / 4 + square / 2;
  if (std::abs(result - exact) <= 1e-9 * std::max(exact, 1.0)) return {};
  return "the integral is " + std::to_string(exact) + ", not " + std::to_string(result);
}

}  // namespace bench::integrate
