#include <filch/testing/random_program_test.hpp>

#include <algorithm>
#include <iterator>

namespace filch::inline v0_2::testing {

// -------------------------------------------------------------------------------------------------
// what it is
random_program::random_program(std::uint64_t seed, scarcity what)
    : random_{seed},
      seed_{seed},
      lack_{what},
      stops_{below(4) == 0},
      has_tasks_{what != scarcity::threads && below(2) == 0},
      drains_{below(2) == 0},
      jobs_left_{50 + static_cast<int>(below(151))} {
  const std::uint32_t threads = 1 + below(3) / 2;
  do {
    for (std::uint32_t i = 0; i < threads; ++i)
      roots_.push_back(draw_inner(node_kind::guard, -1, 0, true));
  } while (jobs_left_ > 0 && roots_.size() < 4 * threads);
  // Without memory any call may throw, and what follows it does not run. Then only the run itself
  // shows what must happen.
  for (const int root : roots_) expect(root, what == scarcity::memory ? fate::perhaps : fate::once);
}

int random_program::add(node_kind kind, int parent) {
  nodes_.push_back({kind, parent, {}});
  return static_cast<int>(nodes_.size()) - 1;
}

int random_program::draw(int parent, int depth, bool may_throw) {
  if (--jobs_left_ <= 0 || depth > 7) return add(node_kind::leaf, parent);
  constexpr node_kind kinds[] = {
      node_kind::leaf,      node_kind::sequence,
      node_kind::join,      node_kind::join,
      node_kind::group,     node_kind::group,
      node_kind::chain,     node_kind::loop,
      node_kind::reduction, node_kind::guard,
      node_kind::submitted, node_kind::visit,
      node_kind::blocked,   node_kind::cancelled_group,
      node_kind::nap,       node_kind::thrown,
      node_kind::stop,      node_kind::broken_loop,  // from here on tasks
      node_kind::calls,     node_kind::forks,
      node_kind::forks,     node_kind::sleeper,
      node_kind::spawner,   node_kind::dropped,
      node_kind::nursery,   node_kind::contended,
      node_kind::piped,     node_kind::cut,
      node_kind::timed,     node_kind::moved,
      node_kind::gated,     node_kind::gated};
  constexpr auto plain =
      static_cast<std::uint32_t>(std::ranges::find_if(kinds, is_task) - std::begin(kinds));
  const node_kind kind =
      kinds[below(has_tasks_ ? static_cast<std::uint32_t>(std::size(kinds)) : plain)];
  return may_draw(kind, may_throw) ? draw_inner(kind, parent, depth, may_throw)
                                   : add(node_kind::leaf, parent);
}

bool random_program::may_draw(node_kind kind, bool may_throw) const noexcept {
  switch (kind) {
    case node_kind::thrown:
    case node_kind::broken_loop: return may_throw;
    case node_kind::stop: return stops_;
    // Or the pool to which it must return takes no task, or is gone
    case node_kind::moved: return !stops_ && !drains_;
    default: return true;
  }
}

namespace {

/// False: the result would depend on which thread is faster, or no caller would see the exception.
bool hands_on_what_is_thrown(node_kind kind) noexcept {
  switch (kind) {
    case node_kind::sequence:
    case node_kind::join:
    case node_kind::group:
    case node_kind::blocked:
    case node_kind::visit:
    case node_kind::calls:
    case node_kind::forks:
    case node_kind::sleeper:
    case node_kind::spawner:
    case node_kind::moved: return true;
    default: return false;
  }
}

}  // namespace

int random_program::draw_inner(node_kind kind, int parent, int depth, bool may_throw) {
  const int at = add(kind, parent);
  std::uint32_t count = 0;
  switch (kind) {
    case node_kind::leaf:
    case node_kind::thrown:
    case node_kind::nap:
    case node_kind::stop: break;
    case node_kind::blocked:
    case node_kind::submitted:
    case node_kind::visit:
    case node_kind::sleeper:
    case node_kind::spawner:
    case node_kind::dropped:
    case node_kind::timed:
    case node_kind::moved:
    case node_kind::guard: count = 1; break;
    case node_kind::join:
    case node_kind::forks: count = 2 + below(2); break;
    case node_kind::calls:
    case node_kind::sequence: count = 1 + below(3); break;
    default: count = 1 + below(6); break;
  }
  const bool part_may_throw =
      kind == node_kind::guard || (may_throw && hands_on_what_is_thrown(kind));
  for (std::uint32_t i = 0; i < count; ++i) {
    const int part = kind == node_kind::broken_loop ? add(node_kind::leaf, at)
                                                    : draw(at, depth + 1, part_may_throw);
    nodes_[static_cast<std::size_t>(at)].parts.push_back(part);
  }
  return at;
}

// -------------------------------------------------------------------------------------------------
// what must come of it
const std::vector<int>& random_program::expect(int at, fate outer) {
  node& here = nodes_[static_cast<std::size_t>(at)];
  here.expected = outer;
  here.leaves_by = expect_parts(here, outer);
  return here.leaves_by;
}

std::vector<int> random_program::expect_parts(node& here, fate outer) {
  fate inner = outer;
  switch (here.kind) {
    case node_kind::thrown: return {static_cast<int>(&here - nodes_.data())};
    case node_kind::cancelled_group:
    case node_kind::cut:
    case node_kind::timed:
    case node_kind::broken_loop: inner = std::min(outer, fate::perhaps); break;
    case node_kind::submitted:
      inner = stops_ || lack_ == scarcity::threads ? std::min(outer, fate::perhaps) : outer;
      break;
    case node_kind::spawner:
    case node_kind::dropped:
    case node_kind::nursery:
    case node_kind::contended:
    case node_kind::gated:
    case node_kind::piped:
    case node_kind::visit: inner = stops_ ? std::min(outer, fate::perhaps) : outer; break;
    default: break;
  }
  std::vector<int> thrown;
  for (const int part : here.parts) {
    const std::vector<int>& by_part = expect(part, inner);
    if (by_part.empty()) continue;
    if (thrown.empty() || here.kind == node_kind::group)
      thrown.insert(thrown.end(), by_part.begin(), by_part.end());
    inner = after_an_exception(here.kind, inner);
  }
  if (here.kind == node_kind::broken_loop) return {here.parts.front()};
  if (here.kind == node_kind::guard) return {};
  // Also those added before may not have begun by then
  if (here.kind == node_kind::group && !thrown.empty()) {
    for (const int part : here.parts) expect(part, std::min(outer, fate::perhaps));
  }
  return thrown;
}

/// Whether a part runs after one that throws.
fate random_program::after_an_exception(node_kind kind, fate inner) const noexcept {
  switch (kind) {
    case node_kind::sequence:
    case node_kind::calls:
      // A visit to a stopped pool throws nothing
      return stops_ ? std::min(inner, fate::perhaps) : fate::never;
    case node_kind::join: return std::min(inner, fate::perhaps);
    default: return inner;
  }
}

}  // namespace filch::testing
