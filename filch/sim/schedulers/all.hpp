#pragma once
#include <filch/sim/scheduler.hpp>

namespace filch::inline v0_2::sim {

std::unique_ptr<scheduler> make_static_split(const computation& what, std::uint32_t worker_count);
std::unique_ptr<scheduler> make_central_queue();
std::unique_ptr<scheduler> make_work_sharing();

/// What a worker pushes at a fork, which leaves it two things to do: a thief finds the one pushed.
enum class stolen_side : std::uint8_t { child, continuation };
std::unique_ptr<scheduler> make_work_stealing(std::uint32_t worker_count, stolen_side side);

}  // namespace filch::sim
