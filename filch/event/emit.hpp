#pragma once
#include <filch/event/counters.hpp>

namespace filch::event {

/// Reports that `what` happened `amount` times to the worker that owns `mine`. The one door for events: what counts today
/// is recorded and drawn through here later.
inline void emit(counters& mine, kind what, std::uint64_t amount = 1) noexcept { mine.add(what, amount); }

}  // namespace filch::event
