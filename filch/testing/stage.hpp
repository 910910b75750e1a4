#pragma once
#include <filch/base/parker.hpp>
#include <filch/base/thread.hpp>

#include <memory>
#include <vector>

namespace filch::testing {

/// A host thread: a thread of the system that runs one simulated thread after the other.
struct player {
  base::parker cue;               ///< The wake token: it may go on.
  void (*play)(void*) = nullptr;  ///< To be called at the next token; null: end.
  void* part = nullptr;
  base::thread os;
};

/// The host threads of an exploration. They are reused, since starting a thread takes longer than
/// most runs.
/// Threads: one at a time, handed on with the wake token.
class stage {
 public:
  stage() = default;
  ~stage();
  stage(const stage&) = delete;
  stage& operator=(const stage&) = delete;

  /// A host thread that will call `play(part)` at its next token.
  player& engage(void (*play)(void*), void* part);
  /// Takes `done` back, which from now on touches only its token.
  void dismiss(player& done) { idle_.push_back(&done); }

 private:
  static void serve(player& me) noexcept;
  /// The CPU of all of them: handing on a turn between two CPUs takes twice as long.
  int cpu_ = -1;
  std::vector<std::unique_ptr<player>> players_;
  std::vector<player*> idle_;
};

}  // namespace filch::testing
