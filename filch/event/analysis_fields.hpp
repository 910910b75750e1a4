#pragma once
// The numbers of an analysis by name, for code that walks all of them: files, JSON, checks.
#include <filch/event/analysis.hpp>

#include <array>
#include <string_view>
#include <variant>

namespace filch::event {

/// A member of `Of` that is one of `Kinds`.
template <class Of, class... Kinds>
struct field {
  std::string_view name;
  std::variant<Kinds Of::*...> value;
};

inline constexpr std::array<field<analysis, std::uint64_t, double>, 12> analysis_fields{{
    {"work_ns", &analysis::work_ns},
    {"span_ns", &analysis::span_ns},
    {"burdened_span_ns", &analysis::burdened_span_ns},
    {"blocked_ns", &analysis::blocked_ns},
    {"delayed_ns", &analysis::delayed_ns},
    {"fork_overhead_ns", &analysis::fork_overhead_ns},
    {"doubt_ns", &analysis::doubt_ns},
    {"watched_ns", &analysis::watched_ns},
    {"forks", &analysis::forks},
    {"strands", &analysis::strands},
    {"blocking_calls", &analysis::blocking_calls},
    {"submitted", &analysis::submitted},
}};

inline constexpr std::array<field<analysis_costs, double>, 11> cost_fields{{
    {"tick_ns", &analysis_costs::tick_ns},
    {"watched_side_ns", &analysis_costs::watched_side_ns},
    {"watched_join_ns", &analysis_costs::watched_join_ns},
    {"stamp_ns", &analysis_costs::stamp_ns},
    {"doubt_ns", &analysis_costs::doubt_ns},
    {"fork_ns", &analysis_costs::fork_ns},
    {"spawn_ns", &analysis_costs::spawn_ns},
    {"blocking_ns", &analysis_costs::blocking_ns},
    {"steal_ns", &analysis_costs::steal_ns},
    {"return_ns", &analysis_costs::return_ns},
    {"wake_ns", &analysis_costs::wake_ns},
}};

inline constexpr std::array<field<analysed_site, std::uint64_t, double, duration_histogram>, 9>
    site_fields{{
        {"forks", &analysed_site::forks},
        {"work_ns", &analysed_site::work_ns},
        {"span_ns", &analysed_site::span_ns},
        {"longest_job_ns", &analysed_site::longest_job_ns},
        {"jobs_by_log2_ns", &analysed_site::jobs},
        {"leaves", &analysed_site::leaves},
        {"leaf_ns", &analysed_site::leaf_ns},
        {"longest_leaf_ns", &analysed_site::longest_leaf_ns},
        {"fork_overhead_ns", &analysed_site::fork_overhead_ns},
    }};

/// Whether every time can be computed with: a number, not too great for a sum of two, and not
/// negative, except the costs of watching. For analyses from outside.
bool is_sound(const analysis& of) noexcept;

}  // namespace filch::event
