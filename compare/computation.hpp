#pragma once
// Tree-shaped computations with a result, expressed once and run on any scheduler of the room.
#include <compare/scheduler.hpp>

#include <concepts>
#include <vector>

namespace filch::compare {

/// Stands for any scheduler's spawn when a computation is checked.
template <class Node>
struct any_spawn {
  void operator()(const Node&) const {}
};

/// `expand` visits one node: it adds what the node yields to a result that belongs to the worker,
/// and spawns the children. Results are added up at the end, in any order; a fresh `result` is the
/// neutral element.
template <class C>
concept computation = std::is_trivially_copyable_v<typename C::node> &&
    requires(const C& c, const typename C::node& n, typename C::result& r,
             const any_spawn<typename C::node>& spawn) {
  { c.root() } -> std::same_as<typename C::node>;
  c.expand(n, r, spawn);
  { r + r } -> std::convertible_to<typename C::result>;
};

/// One computation while it runs: one partial result for each worker, so that none is shared.
template <computation C>
class running {
  using node = typename C::node;
  using result = typename C::result;
  struct alignas(base::cache_line_bytes) part {
    result value{};
  };

 public:
  running(const C& what, unsigned worker_capacity) : what_{what}, parts_(worker_capacity) {}

  result on(scheduler& where) {
    where.run(as_job(what_.root(), 0));
    result total{};
    for (const part& p : parts_) total = total + p.value;
    return total;
  }

 private:
  static void run_node(const job& next, worker& me) noexcept {
    running& self = *static_cast<running*>(next.computation);
    const unsigned index = me.index();
    self.what_.expand(next.template node<node>(), self.parts_[index].value,
                      [&](const node& child) { me.spawn(self.as_job(child, index)); });
  }
  job as_job(const node& n, unsigned spawner) { return job::make(&run_node, this, n, spawner); }

  const C& what_;
  std::vector<part> parts_;
};

/// Runs the whole tree of `what` on `where` and returns the sum of all results.
template <computation C>
typename C::result run_on(scheduler& where, const C& what) {
  return running<C>{what, where.worker_capacity()}.on(where);
}

}  // namespace filch::compare
