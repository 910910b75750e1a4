#pragma once
#include <filch/base/parker.hpp>
#include <filch/base/thread.hpp>

#include <memory>
#include <vector>

namespace filch::testing {

/// A thread of the system that plays one simulated thread after the other.
struct player {
  base::parker cue;               ///< Says that it may go on.
  void (*play)(void*) = nullptr;  ///< What to do at the next cue; null: leave.
  void* part = nullptr;
  base::thread os;
};

/// The players of an exploration. They are used again, since starting a thread takes longer than
/// most runs.
/// Threads: one at a time, handed on with the cue.
class stage {
 public:
  stage() = default;
  ~stage();
  stage(const stage&) = delete;
  stage& operator=(const stage&) = delete;

  /// A player that will call `play(part)` at its next cue.
  player& engage(void (*play)(void*), void* part);
  /// `done` will come to its end without touching anything but its cue.
  void dismiss(player& done) { idle_.push_back(&done); }

 private:
  static void serve(player& me) noexcept;
  /// Where all of them run: handing on a turn between two CPUs takes twice as long.
  int cpu_ = -1;
  std::vector<std::unique_ptr<player>> players_;
  std::vector<player*> idle_;
};

}  // namespace filch::testing
