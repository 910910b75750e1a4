#pragma once
// Why each non-relaxed order of this room exists. The enumerator is the place to read, the key to
// search for, and the handle by which a model build weakens exactly that order. Witnesses are in
// the `_model.cpp` files.
#include <filch/base/order.hpp>

namespace filch::inline v0_2::queue {

enum class edge {
  // [publish]
  /// Owner: fill slot, raise bottom.   Thief: read bottom, read slot, run the item.
  /// Without it a thief runs an item whose contents, or whose slot, were never filled.
  publish,
  // [publish]
  /// Owner: lower bottom | read top. Thief: read top | read bottom. At least one sees the other.
  /// Without it thieves pass the owner on its way down, and one item runs twice.
  last_item,
  /// A thread that takes from the top: raise top. All threads: read top. Both have one order for
  /// all threads, shared with `last_item`. Without it a thief trusts a top that the owner has not
  /// seen together with a bottom that the owner has left, and one item runs twice.
  claim,
  /// Owner: copy the slots, publish the larger array.   Thief: read the array, read a slot.
  /// Without it a thief reads a slot of the larger array before the copy has reached it.
  grow,
  /// Thief: read slot, raise top.   Owner: read top, write over the slot. Without it the owner may
  /// reuse a slot before a thief has read it, so one item is lost and another runs twice.
  reuse,
  /// Submitter: raise the injector's size | read the sleepers. Sleeper: announce sleep | read the
  /// size. At least one sees the other. Without it the last worker falls asleep over a job.
  inject,
};

using base::acquire;
using base::relaxed;
using base::release;
using base::seq_cst;

/// The order of one access that is an end of two edges: the stronger of both, so that each edge can
/// be weakened alone. Not for an acquire and a release, since neither contains the other.
constexpr std::memory_order both(std::memory_order a, std::memory_order b) noexcept {
  return a < b ? b : a;
}

}  // namespace filch::queue
