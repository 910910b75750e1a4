#include <filch/graph/limit.hpp>

#include <pthread.h>

#include <stdexcept>

namespace filch::inline v0_2 {

/// What is done under the lock of all limits. One lock, as a node may need several of them.
struct limit_queues {
  static inline base::mutex lock;
  /// At a fork no other thread holds it, as it would hold the child's for ever.
  [[maybe_unused]] static inline const int hooked = ::pthread_atfork(
      []() FILCH_UNCHECKED { lock.lock(); }, []() FILCH_UNCHECKED { lock.unlock(); },
      []() FILCH_UNCHECKED { lock.unlock(); });

  static bool have_room(const graph::node_info& for_node) noexcept {
    bool all = true;
    for (graph::limit_use* each = for_node.limits; each != nullptr; each = each->next)
      all &= each->of->free_ != 0 && (each->of->first_ == nullptr || each->of->first_ == each);
    return all;
  }
  static void take(const graph::node_info& by) noexcept {
    for (graph::limit_use* each = by.limits; each != nullptr; each = each->next) --each->of->free_;
  }
  static void enqueue(const graph::node_info& by) noexcept {
    for (graph::limit_use* each = by.limits; each != nullptr; each = each->next) {
      each->behind = nullptr;
      graph_limit& of = *each->of;
      (of.first_ == nullptr ? of.first_ : of.last_->behind) = each;
      of.last_ = each;
    }
  }
  /// `first` of its queue has what it needs.
  static void dequeue(const graph::node_info& first) noexcept {
    for (graph::limit_use* each = first.limits; each != nullptr; each = each->next)
      each->of->first_ = each->behind;
  }
};

namespace graph {

bool take_limits(node_info& by) noexcept {
  base::lock_guard guard{limit_queues::lock};
  const bool has_them = limit_queues::have_room(by);
  has_them ? limit_queues::take(by) : limit_queues::enqueue(by);
  return has_them;
}

// A node that leaves several queues may let the next one in each of them go on, so all limits of
// such a node are looked at again.
node_info* return_limits(node_info& by) noexcept {
  base::lock_guard guard{limit_queues::lock};
  for (limit_use* each = by.limits; each != nullptr; each = each->next) ++each->of->free_;
  node_info* looked_at = &by;  // those whose limits are still to be looked at
  node_info* last = &by;
  by.next_ready = nullptr;
  for (; looked_at != nullptr; looked_at = looked_at->next_ready) {
    for (limit_use* each = looked_at->limits; each != nullptr; each = each->next) {
      for (limit_use* front = each->of->first_; front != nullptr; front = each->of->first_) {
        if (!limit_queues::have_room(*front->by)) break;
        limit_queues::take(*front->by);
        limit_queues::dequeue(*front->by);
        front->by->next_ready = nullptr;
        last = last->next_ready = front->by;
      }
    }
  }
  return by.next_ready;
}

}  // namespace graph

graph_limit::graph_limit(unsigned most) : most_{most}, free_{most} {
  if (most == 0)
    throw std::invalid_argument(
        "filch: a graph_limit of 0 would let no node run; give it 1 or more");
}

unsigned graph_limit::in_use() const noexcept {
  base::lock_guard guard{limit_queues::lock};
  return most_ - free_;
}

}  // namespace filch
