#pragma once
#include <filch/base/language.hpp>

#include <exception>

namespace filch {

/// Thrown by an algorithm whose stop token was asked to stop, or whose time was over, before it was
/// done: its result is not there. An output holds for each element the old value or the new one. A
/// range whose order it changes (`sort` and its kin, `reverse`, `rotate`, `random_shuffle`,
/// `stable_partition`) holds all its elements, in some order; one that it closes up (`remove_if`,
/// `unique`) all that stay, in order, and between them what was moved from or is to be dropped.
/// Asked before the call it does nothing at all, be the range empty. Once it goes on, it asks again
/// for each leaf and division; a range so short that it has none, a few hundred elements to be
/// sorted, it finishes. What goes on after that, lest elements be lost, says filch/algo/README.md
/// under "Stops".
///
/// In a task that was asked to stop it is what `co::cancelled` is: no failure of a scope, and
/// `with_timeout` is empty.
class stopped : public std::exception {
 public:
  const char* what() const noexcept override {
    return "filch: the algorithm was asked to stop before it was done";
  }
};

}  // namespace filch
