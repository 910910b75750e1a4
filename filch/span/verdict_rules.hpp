#pragma once
// The rules, in the order in which they are asked: those that explain more with less come first.
// Each comment says what a rule needs, in shares of all time of the slots; the definition says why.
#include <filch/span/verdict.hpp>

namespace filch::inline v0_2::span {

/// A program is not worth changing for less than 5 %, and two runs of one program differ by as
/// much.
inline constexpr double worth_saying = 0.05;

/// 5 % unknown.
std::optional<finding> lost_records(evidence& e);
/// 5 % run delay while a quota held back threads of the control group (`recording::throttled_ns`).
std::optional<finding> throttled(evidence& e);
/// Another 5 % run delay.
std::optional<finding> oversubscription(evidence& e);
/// 5 % of the time in jobs spent on forks; of a watched run, of its work. Or 30 jobs, their median
/// under ten times the cost of taking one, and 5 % stealing, searching, neglected and, at 200 ns
/// for each, taking from queues.
std::optional<finding> grain_too_fine(evidence& e);
/// 1.25 times the work of the same program on one worker, more on a busy machine, and a surplus of
/// 5 %. Forks count as work, the cost of being watched does not. Not if the grain is too fine.
std::optional<finding> memory_bound(evidence& e);
/// 10 % asleep in jobs, and less run delay. While two or more workers are in jobs, 0.9 to 1.3 of
/// them are awake, and under 70 % of them. Or 5 % asleep in jobs that do not sleep on one worker.
std::optional<finding> lock_convoy(evidence& e);
/// 5 % asleep in jobs, or 10 % starved while others are in `blocking`, and no convoy.
std::optional<finding> blocked_workers(evidence& e);
/// 5 % free with a wake on its way.
std::optional<finding> wake_latency(evidence& e);
/// Another 5 % free over work.
std::optional<finding> neglected_work(evidence& e);
/// 10 % idle while one job, three times the median, goes on alone.
std::optional<finding> long_tail(evidence& e);
/// 10 % idle while others work, fewer than eight jobs a slot (those run in place too), and for a
/// quarter of the time every slot works.
std::optional<finding> grain_too_coarse(evidence& e);
/// 20 % idle that nothing else explains.
std::optional<finding> too_little_parallelism(evidence& e);

}  // namespace filch::span
