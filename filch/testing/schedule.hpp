#pragma once
#include <filch/base/simulation.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace filch::inline v0_2::testing {

/// The events of a run in order: how far each thread ran, and what it noted on the way. Only `text`
/// makes text of it. No entry depends on addresses or real time, so equal runs have equal text.
class schedule {
 public:
  void clear() noexcept { entries_.clear(); }
  /// The thread did `what` at `where`, and another one goes on.
  void stopped(std::uint64_t step, unsigned who, const char* what, base::place where) {
    entries_.push_back({step, who, what, where, nullptr, 0});
  }
  /// The thread sleeps, for the reason given if there is one.
  void slept(std::uint64_t step, unsigned who, const base::waiting_for* why) {
    entries_.push_back({step,
                        who,
                        nullptr,
                        {},
                        why == nullptr ? "something" : why->what,
                        why == nullptr ? base::waiting_for::nobody : why->number});
  }
  /// The thread did `what` to the thing called `name`.
  void noted(std::uint64_t step, unsigned who, const char* what, const char* name) {
    entries_.push_back({step, who, what, {}, name, base::waiting_for::nobody});
  }
  std::size_t size() const noexcept { return entries_.size(); }
  /// The last `most_lines` lines; `names[i]` is thread i.
  std::string text(const std::vector<std::string>& names, std::size_t most_lines) const;

 private:
  struct entry {
    std::uint64_t step;
    unsigned who;
    const char* what;  ///< Null: it sleeps.
    base::place where;
    const char* name;  ///< Null: it was stopped before `what`.
    unsigned number;   ///< Printed after `name`, if it sleeps.
  };
  static std::string line(const entry& from, const std::string& name);
  std::vector<entry> entries_;
};

/// "a job that was stolen by worker 2", or "something" for null.
std::string words_of(const base::waiting_for* why);
/// "(testing/explore_test.cpp:12)".
std::string in_source(base::place where);

}  // namespace filch::testing
