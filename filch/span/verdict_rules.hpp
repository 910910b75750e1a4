#pragma once
// The rules, in the order in which they are asked: those that explain more with less come first.
// What each takes, and why so much, stands with its definition.
#include <filch/span/verdict.hpp>

namespace filch::span {

/// A program is not worth changing for less than a twentieth, and two runs of one program differ by
/// as much.
inline constexpr double worth_saying = 0.05;

std::optional<finding> lost_records(evidence& e);
std::optional<finding> throttled(evidence& e);
std::optional<finding> oversubscription(evidence& e);
std::optional<finding> memory_bound(evidence& e);
std::optional<finding> lock_convoy(evidence& e);
std::optional<finding> blocked_workers(evidence& e);
std::optional<finding> grain_too_fine(evidence& e);
std::optional<finding> wake_latency(evidence& e);
std::optional<finding> neglected_work(evidence& e);
std::optional<finding> long_tail(evidence& e);
std::optional<finding> grain_too_coarse(evidence& e);
std::optional<finding> too_little_parallelism(evidence& e);

}  // namespace filch::span
