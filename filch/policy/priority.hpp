#pragma once
#include <filch/base/language.hpp>

namespace filch {

/// In which order a pool's workers begin what was submitted or spawned, and go on with tasks that
/// waited: first in first out among those of one priority.
///
/// A job that runs is never interrupted, and forks have none: they belong to the job that forked
/// them. So `high` waits for the next worker to come to the end of what it does; have as many long
/// jobs at a time as there are workers, and that is long. A sleep that is over passes what is
/// ready, but for one of `background`.
enum class priority : unsigned char {
  high,    ///< Before all others, but for one of `normal` after every 16 in a row.
  normal,  ///< What forks cannot delay: workers look here before they steal forks.
  /// When nothing else can be had, forks included, or after every 64 jobs that went before.
  background,
};

}  // namespace filch
