#pragma once
#include <filch/base/simulation.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace filch::testing {

/// What happened in a run, in order: who ran how far, and what was noted on the way. Text is made
/// of it only when somebody asks. Nothing in it depends on addresses or real time, so that equal
/// runs have equal text.
class schedule {
 public:
  void clear() noexcept { entries_.clear(); }
  /// `who` did `what` at `where`, and somebody else goes on.
  void stopped(std::uint64_t step, unsigned who, const char* what, base::place where) {
    entries_.push_back({step, who, what, where, nullptr, 0});
  }
  /// `who` sleeps, for the reason given if there is one.
  void slept(std::uint64_t step, unsigned who, const base::waiting_for* why) {
    entries_.push_back({step,
                        who,
                        nullptr,
                        {},
                        why == nullptr ? "something" : why->what,
                        why == nullptr ? base::waiting_for::nobody : why->number});
  }
  /// `who` did `what` to the thing called `name`.
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
    unsigned number;   ///< Behind `name`, where it sleeps.
  };
  static std::string line(const entry& from, const std::string& name);
  std::vector<entry> entries_;
};

/// "a job that was stolen by worker 2", or "something" for null.
std::string words_of(const base::waiting_for* why);
/// "(testing/explore_test.cpp:12)".
std::string in_source(base::place where);

}  // namespace filch::testing
