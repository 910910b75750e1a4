#pragma once
#include <filch/algo/settings.hpp>
#include <filch/base/atomic.hpp>
#include <filch/base/exceptions.hpp>

#include <cstdint>

namespace filch::algo {

/// Where an algorithm has failed, by the places of its parts. A part behind that need not begin:
/// the exception of the lowest part is the one that gets out. Parts before it go on, since one of
/// them may fail, too.
///
/// Threads: any. Relaxed throughout: nothing is handed over but the number, and whoever learns of
/// it late does more than it had to.
class failure {
 public:
  bool is_before(std::uint64_t place) const noexcept { return lowest_.load(base::relaxed) < place; }
  /// For a part that is about to begin. Throws: `stopped`, if a part before it has failed; that is
  /// dropped where the two are joined.
  void check(std::uint64_t place) const {
    if (is_before(place)) [[unlikely]]
      settings::throw_stopped();
  }
  /// Does the part at `place`, and notes if it throws.
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

  base::atomic<std::uint64_t> lowest_{~std::uint64_t{0}};  ///< Writers: who fails; it only falls.
};

}  // namespace filch::algo
