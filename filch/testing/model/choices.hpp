#pragma once
#include <filch/base/panic.hpp>

#include <cstddef>
#include <vector>

namespace filch::inline v0_2::testing {

/// The tree of all executions of a program whose only nondeterminism is `pick`, walked depth first.
/// Each execution repeats the choices of the one before up to the last choice with another option,
/// and takes that option.
class choice_tree {
 public:
  unsigned pick(unsigned option_count) {
    if (option_count < 2) return 0;
    if (at_ == path_.size()) path_.push_back({0, option_count});
    const choice made = path_[at_++];
    FILCH_ASSERT(made.option_count == option_count, "a scenario runs differently when repeated",
                 made.option_count, option_count);
    return made.picked;
  }

  /// Whether this point was not passed by an earlier execution on the same path.
  bool is_new() const noexcept { return at_ == path_.size(); }

  /// Goes back to the start of the same execution.
  void repeat() {
    path_.resize(at_);
    at_ = 0;
  }

  /// Goes to the start of the next execution. False: there is none.
  bool advance() {
    path_.resize(at_);
    while (!path_.empty() && path_.back().picked + 1 == path_.back().option_count) path_.pop_back();
    at_ = 0;
    if (path_.empty()) return false;
    ++path_.back().picked;
    return true;
  }

 private:
  struct choice {
    unsigned picked;
    unsigned option_count;
  };
  std::vector<choice> path_;
  std::size_t at_ = 0;
};

}  // namespace filch::testing
