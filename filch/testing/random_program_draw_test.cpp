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
      roots_.push_back(draw_inner(piece::guard, -1, 0, true));
  } while (jobs_left_ > 0 && roots_.size() < 4 * threads);
  // Without memory any call may throw, and what follows it does not run. Then only the run itself
  // shows what must happen.
  for (const int root : roots_) expect(root, what == scarcity::memory ? fate::perhaps : fate::once);
}

int random_program::add(piece kind, int parent) {
  nodes_.push_back({kind, parent, {}});
  return static_cast<int>(nodes_.size()) - 1;
}

int random_program::draw(int parent, int depth, bool may_throw) {
  if (--jobs_left_ <= 0 || depth > 7) return add(piece::leaf, parent);
  constexpr piece kinds[] = {piece::leaf,      piece::sequence,
                             piece::join,      piece::join,
                             piece::group,     piece::group,
                             piece::chain,     piece::loop,
                             piece::reduction, piece::guard,
                             piece::submitted, piece::visit,
                             piece::blocked,   piece::cancelled_group,
                             piece::nap,       piece::thrown,
                             piece::stop,      piece::broken_loop,  // from here on tasks
                             piece::calls,     piece::forks,
                             piece::forks,     piece::sleeper,
                             piece::spawner,   piece::dropped,
                             piece::nursery,   piece::contended,
                             piece::piped,     piece::cut,
                             piece::timed,     piece::moved,
                             piece::gated,     piece::gated};
  constexpr auto plain =
      static_cast<std::uint32_t>(std::ranges::find_if(kinds, is_task) - std::begin(kinds));
  const piece kind =
      kinds[below(has_tasks_ ? static_cast<std::uint32_t>(std::size(kinds)) : plain)];
  return may_draw(kind, may_throw) ? draw_inner(kind, parent, depth, may_throw)
                                   : add(piece::leaf, parent);
}

bool random_program::may_draw(piece kind, bool may_throw) const noexcept {
  switch (kind) {
    case piece::thrown:
    case piece::broken_loop: return may_throw;
    case piece::stop: return stops_;
    // Or the pool to which it must return takes no task, or is gone
    case piece::moved: return !stops_ && !drains_;
    default: return true;
  }
}

namespace {

/// False: the result would depend on which thread is faster, or no caller would see the exception.
bool hands_on_what_is_thrown(piece kind) noexcept {
  switch (kind) {
    case piece::sequence:
    case piece::join:
    case piece::group:
    case piece::blocked:
    case piece::visit:
    case piece::calls:
    case piece::forks:
    case piece::sleeper:
    case piece::spawner:
    case piece::moved: return true;
    default: return false;
  }
}

}  // namespace

int random_program::draw_inner(piece kind, int parent, int depth, bool may_throw) {
  const int at = add(kind, parent);
  std::uint32_t count = 0;
  switch (kind) {
    case piece::leaf:
    case piece::thrown:
    case piece::nap:
    case piece::stop: break;
    case piece::blocked:
    case piece::submitted:
    case piece::visit:
    case piece::sleeper:
    case piece::spawner:
    case piece::dropped:
    case piece::timed:
    case piece::moved:
    case piece::guard: count = 1; break;
    case piece::join:
    case piece::forks: count = 2 + below(2); break;
    case piece::calls:
    case piece::sequence: count = 1 + below(3); break;
    default: count = 1 + below(6); break;
  }
  const bool part_may_throw = kind == piece::guard || (may_throw && hands_on_what_is_thrown(kind));
  for (std::uint32_t i = 0; i < count; ++i) {
    const int part =
        kind == piece::broken_loop ? add(piece::leaf, at) : draw(at, depth + 1, part_may_throw);
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
    case piece::thrown: return {static_cast<int>(&here - nodes_.data())};
    case piece::cancelled_group:
    case piece::cut:
    case piece::timed:
    case piece::broken_loop: inner = std::min(outer, fate::perhaps); break;
    case piece::submitted:
      inner = stops_ || lack_ == scarcity::threads ? std::min(outer, fate::perhaps) : outer;
      break;
    case piece::spawner:
    case piece::dropped:
    case piece::nursery:
    case piece::contended:
    case piece::gated:
    case piece::piped:
    case piece::visit: inner = stops_ ? std::min(outer, fate::perhaps) : outer; break;
    default: break;
  }
  std::vector<int> thrown;
  for (const int part : here.parts) {
    const std::vector<int>& by_part = expect(part, inner);
    if (by_part.empty()) continue;
    if (thrown.empty() || here.kind == piece::group)
      thrown.insert(thrown.end(), by_part.begin(), by_part.end());
    inner = after_an_exception(here.kind, inner);
  }
  if (here.kind == piece::broken_loop) return {here.parts.front()};
  if (here.kind == piece::guard) return {};
  // Also those added before may not have begun by then
  if (here.kind == piece::group && !thrown.empty()) {
    for (const int part : here.parts) expect(part, std::min(outer, fate::perhaps));
  }
  return thrown;
}

/// Whether a part runs after one that throws.
fate random_program::after_an_exception(piece kind, fate inner) const noexcept {
  switch (kind) {
    case piece::sequence:
    case piece::calls:
      // A visit to a stopped pool throws nothing
      return stops_ ? std::min(inner, fate::perhaps) : fate::never;
    case piece::join: return std::min(inner, fate::perhaps);
    default: return inner;
  }
}

}  // namespace filch::testing
