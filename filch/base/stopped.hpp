#pragma once
#include <filch/base/language.hpp>

#include <exception>

namespace filch::inline v0_2 {

/// What is thrown where an operation did not finish because it was asked to stop: the base of
/// `stopped`, `co::cancelled` and `pool_stopped`.
/// Example: examples/pool_reports.cpp
class FILCH_EXPORT operation_cancelled : public std::exception {};

/// Thrown by an algorithm that did not finish, because its stop token was triggered or its time was
/// over. It has no result.
///
/// An output holds for each element the old value or the new one. A range whose order changes
/// (`sort` and its kin, `reverse`, `rotate`, `random_shuffle`, `stable_partition`) holds all its
/// elements, in some order. A range that is closed up (`remove_if`, `unique`) holds all elements
/// that stay, in order; between them may be elements that were moved from or would be removed.
///
/// After a stop before the call it does nothing, even for an empty range. Later it checks again for
/// each leaf and division. So it finishes a range that is too short to have any, such as a few
/// hundred elements to sort. filch/algo/README.md, "Stops", says what goes on after a stop so that
/// no element is lost.
///
/// In a task that was asked to stop it acts as `co::cancelled`: it is no failure of a scope, and
/// `with_timeout` is empty.
class FILCH_EXPORT stopped : public operation_cancelled {
 public:
  const char* what() const noexcept override {
    return "filch: the algorithm was asked to stop before it was done";
  }
};

}  // namespace filch
