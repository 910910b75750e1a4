#pragma once
#include <filch/base/language.hpp>

#include <algorithm>
#include <cstdint>

namespace filch::policy {

/// When a minder looks at what is due where all work: they look at timers between two jobs, at
/// least every 20 us.
///
/// It looks when the first one is due, and gets up for it if it is still there a moment later.
/// Where it finds another one instead that is due, or about to be, those who work get on by
/// themselves, however late they are: it would only take a processor from them, and looks ever more
/// seldom.
class forbearance {
 public:
  static constexpr std::uint64_t moment_ns = 50'000;
  static constexpr std::uint64_t longest_ns = 8 * moment_ns;

  /// When to look, where nothing changes: the first of all timers is due at `first_ns`.
  constexpr std::uint64_t looks_at(std::uint64_t first_ns, std::uint64_t now_ns) noexcept {
    if (first_ns != first_ns_) {
      const bool others_get_on = first_ns_ <= now_ns && first_ns < now_ns + moment_ns;
      length_ns_ = others_get_on ? std::clamp(2 * length_ns_, moment_ns, longest_ns) : 0;
      since_ns_ = (std::max)(first_ns, now_ns);
      first_ns_ = first_ns;
    }
    return since_ns_ + length_ns_;
  }

 private:
  std::uint64_t first_ns_ = ~std::uint64_t{0};  ///< As it saw it last.
  std::uint64_t since_ns_ = 0;                  ///< Since then that one was due, and the first.
  std::uint64_t length_ns_ = 0;
};

}  // namespace filch::policy
