#pragma once
// Who watches roots, the calls by which threads from outside every pool enter one (README.md, "Watched threads").

namespace filch::sched {

/// Is told of every root, on its own thread, and of every submitted job.
/// Lifetime: to the end of the process, as who has seen it may still call it.
class root_watcher {
 public:
  /// A root begins: who watches it from here on is to be `current_observer`.
  virtual void begin_root() noexcept = 0;
  /// The root that began last on this thread is over: nobody watches the thread any more.
  virtual void end_root() noexcept = 0;
  /// A thread that nobody watches submits a job.
  virtual void submit() noexcept = 0;

 protected:
  ~root_watcher() = default;
};

/// From now on, or from no more where `by` is null.
void watch_roots(root_watcher* by) noexcept;
/// Null while nobody does, which is nearly always.
root_watcher* who_watches_roots() noexcept;

}  // namespace filch::sched
