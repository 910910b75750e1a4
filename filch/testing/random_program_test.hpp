#pragma once
// Programs of 50 to 200 jobs and tasks that nest all that filch offers, drawn from a seed, and
// their expected results.
#include <filch/base/rng.hpp>
#include <filch/filch.hpp>

#include <vector>

namespace filch::inline v0_2::testing {

enum class node_kind : unsigned char {
  leaf,             ///< Counts itself.
  sequence,         ///< One part after the other.
  join,             ///< Two or three parts.
  group,            ///< A task group of its parts.
  chain,            ///< A task group in which each part adds the next.
  cancelled_group,  ///< A task group cancelled when half of its parts have been added.
  loop,             ///< `parallel_for` over its parts.
  broken_loop,      ///< `parallel_for` over leaves of which one throws.
  reduction,        ///< `parallel_reduce` over its parts.
  blocked,          ///< `blocking` around its part.
  submitted,        ///< Its part runs detached.
  visit,            ///< Its part runs in another pool.
  thrown,           ///< Throws its number.
  guard,            ///< Catches what its part throws, and nothing else may come.
  nap,
  stop,  ///< Asks the other pool to stop.
  // Tasks: awaited by the task that they are part of, and by `block_on` in a plain function.
  calls,      ///< Awaits its parts one after the other.
  forks,      ///< Forks its parts and joins.
  sleeper,    ///< Sleeps, yields, awaits its part.
  spawner,    ///< Spawns its part and awaits the handle.
  dropped,    ///< Spawns its part and drops the handle.
  nursery,    ///< A scope of its parts.
  contended,  ///< A scope whose parts need one lock.
  gated,      ///< A scope whose parts pass a primitive, chosen by its number.
  piped,      ///< Sends its parts through a channel to two that await what they receive.
  cut,        ///< A scope cancelled when half of its parts have been spawned.
  timed,      ///< Awaits its part for so long.
  moved,      ///< Awaits its part in the other pool.
};
constexpr bool is_task(node_kind kind) noexcept { return kind >= node_kind::calls; }

/// Whether a node runs: what the oracle knows before the run.
enum class fate : unsigned char { never, perhaps, once };

/// What a program may be refused.
enum class scarcity : unsigned char { none, threads, memory };

/// The answer of the construct that was handed a node.
enum class answer : unsigned char { none, taken, refused };

struct node {
  node_kind kind;
  int parent;
  std::vector<int> parts;
  fate expected = fate::never;
  /// The nodes of which one's exception comes out of this one; in a group, the first one's.
  std::vector<int> leaves_by = {};
  int runs = 0;
  int arrivals = 0;  ///< How often the library has begun this node.
  answer said = answer::none;
  bool is_being_played = false;
};

class random_program {
 public:
  /// If threads are scarce, a submission may be refused, and there are no tasks, which might wait
  /// for a thread for ever. If memory is scarce, each call that allocates may throw, and any node
  /// may end by that.
  random_program(std::uint64_t seed, scarcity what);

  /// Runs it in pools of its own and checks everything.
  void run();
  std::size_t size() const noexcept { return nodes_.size(); }
  /// How many allocations it was refused.
  std::uint64_t refusals() const noexcept { return refusals_; }

 private:
  friend class program_run;
  int add(node_kind kind, int parent);
  bool may_draw(node_kind kind, bool may_throw) const noexcept;
  int draw(int parent, int depth, bool may_throw);
  int draw_inner(node_kind kind, int parent, int depth, bool may_throw);
  const std::vector<int>& expect(int at, fate outer);
  std::vector<int> expect_parts(node& here, fate outer);
  fate after_an_exception(node_kind kind, fate inner) const noexcept;

  std::uint32_t below(std::uint32_t bound) noexcept { return base::below(random_(), bound); }
  base::split_mix64 random_;
  const std::uint64_t seed_;
  const scarcity lack_;
  bool stops_;  ///< The other pool is asked to stop while it works.
  bool has_tasks_;
  /// Jobs are submitted to the pool that ends first, whose destructor waits for them.
  bool drains_;
  int jobs_left_;
  std::uint64_t refusals_ = 0;
  std::vector<node> nodes_;
  std::vector<int> roots_;  ///< Each on a thread of its own; the first on the body's.
};

}  // namespace filch::testing
