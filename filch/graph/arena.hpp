#pragma once
#include <filch/base/language.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace filch::inline v0_2::graph {

/// Memory for the nodes of a graph: side by side, and freed together.
class arena {
 public:
  /// Throws: `std::bad_alloc`.
  void* allocate(std::size_t bytes, std::size_t alignment) {
    void* at = next_;
    if (std::align(alignment, bytes, at, left_) == nullptr) {
      grow(bytes + alignment);
      at = next_;
      std::align(alignment, bytes, at, left_);
    }
    next_ = static_cast<std::byte*>(at) + bytes;
    left_ -= bytes;
    return at;
  }
  /// Whatever lies in it has been destroyed. Keeps the newest, largest block.
  void clear() noexcept {
    if (blocks_.empty()) return;
    std::swap(blocks_.front(), blocks_.back());
    blocks_.resize(1);
    next_ = blocks_.front().get();
    left_ = size_;
  }

 private:
  void grow(std::size_t needed) {
    constexpr std::size_t first = 4096, most = std::size_t{1} << 20;
    const std::size_t size = (std::max)(needed, (std::min)((std::max)(first, 2 * size_), most));
    blocks_.push_back(std::unique_ptr<std::byte[]>(new std::byte[size]));
    next_ = blocks_.back().get();
    left_ = size_ = size;
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t size_ = 0;  ///< Of the newest block.
};

}  // namespace filch::graph
