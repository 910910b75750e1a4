#pragma once
#include <filch/algo/settings.hpp>
#include <filch/base/atomic.hpp>
#include <filch/base/exceptions.hpp>

#include <cstdint>

namespace filch::inline v0_2::algo {

/// The lowest place at which an algorithm has failed. No range behind it needs to begin, since the
/// exception of the lowest range is the one that gets out. Ranges before it go on, because they may
/// fail too.
///
/// Threads: any. Relaxed throughout: only the number is handed over, and a thread that learns of it
/// late does unneeded work.
class failure {
 public:
  bool is_before(std::uint64_t place) const noexcept { return lowest_.load(base::relaxed) < place; }
  /// Call before a range begins. Throws: `stopped`, if one before it has failed; the join of the
  /// two drops it.
  void check(std::uint64_t place) const {
    if (is_before(place)) [[unlikely]]
      settings::throw_stopped();
  }
  /// Does the range at `place`, and records the place if it throws.
  template <class F>
  [[gnu::always_inline]] decltype(auto) watch(std::uint64_t place, F&& f) {
    FILCH_TRY { return f(); }
    FILCH_CATCH_ALL {
      note(place);
      FILCH_RETHROW;
    }
  }

 private:
  [[gnu::cold]] void note(std::uint64_t place) noexcept {
    for (std::uint64_t before = lowest_.load(base::relaxed);
         place < before && !lowest_.compare_exchange(before, place, base::relaxed);) {
    }
  }

  base::atomic<std::uint64_t> lowest_{~std::uint64_t{0}};  ///< Writers: failing ranges; only falls.
};

}  // namespace filch::algo
