#pragma once
#include <filch/base/language.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>

namespace filch::inline v0_2::base {

/// Memory of this size contains a whole huge page, wherever it begins.
inline constexpr std::size_t worth_huge_pages = std::size_t{4} << 20;

/// As the aligned `operator new`, for `worth_huge_pages` and more. Asks Linux for huge pages, which
/// some kernels give only on request (`madvise(2)`, MADV_HUGEPAGE). A refusal is no error.
/// Cost: a system call.
/// Throws: `std::bad_alloc`.
FILCH_EXPORT void* allocate_huge_pages(std::size_t bytes, std::size_t alignment);
FILCH_EXPORT void release_huge_pages(void* memory, std::size_t bytes,
                                     std::size_t alignment) noexcept;

/// Memory for the elements of an array, which its owner constructs and destroys. A move leaves an
/// empty one.
template <class T>
class raw_array {
 public:
  raw_array() noexcept = default;
  /// Cost: one allocation, by `operator new`; from `worth_huge_pages` on by `allocate_huge_pages`.
  /// Throws: `std::bad_alloc`.
  explicit raw_array(std::size_t size) : first_{allocate(size)}, size_{size} {}
  raw_array(raw_array&& other) noexcept
      : first_{std::exchange(other.first_, nullptr)}, size_{std::exchange(other.size_, 0)} {}
  raw_array& operator=(raw_array&& other) noexcept {
    raw_array taken(std::move(other));
    std::swap(first_, taken.first_);
    std::swap(size_, taken.size_);
    return *this;
  }
  ~raw_array() {
    if (first_ == nullptr) return;
    if (is_huge(size_)) {
      release_huge_pages(first_, size_ * sizeof(T), alignment);
    } else {
      std::allocator<T>().deallocate(first_, size_);
    }
  }

  /// The place of the first element.
  T* data() const noexcept { return first_; }
  /// The number of elements for which there is room.
  std::size_t size() const noexcept { return size_; }
  /// An element that was constructed.
  T& operator[](std::size_t i) const noexcept { return first_[i]; }

 private:
  static constexpr std::size_t alignment =
      std::max<std::size_t>(alignof(T), __STDCPP_DEFAULT_NEW_ALIGNMENT__);

  static T* allocate(std::size_t size) {
    return is_huge(size) ? static_cast<T*>(allocate_huge_pages(size * sizeof(T), alignment))
                         : std::allocator<T>().allocate(size);
  }
  /// If the bytes exceed what a number can hold, `std::allocator` refuses them.
  static constexpr bool is_huge(std::size_t size) noexcept {
    return size >= (worth_huge_pages + sizeof(T) - 1) / sizeof(T) &&
           size <= (std::numeric_limits<std::ptrdiff_t>::max)() / sizeof(T);
  }

  T* first_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace filch::base
