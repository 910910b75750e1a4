#pragma once
// The fast Fourier transform as its recursion says it: even elements, odd elements, butterflies.
// Source: Cooley and Tukey, Mathematics of Computation 1965.
#include <bench/ways.hpp>
#include <filch/base/rng.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <span>
#include <string>
#include <vector>

namespace bench::fft {

using number = std::complex<double>;

struct parameters {
  unsigned log2_size = 20;
  std::uint64_t seed = 1;

  std::size_t size() const noexcept { return std::size_t{1} << log2_size; }
};

/// Random points of the square of side 2 around the origin.
inline std::vector<number> input(const parameters& p) {
  filch::base::split_mix64 random{p.seed};
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; };
  std::vector<number> values(p.size());
  for (number& v : values) {
    v.real(uniform());
    v.imag(uniform());
  }
  return values;
}

/// The n-th root of unity to the power -k.
inline number root_of_unity(std::size_t k, std::size_t n) noexcept {
  return std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
}

/// The factors that every level of the transform takes its own from.
inline std::vector<number> roots_of_unity(std::size_t n) {
  std::vector<number> roots(n / 2);
  for (std::size_t k = 0; k < roots.size(); ++k) roots[k] = root_of_unity(k, n);
  return roots;
}

/// Complex product without the library's care for infinities, of which there are none.
inline number times(number a, number b) noexcept {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Below this many butterflies a loop is quicker than two forks.
inline constexpr std::size_t plain_butterflies = 1024;

/// Joins the transforms of the even and the odd elements, which lie in the two halves of a result.
template <class Both>
void butterflies(std::span<number> even, std::span<number> odd, const number* roots,
                 std::size_t stride, const Both& both) {
  if (const std::size_t half = even.size() / 2; even.size() > plain_butterflies) {
    both([&] { butterflies(even.first(half), odd.first(half), roots, stride, both); },
         [&] {
           butterflies(even.subspan(half), odd.subspan(half), roots + half * stride, stride, both);
         });
    return;
  }
  for (std::size_t k = 0; k < even.size(); ++k) {
    const number turned = times(roots[k * stride], odd[k]);
    odd[k] = even[k] - turned;
    even[k] += turned;
  }
}

/// Transforms every `stride`-th element from `in` on into `out`. Cost: work O(n log n), span
/// O(log^2 n).
template <class Both>
void transform(const number* in, std::size_t stride, std::span<number> out, const number* roots,
               const Both& both) {
  if (out.size() == 1) {
    out[0] = *in;
    return;
  }
  const std::span<number> even = out.first(out.size() / 2), odd = out.subspan(out.size() / 2);
  both([&] { transform(in, stride * 2, even, roots, both); },
       [&] { transform(in + stride, stride * 2, odd, roots, both); });
  butterflies(even, odd, roots, stride, both);
}

/// A plan: the roots for one size, to be used again.
struct plan {
  explicit plan(std::size_t n) : roots{roots_of_unity(n)} {}

  template <class Both>
  void operator()(const std::vector<number>& in, std::vector<number>& out, const Both& both) const {
    out.resize(in.size());
    transform(in.data(), 1, out, roots.data(), both);
  }

  std::vector<number> roots;
};

inline void serial(const plan& p, const std::vector<number>& in, std::vector<number>& out) {
  p(in, out, in_order{});
}

/// One element of the transform, by its definition. Cost: O(n).
inline number by_definition(const std::vector<number>& in, std::size_t index) {
  number sum;
  for (std::size_t j = 0; j < in.size(); ++j)
    sum += times(in[j], root_of_unity(index * j % in.size(), in.size()));
  return sum;
}

/// Says what is wrong with `out` as the transform of `in`; empty when nothing. Some elements are
/// worked out by the definition, and the inverse transform must bring back all of the input.
inline std::string check(const plan& how, const std::vector<number>& in,
                         const std::vector<number>& out) {
  const double tolerance = 1e-9 * std::sqrt(static_cast<double>(in.size()));
  for (std::size_t index : {std::size_t{0}, std::size_t{1}, in.size() / 3, in.size() - 1}) {
    if (index < in.size() && !(std::abs(out[index] - by_definition(in, index)) <= tolerance)) {
      return "element " + std::to_string(index) + " of the transform is wrong";
    }
  }
  std::vector<number> mirrored(out.size()), back;
  std::ranges::transform(out, mirrored.begin(), [](number v) { return std::conj(v); });
  serial(how, mirrored, back);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const number returned = std::conj(back[i]) / static_cast<double>(in.size());
    if (!(std::abs(returned - in[i]) <= 1e-9))
      return "the inverse transform does not bring back element " + std::to_string(i);
  }
  return {};
}

}  // namespace bench::fft
