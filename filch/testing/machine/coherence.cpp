#include <filch/testing/machine/coherence.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace filch::inline v0_2::testing {

using base::effect;

coherence::coherence(const machine& of)
    : cores_per_cache_{of.cores_per_cache},
      cores_per_node_{of.cores_per_cache * of.caches_per_node},
      lines_at_once_{of.lines_at_once},
      prices_{to_picoseconds(of.modify),    to_picoseconds(of.same_cache),
              to_picoseconds(of.same_node), to_picoseconds(of.other_node),
              to_picoseconds(of.memory),    to_picoseconds(line_bytes / of.bytes_per_ns)},
      stored_(of.cores(), 0),
      memory_free_(of.nodes, 0) {}

picoseconds coherence::distance(unsigned from, unsigned to) const noexcept {
  if (from / cores_per_cache_ == to / cores_per_cache_) return prices_.same_cache;
  return from / cores_per_node_ == to / cores_per_node_ ? prices_.same_node : prices_.other_node;
}

namespace {

template <class Visit>
void for_each_sharer(const line& of, unsigned except, Visit visit) {
  for (unsigned word = 0; word < of.sharers.size(); ++word) {
    for (std::uint64_t left = of.sharers[word]; left != 0; left &= left - 1) {
      const unsigned core = word * 64 + static_cast<unsigned>(std::countr_zero(left));
      if (core != except) visit(core);
    }
  }
}

}  // namespace

picoseconds coherence::farthest(const line& of, unsigned core) const noexcept {
  picoseconds most = 0;
  for_each_sharer(of, core, [&](unsigned other) { most = std::max(most, distance(other, core)); });
  return most;
}

picoseconds coherence::nearest(const line& of, unsigned core) const noexcept {
  picoseconds least = prices_.other_node;
  for_each_sharer(of, core,
                  [&](unsigned other) { least = std::min(least, distance(other, core)); });
  return least;
}

// The memory of the core's own node: data is where it was first touched.
picoseconds coherence::from_memory(unsigned core, picoseconds now) noexcept {
  picoseconds& free = memory_free_[core / cores_per_node_];
  const picoseconds queued = std::max(free, now) - now;
  free = now + queued + prices_.line_transfer;
  return queued + prices_.memory;
}

/// When the line comes to `core`, which asks the cores for it that have it.
picoseconds coherence::from_others(line& to, unsigned core, effect does, picoseconds now) const {
  // Shares of the time of a fetch, fitted to `filch-contention` on two cores: the way of the
  // request, how long an owner keeps the line at least, and a fetch without data.
  constexpr double request = 0.4, least_hold = 0.22, without_data = 0.55;
  const auto share = [](double of, picoseconds all) {
    return static_cast<picoseconds>(of * static_cast<double>(all));
  };
  to.moved_at = now;
  const picoseconds far = does == effect::reads ? nearest(to, core) : farthest(to, core);
  if (to.owner == line::nobody)
    return std::max(now, to.busy_until) + (to.has(core) ? share(without_data, far) : far);
  const picoseconds given_away =
      std::max(now + share(request, far), to.got_at + share(least_hold, far));
  to.previous_owner = to.owner;
  to.lost_at = does == effect::reads ? 0 : given_away;
  return given_away + far - share(request, far);
}

picoseconds coherence::access(line& to, unsigned core, effect does, picoseconds now) {
  picoseconds done = now;
  // A locked instruction waits for the stores before it
  if (does == effect::modifies) done = std::max(done, stored_[core]) + prices_.modify;
  if (is_private(to, core, does, done)) return done;
  done =
      to.is_shared_by_none() ? done + from_memory(core, done) : from_others(to, core, does, done);
  if (does == effect::reads) {
    if (std::exchange(to.owner, line::nobody) != line::nobody) to.busy_until = done;
    to.sharers[core / 64] |= std::uint64_t{1} << core % 64;
    return done;
  }
  to.busy_until = to.got_at = done;
  to.owner = core;
  to.sharers = {};
  to.sharers[core / 64] = std::uint64_t{1} << core % 64;
  if (does != effect::writes) return done;
  stored_[core] = std::max(stored_[core], done);
  return now;  // the store waits in its buffer
}

picoseconds coherence::walk(line& to, unsigned core, effect does, picoseconds now) {
  const picoseconds done = access(to, core, does, now);
  return now + static_cast<picoseconds>(static_cast<double>(done - now) / lines_at_once_);
}

void coherence::note_wait(line& at, base::place where, const char* what, picoseconds waited) {
  at.waited += waited;
  const auto known = std::ranges::find_if(at.waits, [&](const line_wait& each) {
    return each.where.line == where.line && each.where.file == where.file && each.what == what;
  });
  line_wait& to = known != at.waits.end() ? *known : at.waits.emplace_back(line_wait{where, what});
  to.waited += waited;
  ++to.count;
}

std::vector<std::pair<std::uintptr_t, const line*>> coherence::hottest(std::size_t most) const {
  std::vector<std::pair<std::uintptr_t, const line*>> all;
  for (const auto& [number, each] : lines_) {
    if (each.waited != 0) all.emplace_back(number * line_bytes, &each);
  }
  std::ranges::sort(all, [](const auto& left, const auto& right) {
    return std::pair{right.second->waited, left.first} <
           std::pair{left.second->waited, right.first};
  });
  all.resize(std::min(all.size(), most));
  return all;
}

void coherence::forget_waits() {
  for (auto& [number, each] : lines_) {
    each.waited = 0;
    each.waits.clear();
  }
}

}  // namespace filch::testing
