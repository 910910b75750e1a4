#pragma once
// The numbers of an analysis by name, for code that walks all of them: files, JSON, checks.
#include <filch/event/analysis.hpp>

#include <array>
#include <string_view>
#include <variant>

namespace filch::inline v0_2::event {

/// A member of `Of` that is one of `Kinds`.
template <class Of, class... Kinds>
struct field {
  std::string_view name;
  std::variant<Kinds Of::*...> value;
};

inline constexpr std::array<field<analysis::result, std::uint64_t, double>, 12> analysis_fields{{
    {"work_ns", &analysis::result::work_ns},
    {"span_ns", &analysis::result::span_ns},
    {"burdened_span_ns", &analysis::result::burdened_span_ns},
    {"blocked_ns", &analysis::result::blocked_ns},
    {"delayed_ns", &analysis::result::delayed_ns},
    {"fork_overhead_ns", &analysis::result::fork_overhead_ns},
    {"doubt_ns", &analysis::result::doubt_ns},
    {"watched_ns", &analysis::result::watched_ns},
    {"forks", &analysis::result::forks},
    {"strands", &analysis::result::strands},
    {"blocking_calls", &analysis::result::blocking_calls},
    {"submitted", &analysis::result::submitted},
}};

inline constexpr std::array<field<analysis::costs, double>, 11> cost_fields{{
    {"tick_ns", &analysis::costs::tick_ns},
    {"watched_side_ns", &analysis::costs::watched_side_ns},
    {"watched_join_ns", &analysis::costs::watched_join_ns},
    {"stamp_ns", &analysis::costs::stamp_ns},
    {"doubt_ns", &analysis::costs::doubt_ns},
    {"fork_ns", &analysis::costs::fork_ns},
    {"spawn_ns", &analysis::costs::spawn_ns},
    {"blocking_ns", &analysis::costs::blocking_ns},
    {"steal_ns", &analysis::costs::steal_ns},
    {"return_ns", &analysis::costs::return_ns},
    {"wake_ns", &analysis::costs::wake_ns},
}};

inline constexpr std::array<field<analysis::site, std::uint64_t, double, duration_histogram>, 9>
    site_fields{{
        {"forks", &analysis::site::forks},
        {"work_ns", &analysis::site::work_ns},
        {"span_ns", &analysis::site::span_ns},
        {"longest_job_ns", &analysis::site::longest_job_ns},
        {"jobs_by_log2_ns", &analysis::site::jobs},
        {"leaves", &analysis::site::leaves},
        {"leaf_ns", &analysis::site::leaf_ns},
        {"longest_leaf_ns", &analysis::site::longest_leaf_ns},
        {"fork_overhead_ns", &analysis::site::fork_overhead_ns},
    }};

/// Whether every time can be computed with: a number, not too great for a sum of two, and not
/// negative, except the costs of watching. For analyses from outside.
bool is_sound(const analysis::result& of) noexcept;

}  // namespace filch::event
