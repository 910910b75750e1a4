#include <filch/testing/strategy.hpp>

#include <filch/base/rng.hpp>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace filch::inline v0_2::testing {
namespace {

constexpr std::uint32_t endless = std::numeric_limits<std::uint32_t>::max();

class dice {
 public:
  explicit dice(std::uint64_t seed) noexcept : draw_{seed} {}
  std::uint32_t below(std::uint32_t bound) noexcept { return base::below(draw_(), bound); }
  bool once_in(std::uint32_t n) noexcept { return below(n) == 0; }
  unsigned one_of(std::span<const unsigned> all) noexcept {
    return all[below(static_cast<std::uint32_t>(all.size()))];
  }
  /// Another one than `running`, if there is one.
  unsigned other_than(unsigned running, std::span<const unsigned> all) noexcept {
    if (all.size() == 1) return all[0];
    const auto position = std::ranges::find(all, running);
    if (position == all.end()) return one_of(all);
    const auto skipped = static_cast<std::size_t>(position - all.begin());
    const std::size_t drawn = below(static_cast<std::uint32_t>(all.size() - 1));
    return all[drawn + (drawn >= skipped ? 1 : 0)];
  }

 private:
  base::split_mix64 draw_;
};

/// Uniform choices. Time slices of one seed have about the same length. Now and then one is much
/// longer, as if the system had preempted the others.
class random_walk final : public chooser {
 public:
  explicit random_walk(std::uint64_t seed) : dice_{seed}, mean_{8u << 2 * dice_.below(4)} {}

  unsigned choose(std::span<const unsigned> ready, unsigned running, cause why) override {
    return why == cause::looks ? running : dice_.other_than(running, ready);
  }
  std::uint32_t time_slice() override {
    return 1 + dice_.below(2 * mean_) * (dice_.once_in(16) ? 16 : 1);
  }

 private:
  dice dice_;
  std::uint32_t mean_;
};

/// Source: Burckhardt, Kothari, Musuvathi and Nagarakatte, "A Randomized Scheduler with
///         Probabilistic Guarantees of Finding Bugs", ASPLOS 2010. We differ: the length of a run,
///         from which change points are drawn, is guessed by the seed. A thread that pauses becomes
///         the lowest, as otherwise it would wait for ever for those below it.
class by_priority final : public chooser {
 public:
  by_priority(std::uint64_t seed, unsigned depth) : dice_{seed} {
    const std::uint32_t length = 32u << dice_.below(12);
    for (unsigned i = 1; i < depth; ++i) changes_.push_back(1 + dice_.below(length));
    std::ranges::sort(changes_, std::greater{});
  }

  unsigned choose(std::span<const unsigned> ready, unsigned running, cause why) override {
    if (why == cause::preempted || why == cause::pauses) priority(running) = --lowest_;
    return std::ranges::max(ready, {}, [this](unsigned number) { return priority(number); });
  }
  std::uint32_t time_slice() override {
    if (changes_.empty()) return endless;
    const std::uint32_t next = changes_.back(),
                        length = std::max(next - std::exchange(last_change_, next), 1u);
    changes_.pop_back();
    return length;
  }
  bool looks_at_wakes() const noexcept override { return true; }

 private:
  std::int64_t& priority(unsigned number) {
    while (priorities_.size() <= number) priorities_.push_back(dice_.below(1u << 30));
    return priorities_[number];
  }
  dice dice_;
  std::vector<std::int64_t> priorities_;
  std::vector<std::uint32_t> changes_;  ///< Steps, the next one at the back.
  std::uint32_t last_change_ = 0;
  std::int64_t lowest_ = 0;
};

/// A thread that has forked comes last until the others have had their chance.
class thieves_first final : public chooser {
 public:
  explicit thieves_first(std::uint64_t seed) : dice_{seed} {}

  unsigned choose(std::span<const unsigned> ready, unsigned running, cause why) override {
    if (why == cause::looks) return running;
    while (patience_.size() <= std::max(running, ready.back())) patience_.push_back(0);
    if (why == cause::aside) patience_[running] = chances;
    if (why == cause::pauses) {
      for (unsigned& each : patience_) each -= each > 0 ? 1 : 0;
    }
    first_.clear();
    std::ranges::copy_if(ready, std::back_inserter(first_),
                         [this](unsigned number) { return patience_[number] == 0; });
    return dice_.other_than(running, first_.empty() ? ready : std::span<const unsigned>(first_));
  }
  std::uint32_t time_slice() override { return 1 + dice_.below(256); }

 private:
  // Pauses of the others: more than the searches of a few workers take
  static constexpr unsigned chances = 400;
  dice dice_;
  std::vector<unsigned> patience_;
  std::vector<unsigned> first_;
};

/// Switches only if it must.
class oldest_first final : public chooser {
 public:
  unsigned choose(std::span<const unsigned> ready, unsigned running, cause why) override {
    if (why == cause::waits) return ready.front();
    if (why != cause::pauses) return running;
    const auto next = std::ranges::upper_bound(ready, running);
    return next == ready.end() ? ready.front() : *next;
  }
  std::uint32_t time_slice() override { return endless; }
};

}  // namespace

std::string_view name_of(strategy which) noexcept {
  switch (which) {
    case strategy::any: return "any";
    case strategy::random: return "random";
    case strategy::pct: return "pct";
    case strategy::steal_everything: return "steal_everything";
    case strategy::steal_nothing: return "steal_nothing";
  }
  return "unknown";
}

strategy settle(strategy which, std::uint64_t seed) noexcept {
  if (which != strategy::any) return which;
  constexpr strategy shares[] = {strategy::random,           strategy::pct,    strategy::random,
                                 strategy::steal_everything, strategy::random, strategy::pct,
                                 strategy::random,           strategy::random};
  return shares[seed % std::size(shares)];
}

std::unique_ptr<chooser> make_chooser(strategy which, std::uint64_t seed, unsigned depth) {
  switch (settle(which, seed)) {
    case strategy::pct: return std::make_unique<by_priority>(seed, depth);
    case strategy::steal_everything: return std::make_unique<thieves_first>(seed);
    case strategy::steal_nothing: return std::make_unique<oldest_first>();
    default: return std::make_unique<random_walk>(seed);
  }
}

}  // namespace filch::testing
