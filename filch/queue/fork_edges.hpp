#pragma once
#include <filch/base/language.hpp>

namespace filch::inline v0_2::queue {

/// The orders of `fork_stack`, each with what breaks without it. Witnesses: fork_stack_model.cpp.
enum class fork_edge {
  /// The thread that exposes: raise split, after the entry and its closure were written. Thief: win
  /// `top`, then read the entry. Without it a thief runs an entry that was never filled.
  expose,
  /// Owner: fill the entry, raise bottom. A thief that exposes by force: read bottom, then publish
  /// the entries below it. Without it a forced exposure publishes an entry that was never filled.
  force_publish,
  /// Owner: lower bottom | read `pop_limit_` or `public_end_`. A thief that exposes by force: raise
  /// both | read bottom. One sees the other. Without it owner and thief both run the youngest job.
  force,
  /// Thief: write the result, set done. Owner: see done, read the result. Also: a waiter leaves its
  /// handle, and the thread that completes the job sees it. Without it a join returns a result that
  /// was never written, or sleeps forever.
  complete,
  /// Owner: restore `limit_`, take the request.   Thief: place the request, lower `limit_`. Without
  /// it the owner's store may come last, and a request stands that the owner never sees.
  request,
};

}  // namespace filch::queue
