#pragma once
#include <filch/base/raw_array.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace filch::inline v0_2 {
namespace algo {

/// Owns elements that are made one after the other in raw memory. Destroys them, unless another run
/// or an array took them over. A fold over chunks that returns runs is therefore safe: if a chunk
/// throws, the runs of the others destroy their elements.
template <class T>
class live_run {
 public:
  explicit live_run(T* first) noexcept : first_{first}, last_{first} {}
  live_run(live_run&& other) noexcept
      : first_{other.first_}, last_{std::exchange(other.last_, other.first_)} {}
  live_run& operator=(live_run&&) = delete;
  ~live_run() { std::destroy(first_, last_); }

  /// Makes one more element in place, from what `make()` returns.
  template <class F>
  void append(F&& make) {
    ::new (static_cast<void*>(last_)) T(std::forward<F>(make)());
    ++last_;
  }
  /// Takes over `right`, which begins where this run ends.
  live_run&& and_then(live_run&& right) && noexcept {
    last_ = std::exchange(right.last_, right.first_);
    return std::move(*this);
  }
  /// Gives up ownership of the elements.
  void give_up() noexcept { last_ = first_; }

 private:
  T* first_;
  T* last_;
};

}  // namespace algo

/// An array whose length is fixed when it is made. Algorithms return it if they make elements in
/// parallel, in their final place, without default values. A `std::vector` makes its elements one
/// after the other.
template <class T>
class dynarray {
 public:
  using value_type = T;

  dynarray() noexcept = default;
  dynarray(dynarray&&) noexcept = default;
  dynarray& operator=(dynarray&& other) noexcept {
    dynarray taken(std::move(other));
    std::swap(memory_, taken.memory_);
    return *this;
  }
  ~dynarray() { std::destroy_n(data(), size()); }

  /// Makes an array of `size` elements, which `make(first)` constructs in raw memory. If `make`
  /// throws, it has destroyed what it made.
  ///
  /// Throws: `std::bad_alloc`, and what `make` throws.
  template <class Make>
  static dynarray made_by(std::size_t size, Make&& make) {
    if (size == 0) return {};
    base::raw_array<T> memory(size);
    make(memory.data());
    dynarray made;
    made.memory_ = std::move(memory);
    return made;
  }

  T* data() noexcept { return memory_.data(); }
  const T* data() const noexcept { return memory_.data(); }
  std::size_t size() const noexcept { return memory_.size(); }
  bool empty() const noexcept { return size() == 0; }
  T* begin() noexcept { return data(); }
  T* end() noexcept { return data() + size(); }
  const T* begin() const noexcept { return data(); }
  const T* end() const noexcept { return data() + size(); }
  /// The array must not be empty.
  T& front() noexcept { return data()[0]; }
  const T& front() const noexcept { return data()[0]; }
  T& back() noexcept { return data()[size() - 1]; }
  const T& back() const noexcept { return data()[size() - 1]; }
  T& operator[](std::size_t i) noexcept { return data()[i]; }
  const T& operator[](std::size_t i) const noexcept { return data()[i]; }
  friend bool operator==(const dynarray& a, const dynarray& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  base::raw_array<T> memory_;  // an element in each place
};

}  // namespace filch
