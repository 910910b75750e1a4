#include <filch/base/panic.hpp>
#include <filch/sim/computation.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace filch::inline v0_2::sim {

computation::computation(std::vector<task> tasks) : tasks_{std::move(tasks)} {
  for (task_id id = 0; id < task_count(); ++id) {
    const task& each = tasks_[id];
    FILCH_ASSERT(id == 0 ? each.awaited == 0 : each.awaited > 0 && each.parent < id,
                 "the first task alone is ready at once", id);
    for (const task_id child : each.children)
      FILCH_ASSERT(child > id && child < task_count(), "tasks go on forwards", id, child);
    FILCH_ASSERT(each.next == no_task || (each.next > id && each.next < task_count()),
                 "tasks go on forwards", id, each.next);
  }
}

bool computation::has_continuations() const noexcept {
  return std::ranges::any_of(
      tasks_, [](const task& each) { return !each.children.empty() && each.next != no_task; });
}

std::uint64_t computation::work() const noexcept {
  return std::accumulate(tasks_.begin(), tasks_.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const task& each) { return sum + each.ticks; });
}

std::uint64_t computation::span() const {
  std::vector<std::uint64_t> ready(tasks_.size(), 0);
  std::uint64_t longest = 0;
  for (task_id id = 0; id < task_count(); ++id) {
    const std::uint64_t end = ready[id] + tasks_[id].ticks;
    for (const task_id child : tasks_[id].children) ready[child] = std::max(ready[child], end);
    if (tasks_[id].next != no_task) ready[tasks_[id].next] = std::max(ready[tasks_[id].next], end);
    longest = std::max(longest, end);
  }
  return longest;
}

namespace {

/// Makes a tree level by level: `sizes_of(size)` are the sizes of a node's children, and
/// `named(first, size)` is its name.
template <class Cut, class Node>
std::vector<task> tree(std::uint32_t size, Cut sizes_of, Node node) {
  struct range {
    std::uint32_t first, size;
  };
  std::vector<task> tasks;
  std::vector<range> ranges{{0, size}};
  tasks.push_back(node(0u, size, 0u));
  for (task_id id = 0; id < tasks.size(); ++id) {
    std::uint32_t first = ranges[id].first;
    for (const std::uint32_t part : sizes_of(ranges[id].size)) {
      const auto child = static_cast<task_id>(tasks.size());
      tasks[id].children.push_back(child);
      tasks.push_back(node(first, part, child));
      tasks.back().parent = id;
      tasks.back().awaited = 1;
      ranges.push_back({first, part});
      first += part;
    }
  }
  return tasks;
}

std::vector<std::uint32_t> halves(std::uint32_t size) {
  return size > 1 ? std::vector<std::uint32_t>{size - size / 2, size / 2}
                  : std::vector<std::uint32_t>{};
}

task numbered(task_id id, std::uint32_t ticks) {
  task made;
  made.name = std::to_string(id + 1);
  made.ticks = ticks;
  return made;
}

}  // namespace

computation balanced_tree(std::uint32_t levels, std::uint32_t ticks) {
  FILCH_ASSERT(levels >= 1 && levels <= 20, "a tree of a size that can be held", levels);
  return computation{tree(1u << (levels - 1), halves,
                          [=](auto, auto, task_id id) { return numbered(id, ticks); })};
}

computation skewed_tree(std::uint32_t items, std::uint32_t ticks) {
  const auto three_to_one = [](std::uint32_t size) {
    if (size <= 1) return std::vector<std::uint32_t>{};
    const std::uint32_t smaller = std::max(1u, size / 4);
    return std::vector<std::uint32_t>{size - smaller, smaller};
  };
  return computation{
      tree(items, three_to_one, [=](auto, auto, task_id id) { return numbered(id, ticks); })};
}

computation growing_loop(std::uint32_t iterations) {
  return computation{tree(iterations, halves, [](std::uint32_t first, std::uint32_t size, task_id) {
    task made;
    made.name = size == 1 ? std::to_string(first)
                          : std::to_string(first) + "-" + std::to_string(first + size - 1);
    made.ticks = size == 1 ? first + 1 : 1;
    return made;
  })};
}

computation fork_join_function() {
  enum : task_id { f1, f2, g1, f3, g2, h, g3, end };
  std::vector<task> tasks(end + 1);
  const auto serial_part = [&](task_id id, const char* name, std::uint32_t ticks, task_id parent) {
    tasks[id] = {.name = name,
                 .ticks = ticks,
                 .parent = parent,
                 .children = {},
                 .next = no_task,
                 .awaited = id == f1 ? 0u : 1u};
  };
  const auto fork = [&](task_id before, task_id child, const char* name, std::uint32_t ticks) {
    serial_part(child, name, ticks, before);
    tasks[before].children.push_back(child);
    tasks[child].next = end;
  };
  serial_part(f1, "f1", 1, no_task);
  serial_part(f2, "f2", 1, f1);
  serial_part(f3, "f3", 1, f2);
  serial_part(h, "h", 8, f3);
  serial_part(end, "f4", 1, h);
  fork(f1, g1, "g1", 12);
  fork(f2, g2, "g2", 10);
  fork(f3, g3, "g3", 6);
  tasks[f1].next = f2;
  tasks[f2].next = f3;
  tasks[f3].next = h;
  tasks[h].next = end;
  tasks[end].awaited = 4;
  return computation{std::move(tasks)};
}

namespace {

/// The subtrees that a plan deals out. A function that goes on after its forks is a subtree of its
/// own beside those that it forks.
std::vector<task_id> subtrees_for(const computation& what, std::uint32_t worker_count) {
  std::vector<task_id> subtrees{0};
  while (subtrees.size() < worker_count) {
    std::vector<task_id> finer;
    for (const task_id root : subtrees) {
      if (what[root].next != no_task || what[root].children.empty()) finer.push_back(root);
      for (task_id at = root; at != no_task && !what[at].is_join(); at = what[at].next) {
        finer.insert(finer.end(), what[at].children.begin(), what[at].children.end());
      }
    }
    if (finer.size() <= subtrees.size()) break;
    subtrees = std::move(finer);
  }
  return subtrees;
}

}  // namespace

std::vector<std::uint32_t> static_plan(const computation& what, std::uint32_t worker_count) {
  constexpr std::uint32_t open = ~0u;
  std::vector<std::uint32_t> plan(what.task_count(), open);
  const std::vector<task_id> subtrees = subtrees_for(what, worker_count);
  for (std::size_t i = 0; i < subtrees.size(); ++i)
    plan[subtrees[i]] = static_cast<std::uint32_t>(i * worker_count / subtrees.size());
  for (task_id id = 1; id < what.task_count(); ++id) {
    if (plan[id] == open) plan[id] = plan[what[id].parent];
  }
  // Tasks above the subtrees go to the worker of the first one.
  for (task_id id = what.task_count(); id-- > 0;) {
    if (plan[id] == open) plan[id] = plan[what[id].children.front()];
  }
  return plan;
}

}  // namespace filch::sim
