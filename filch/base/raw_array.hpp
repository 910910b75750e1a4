#pragma once
#include <filch/base/language.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>

namespace filch::base {

/// In memory of so many bytes and more there is a whole huge page, wherever it begins.
inline constexpr std::size_t worth_huge_pages = std::size_t{4} << 20;

/// As the aligned `operator new`, for `worth_huge_pages` and more, with huge pages from Linux where
/// these are given to who asks (`madvise(2)`, MADV_HUGEPAGE). A kernel that refuses is no error.
/// Cost: a system call. Throws: `std::bad_alloc`.
void* allocate_huge_pages(std::size_t bytes, std::size_t alignment);
void release_huge_pages(void* memory, std::size_t bytes, std::size_t alignment) noexcept;

/// Memory for the elements of an array, which whoever owns it makes and destroys. A move leaves an
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

  /// Where the first element is or is to be.
  T* data() const noexcept { return first_; }
  /// How many there is room for.
  std::size_t size() const noexcept { return size_; }
  /// One that was made.
  T& operator[](std::size_t i) const noexcept { return first_[i]; }

 private:
  static constexpr std::size_t alignment =
      std::max<std::size_t>(alignof(T), __STDCPP_DEFAULT_NEW_ALIGNMENT__);

  static T* allocate(std::size_t size) {
    return is_huge(size) ? static_cast<T*>(allocate_huge_pages(size * sizeof(T), alignment))
                         : std::allocator<T>().allocate(size);
  }
  /// More bytes than there are numbers for are left to `std::allocator`, which refuses them.
  static constexpr bool is_huge(std::size_t size) noexcept {
    return size >= (worth_huge_pages + sizeof(T) - 1) / sizeof(T) &&
           size <= (std::numeric_limits<std::ptrdiff_t>::max)() / sizeof(T);
  }

  T* first_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace filch::base
