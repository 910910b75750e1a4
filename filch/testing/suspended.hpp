#pragma once
#include <filch/base/simulation.hpp>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace filch::inline v0_2::testing {

/// The coroutines of a run and their locks: which task waits for what, for the reports of a
/// session.
/// Tasks are numbered in the order in which they were made, other things in the order in which they
/// are mentioned, so equal runs have equal text.
class suspended {
 public:
  // Called by `base/simulated_tasks.hpp`.
  void made(const void* frame, base::place where);
  void gone(const void* frame) { tasks_.erase(frame); }
  void runs(const void* frame, unsigned thread) noexcept;
  void left(const void* frame, unsigned thread) noexcept;
  void waits(const void* frame, base::awaited why, const base::place* where) noexcept;
  void is_part_of(const void* frame, const void* whole) noexcept;
  void ended(const void* frame) noexcept;
  void is_held(const void* guard, const void* lock, const void* frame, unsigned thread);
  void is_let_go(const void* guard) { guards_.erase(guard); }

  /// "async_mutex 1, held by task 3 audit". `threads[i]` is the name of thread i.
  std::string words(base::awaited why, const std::vector<std::string>& threads);
  /// A line for each task that has begun and not ended.
  std::string text(const std::vector<std::string>& threads);

 private:
  enum class state : unsigned char { made, runs, waits, ended };
  struct task {
    unsigned number;
    std::string_view name;
    state now = state::made;
    unsigned thread = 0;          ///< On which it runs, or ran last.
    base::awaited why{};          ///< While it waits.
    base::place where{};          ///< Of its last await.
    const void* whole = nullptr;  ///< What it is a part of.
  };
  struct holder {
    const void* lock;
    unsigned thread;
    unsigned number;        ///< Of the task; zero: a plain function.
    std::string_view name;  ///< Of the task.
  };
  task* find(const void* frame) noexcept;
  unsigned number_of(const void* thing);
  bool has_ended(unsigned number) const noexcept;
  std::string tasks_in(const void* whole) const;
  std::string holders_of(const void* lock, const std::vector<std::string>& threads) const;
  std::string line(const task& of, const std::vector<std::string>& threads);

  unsigned made_ = 0;
  std::unordered_map<const void*, task> tasks_;     ///< By their frames.
  std::unordered_map<const void*, holder> guards_;  ///< By the guard that holds the lock.
  std::vector<const void*> mentioned_;
};

}  // namespace filch::testing
