#pragma once
#include <filch/base/mutex.hpp>
#include <filch/sched/pool/metrics.hpp>
#include <filch/sched/pool/pool.hpp>

#include <vector>

namespace filch::inline v0_2 {

/// All pools of the process. In the child of a fork() it gives each a fresh `pool_state`.
class pool_registry {
 public:
  static void add(thread_pool& pool);
  static void remove(thread_pool& pool) noexcept;
  static thread_pool& default_pool();
  static void configure_default_pool(const pool_options& options);
  /// Of all pools. No pool ends meanwhile.
  static std::vector<metrics_snapshot> metrics();

 private:
  static void before_fork() noexcept FILCH_THREAD_ANNOTATION(no_thread_safety_analysis);
  static void in_parent() noexcept FILCH_THREAD_ANNOTATION(no_thread_safety_analysis);
  static void in_child() noexcept FILCH_THREAD_ANNOTATION(no_thread_safety_analysis);
};

}  // namespace filch
