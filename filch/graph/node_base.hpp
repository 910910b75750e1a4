#pragma once
// What a graph knows of each of its nodes, whatever the type of its function.
#include <filch/base/language.hpp>
#include <filch/sched/detached_job.hpp>

#include <cstddef>
#include <cstdint>

namespace filch::inline v0_2 {
class thread_queue;
namespace sched {
class scheduler;
}
}  // namespace filch::inline v0_2

namespace filch::inline v0_2::graph {

class core;
class loop;
class node_base;
struct step;
struct limit_use;

/// How a node depends on another one.
enum class dependency : unsigned char {
  order,           ///< Runs after it.
  value,           ///< The same, and is called with its result.
  optional_value,  ///< The same, also if it was skipped (`maybe`).
  choice,          ///< Runs if it, a branch, chooses so.
};

/// One edge of a graph. Nodes are meant by their numbers.
struct link {
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t choice;  ///< Of a branch: runs `to` if its function returns this.
  dependency kind;
};

/// Whether a node has ended when its function has returned.
enum class progress : unsigned char {
  ended,
  later,  ///< `core::end_later` follows, perhaps from another thread, perhaps already.
};

/// What the type of a node's function decides.
struct node_operations {
  /// Calls the function. Recordings know the node by it. Throws: what the function throws.
  progress (*run)(node_base&, loop&);
  void (*destroy)(node_base&) noexcept;
  bool may_end_later;  ///< `run` may return `progress::later`.
};

/// What of a node a run seldom needs. As a job it is queued for a thread that cannot have the node
/// from the fork stack of another one.
struct node_info : sched::detached_job {
  node_base* node = nullptr;
  limit_use* limits = nullptr;          ///< What it takes while it runs.
  thread_queue* on_thread = nullptr;    ///< Whose thread runs it.
  sched::scheduler* on_pool = nullptr;  ///< Whose workers run it, if it is not the run's pool.
  const char* name = nullptr;           ///< Null: known by its code.
  const void* code = nullptr;           ///< What recordings know it by, once one has run.
  node_info* next_ready = nullptr;      ///< In a list of ready nodes (`loop`).
  std::uint32_t number = 0;             ///< In the order of `emplace`.
  std::uint32_t readers = 0;            ///< Nodes that are called with its result.
  std::uint32_t chosen = 0;             ///< Of a branch: what its function returned.
  bool is_branch = false;
  /// Its function needs the results as its own, so it must be their only reader.
  bool takes_results = false;
  /// A reader runs again without it, in a loop: the result stays.
  bool keeps_result = false;
};

/// A node, in the memory of its graph. A run finds its way by `step`.
class node_base {
 public:
  node_base(const node_operations& how, core& of, node_info& about) noexcept
      : operations{&how}, home{&of}, info{&about} {
    about.node = this;
  }
  node_base(const node_base&) = delete;
  node_base& operator=(const node_base&) = delete;

  const node_operations* const operations;
  core* const home;
  node_info* const info;
  std::uint32_t index = 0;  ///< Of its step in the plan.
  bool has_result = false;  ///< Cleared by a reader that took the result.

  /// Whether its only reader may take the result instead of a look at it.
  bool may_be_taken() const noexcept { return info->readers == 1 && !info->keeps_result; }
};

}  // namespace filch::graph
