#pragma once
#include <filch/base/mutex.hpp>
#include <filch/base/parker.hpp>
#include <filch/base/stopped.hpp>
#include <filch/sched/detached_job.hpp>
#include <filch/sched/pool/pool.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace filch::inline v0_2 {

namespace graph {
class core;
class loop;
}  // namespace graph

/// Work that belongs to one thread: the window system's, OpenGL's, that of a database handle. Nodes
/// of graphs are sent to it by `node.on(queue)`, functions by `submit`. The thread that made it
/// runs them, in `run_pending`, in `run_until`, and while it waits in `task_graph::run`.
///
///     filch::thread_queue main_thread;
///     auto draw = frame.emplace("draw", draw_window, scene);
///     draw.on(main_thread);
///     frame.run();  // on this thread: runs `draw` here, and other nodes on the workers
///
/// Cost: a lock and a wake for each piece of work; `submit` allocates once.
/// Threads: `submit` and `wake` any; the others the thread that made it. One for each thread.
/// Lifetime: outlives the graphs that use it. The destructor drops functions that have not run.
/// Example: examples/how_graphs.cpp
class FILCH_EXPORT thread_queue {
 public:
  /// Throws: `std::logic_error` if this thread has one already.
  thread_queue();
  ~thread_queue();
  thread_queue(const thread_queue&) = delete;
  thread_queue& operator=(const thread_queue&) = delete;

  /// Runs `f` on this queue's thread, in the order of calls. An exception that leaves `f` leaves
  /// `run_pending` or `run_until`; what stands behind it in the queue stays there.
  /// Blocks: never.
  /// Throws: `std::bad_alloc`; what the copy or move of `f` throws.
  /// Lifetime: what `f` refers to lives until it has run, or the queue has ended.
  template <class F>
  void submit(F&& f) {
    if constexpr (sched::check_jobs<std::decay_t<F>>())
      push(*new submitted<std::decay_t<F>>(std::forward<F>(f)));
  }
  /// Runs what is there now. Returns how many pieces of work that was.
  /// Blocks: never. Throws: what a function of `submit` throws.
  std::size_t run_pending();
  /// Runs what comes until `is_done()` returns true. It is asked after what was there has
  /// run, and after `wake`.
  /// Blocks: while nothing comes. Throws: what a function of `submit`, or `is_done`, throws.
  template <std::predicate Done>
  void run_until(Done is_done) {
    while (!is_done())
      if (run_pending() == 0 && !is_done()) wait();
  }
  /// Lets `run_until` ask again. Cost: a lock, and a wake if the thread sleeps.
  void wake() noexcept;

 private:
  template <class F>
  struct submitted final : sched::detached_job {
    template <class G>
    explicit submitted(G&& g) : body(std::forward<G>(g)) {
      finish = [](sched::detached_job* self, fate end) {
        const std::unique_ptr<submitted> mine{static_cast<submitted*>(self)};
        if (end == fate::run) std::move(mine->body)();
      };
    }
    F body;
  };

  void push(sched::detached_job& job) noexcept;
  sched::detached_job* pop() noexcept;
  /// Blocks until something has come, or for so long.
  void wait(std::uint64_t nanoseconds = no_end) noexcept;
  /// Takes what belongs to a run of `of`, or returns null.
  sched::detached_job* take_one_of(const graph::core& of) noexcept;
  static constexpr std::uint64_t no_end = ~std::uint64_t{0};

  // All of the process
  static thread_queue* of_this_thread() noexcept;
  /// Whether there is any.
  static bool exist() noexcept;
  /// Takes what belongs to a run of `of` out of the queue of any thread.
  static sched::detached_job* take_from_any(const graph::core& of) noexcept;

  const void* const owner_ = &sched::current_stack;  ///< A thread-local variable: of its thread.
  base::parker parker_;
  base::mutex lock_;
  sched::detached_job* first_ FILCH_GUARDED_BY(lock_) = nullptr;
  sched::detached_job* last_ FILCH_GUARDED_BY(lock_) = nullptr;
  std::size_t size_ FILCH_GUARDED_BY(lock_) = 0;
  thread_queue* newer_ = nullptr;  ///< In the list of all.
  friend struct thread_queues;
  friend graph::core;
  friend graph::loop;
};

/// What a run throws that was stopped while a node waited for its thread. `what()` names the node.
/// Example: examples/graph_parts.cpp
class FILCH_EXPORT thread_missing : public stopped {
 public:
  explicit thread_missing(const char* node) noexcept;
  const char* what() const noexcept override { return text_; }

 private:
  char text_[200];
};

}  // namespace filch
