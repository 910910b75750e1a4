#pragma once
#include <bench/declared_work.hpp>
#include <bench/tree_sum/problem.hpp>
#include <filch/filch.hpp>

namespace bench::tree_sum {

inline std::uint64_t on_filch(const node& root) {
  declare_work();
  if (root.left == nullptr && root.right == nullptr) return root.value;
  if (root.left == nullptr) return root.value + on_filch(*root.right);
  if (root.right == nullptr) return root.value + on_filch(*root.left);
  const auto [left, right] =
      filch::join([&] { return on_filch(*root.left); }, [&] { return on_filch(*root.right); });
  return root.value + left + right;
}

}  // namespace bench::tree_sum
