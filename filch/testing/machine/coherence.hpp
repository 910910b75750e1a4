#pragma once
#include <filch/base/simulation.hpp>
#include <filch/testing/machine/machine.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace filch::inline v0_2::testing {

/// Picoseconds of virtual time: an access costs a fraction of a nanosecond.
using picoseconds = std::uint64_t;
constexpr picoseconds to_picoseconds(double nanoseconds) noexcept {
  return static_cast<picoseconds>(nanoseconds * 1000 + 0.5);
}

inline constexpr std::size_t line_bytes = 64;
inline constexpr unsigned most_cores = 256;

/// How long one place in the source waited for a line.
struct line_wait {
  base::place where;
  const char* what = "";
  picoseconds waited = 0;
  std::uint64_t count = 0;
};

/// A cache line: the cores that have it, and until when it is on its way.
struct line {
  static constexpr unsigned nobody = most_cores;
  unsigned owner = nobody;  ///< The only core that may write without asking; then it has it alone.
  std::array<std::uint64_t, most_cores / 64> sharers{};
  picoseconds busy_until = 0;
  picoseconds got_at = 0;            ///< When it came to its owner.
  unsigned previous_owner = nobody;  ///< It goes on using the line until `lost_at`.
  picoseconds lost_at = 0;
  picoseconds moved_at = 0;  ///< When a core last asked another one for it; 0: never.
  picoseconds waited = 0;
  std::vector<line_wait> waits;  ///< By place.

  bool has(unsigned core) const noexcept { return (sharers[core / 64] >> core % 64 & 1) != 0; }
  bool is_shared_by_none() const noexcept { return sharers == decltype(sharers){}; }
};

/// The caches of a machine: which cores have which line, and what an access costs. Caches never
/// run full.
///
/// Protocol: MESI with one directory for each line. A line that is on its way makes the next core
/// wait, so cores that modify one line queue up at it. An owner goes on using the line while the
/// request for it travels, and for a moment after it came. A store does not wait: the core goes on,
/// and the next read-modify-write waits for the stores before it, as locked instructions of x86 do.
class coherence {
 public:
  explicit coherence(const machine& of);

  line& at(const void* word) { return lines_[reinterpret_cast<std::uintptr_t>(word) / line_bytes]; }
  /// Whether this access concerns no other core.
  static bool is_private(const line& to, unsigned core, base::effect does,
                         picoseconds now) noexcept {
    return to.owner == core || (to.previous_owner == core && now < to.lost_at) ||
           (does == base::effect::reads && to.has(core));
  }
  /// `core` accesses the line at `now`. Returns when the core goes on.
  picoseconds access(line& to, unsigned core, base::effect does, picoseconds now);
  /// As `access`, for one of many lines in a row, of which several are on their way at a time.
  picoseconds walk(line& to, unsigned core, base::effect does, picoseconds now);
  /// `core` waited at `where` for that line.
  static void note_wait(line& at, base::place where, const char* what, picoseconds waited);

  /// The line that a place waited longest for comes first.
  std::vector<std::pair<std::uintptr_t, const line*>> hottest(std::size_t most) const;
  /// From now on only further waits count.
  void forget_waits();

 private:
  struct prices {
    picoseconds modify, same_cache, same_node, other_node, memory, line_transfer;
  };
  picoseconds distance(unsigned from, unsigned to) const noexcept;
  picoseconds farthest(const line& of, unsigned core) const noexcept;
  picoseconds nearest(const line& of, unsigned core) const noexcept;
  picoseconds from_memory(unsigned core, picoseconds now) noexcept;
  picoseconds from_others(line& to, unsigned core, base::effect does, picoseconds now) const;

  const unsigned cores_per_cache_, cores_per_node_;
  const double lines_at_once_;
  const prices prices_;
  std::unordered_map<std::uintptr_t, line> lines_;
  std::vector<picoseconds> stored_;       ///< By core: when its last store is done.
  std::vector<picoseconds> memory_free_;  ///< By node: when its memory has delivered all.
};

}  // namespace filch::testing
