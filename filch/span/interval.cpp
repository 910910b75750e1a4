#include <filch/span/interval.hpp>

#include <algorithm>

namespace filch::inline v0_2::span {
namespace {

/// floor(`amount` * `part` / `whole`), without overflow.
std::int64_t part_of(std::int64_t amount, std::int64_t part, std::int64_t whole) noexcept {
  __extension__ using wide = __int128;
  return static_cast<std::int64_t>(wide{amount} * part / whole);
}

}  // namespace

// Sleep is spread over the time that the run delay leaves, and forks over the time that both leave.
// Spread over the whole, a part could get more than its length.
interval cut(const interval& whole, time_range limits) noexcept {
  interval part = whole;
  part.when = overlap(whole.when, limits);
  const std::int64_t length = whole.when.length_ns(), left = length - whole.run_delay_ns;
  const auto delay_until = [&](std::int64_t at) {
    return length == 0 ? 0 : part_of(whole.run_delay_ns, at, length);
  };
  const auto slept_until = [&](std::int64_t at) {
    return left == 0 ? 0 : part_of(whole.slept_ns, at - delay_until(at), left);
  };
  const std::int64_t awake = left - whole.slept_ns;
  const auto forked_until = [&](std::int64_t at) {
    return awake == 0 ? 0
                      : part_of(whole.forking_ns, at - delay_until(at) - slept_until(at), awake);
  };
  const std::int64_t from = part.when.begin_ns - whole.when.begin_ns,
                     to = from + part.when.length_ns();
  part.run_delay_ns = delay_until(to) - delay_until(from);
  part.slept_ns = slept_until(to) - slept_until(from);
  part.forking_ns = forked_until(to) - forked_until(from);
  return part;
}

vacancy cut(const vacancy& whole, time_range limits) noexcept {
  vacancy part = whole;
  part.when = overlap(whole.when, limits);
  return part;
}

std::int64_t carve(std::vector<interval>& from, std::span<const std::size_t> which,
                   std::int64_t amount_ns, std::int64_t interval::*share) {
  std::int64_t room = 0;
  for (const std::size_t i : which) room += from[i].left_ns();
  if (room == 0) return amount_ns;
  const std::int64_t fitting = std::min(amount_ns, room);
  std::int64_t passed = 0;
  for (const std::size_t i : which) {
    const std::int64_t next = passed + from[i].left_ns();
    from[i].*share += part_of(fitting, next, room) - part_of(fitting, passed, room);
    passed = next;
  }
  return amount_ns - fitting;
}

}  // namespace filch::span
