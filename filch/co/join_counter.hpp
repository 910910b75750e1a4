#pragma once
#include <filch/base/sync.hpp>
#include <filch/co/edges.hpp>

#include <cstdint>

namespace filch::co {

/// Counts the forked children that a coroutine, their parent, has gone on without. Whoever comes
/// last, the parent at its join or a child at its end, goes on with what all have left.
///
/// In two halves: the parent counts those it left behind by itself, and the children that end
/// alone. A parent that nobody took, and whose children hence ended before it went on, never
/// touches the atomic half.
/// Threads: `leave_one`, `is_joined` and `wait` are for whoever runs the parent; `end_one` is for
/// each child left behind, once.
/// Source: Schmaus, Pfeiffer, Schröder-Preikschat, Hönig and Nolte, "Nowa: A Wait-Free
/// Continuation-Stealing Concurrency Platform", IPDPS 2021;
///          libfork. We differ: it counts up to a difference of zero, from zero, and so begins its
///          next round as it began the first.
/// A template, so that the model checkers read the text that ships.
template <class Sync>
class basic_join_counter {
 public:
  basic_join_counter() noexcept { left_.write(0); }

  /// The parent goes on before the child that it forked last has ended.
  void leave_one() noexcept { left_.write(left_.read() + 1); }
  /// How many it has left behind since its last join.
  std::uint32_t left() const noexcept { return left_.read(); }
  /// Nobody is left behind: no need to wait.
  bool is_joined() const noexcept { return left_.read() == 0; }
  /// The parent waits for all that it left behind. Returns false when they have ended; else the
  /// last of them goes on in its place, and the parent may be gone when this returns.
  bool wait() noexcept {
    const auto awaited = static_cast<std::int32_t>(left_.read());
    left_.write(0);
    return pending_.fetch_add(awaited, base::acq_rel<edge::join>) + awaited != 0;
  }
  /// A child has ended. Returns true to the last, if the parent waits. Else the parent may be gone
  /// when this returns.
  bool end_one() noexcept { return pending_.fetch_sub(1, base::acq_rel<edge::join>) == 1; }

 private:
  typename Sync::template plain<std::uint32_t> left_;  ///< Whoever runs the parent.
  /// Awaited less ended. Writers: parent, children. Only by RMW.
  typename Sync::template atomic<std::int32_t> pending_{0};
};

using join_counter = basic_join_counter<base::real_sync>;

}  // namespace filch::co
