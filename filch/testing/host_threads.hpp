#pragma once
#include <filch/base/parker.hpp>
#include <filch/base/thread.hpp>

#include <memory>
#include <vector>

namespace filch::inline v0_2::testing {

/// A host thread: a thread of the system that runs one simulated thread after the other.
struct host_thread {
  base::parker wake_token;       ///< With it, this thread may go on.
  void (*run)(void*) = nullptr;  ///< To be called at the next token; null: end.
  void* argument = nullptr;
  base::thread os;
};

/// The host threads of an exploration. They are reused, since starting a thread takes longer than
/// most runs.
/// Threads: one at a time, handed on with the wake token.
class host_threads {
 public:
  host_threads() = default;
  ~host_threads();
  host_threads(const host_threads&) = delete;
  host_threads& operator=(const host_threads&) = delete;

  /// A host thread that will call `run(argument)` at its next token.
  host_thread& take(void (*run)(void*), void* argument);
  /// Takes `done` back, which from now on touches only its token.
  void put_back(host_thread& done) { idle_.push_back(&done); }

 private:
  static void serve(host_thread& me) noexcept;
  /// The CPU of all of them: handing on a turn between two CPUs takes twice as long.
  int cpu_ = -1;
  std::vector<std::unique_ptr<host_thread>> threads_;
  std::vector<host_thread*> idle_;
};

}  // namespace filch::testing
