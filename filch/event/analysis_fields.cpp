#include <filch/event/analysis_fields.hpp>

#include <algorithm>
#include <cmath>

namespace filch::inline v0_2::event {
namespace {

constexpr double longest_ns = 0x1p62;  // 146 years

bool is_time(double ns, double least) noexcept {
  return std::isfinite(ns) && ns >= least && ns <= longest_ns;
}
template <class Count>
bool is_time(const Count&, double) noexcept {
  return true;
}

template <class Fields, class Of>
bool are_sound(const Fields& fields, const Of& of, double least_ns) noexcept {
  return std::ranges::all_of(fields, [&](const auto& each) {
    return std::visit([&](auto member) { return is_time(of.*member, least_ns); }, each.value);
  });
}

}  // namespace

bool is_sound(const analysis::result& of) noexcept {
  return are_sound(analysis_fields, of, 0) && are_sound(cost_fields, of.costs, -longest_ns) &&
         std::ranges::all_of(
             of.sites, [](const analysis::site& each) { return are_sound(site_fields, each, 0); });
}

}  // namespace filch::event
