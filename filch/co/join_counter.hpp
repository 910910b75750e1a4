#pragma once
#include <filch/base/sync.hpp>
#include <filch/co/edges.hpp>

#include <cstdint>

namespace filch::inline v0_2::co {

/// Counts the forked children that have not ended when their parent resumes. The last to come, the
/// parent at its join or a child at its end, goes on with what all have left.
///
/// In two halves: the parent counts those it left behind in a plain word, and they count their ends
/// in an atomic one. A parent that was never taken never touches the atomic half, as its children
/// ended before it resumed.
/// Threads: `leave_one`, `is_joined` and `wait` are for the thread that runs the parent; `end_one`
///          is for each child left behind, once.
/// Source:  Schmaus, Pfeiffer, Schröder-Preikschat, Hönig and Nolte, "Nowa: A Wait-Free
///          Continuation-Stealing Concurrency Platform", IPDPS 2021; libfork. We differ: the
///          difference of both halves returns to zero, so each round begins as the first did.
/// A template, so that the model checkers read the text that ships.
template <class Sync>
class basic_join_counter {
 public:
  basic_join_counter() noexcept { left_.write(0); }

  /// The parent resumes before the child that it forked last has ended.
  void leave_one() noexcept { left_.write(left_.read() + 1); }
  /// How many it has left behind since its last join.
  std::uint32_t left() const noexcept { return left_.read(); }
  /// No child was left behind: no need to wait.
  bool is_joined() const noexcept { return left_.read() == 0; }
  /// The parent waits for all that it left behind. Returns false if they have ended. Else the last
  /// of them resumes the parent, which may be gone when this returns.
  bool wait() noexcept {
    const auto awaited = static_cast<std::int32_t>(left_.read());
    left_.write(0);
    return pending_.fetch_add(awaited, base::acq_rel<edge::join>) + awaited != 0;
  }
  /// A child has ended. Returns true to the last if the parent waits. Else the parent may be gone
  /// when this returns.
  bool end_one() noexcept { return pending_.fetch_sub(1, base::acq_rel<edge::join>) == 1; }

 private:
  typename Sync::template plain<std::uint32_t> left_;  ///< The parent's thread.
  /// Awaited minus ended. Writers: parent, children. Only by RMW.
  typename Sync::template atomic<std::int32_t> pending_{0};
};

using join_counter = basic_join_counter<base::real_sync>;

}  // namespace filch::co
