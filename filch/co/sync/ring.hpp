#pragma once
#include <filch/base/language.hpp>

#include <bit>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace filch::inline v0_2::co::sync {

/// A queue in one block of memory, which doubles when it is full and never shrinks.
template <class T>
class ring {
  static_assert(std::is_nothrow_move_constructible_v<T>,
                "what goes through a channel moves without throwing");

 public:
  ring() noexcept = default;
  ring(const ring&) = delete;
  ring& operator=(const ring&) = delete;
  ~ring() {
    for (; size_ > 0; --size_) std::destroy_at(&at(size_ - 1));
    free_slots();
  }

  std::size_t size() const noexcept { return size_; }
  /// How many values there is memory for.
  std::size_t room() const noexcept { return room_; }
  /// Allocates for at least `count`. Throws: `std::bad_alloc`; then nothing has changed.
  void reserve(std::size_t count) {
    if (count > room_) move_to(std::bit_ceil(count));
  }
  void swap(ring& other) noexcept {
    std::swap(slots_, other.slots_);
    std::swap(room_, other.room_);
    std::swap(first_, other.first_);
    std::swap(size_, other.size_);
  }
  /// Throws: `std::bad_alloc`; `value` is then as it was.
  void push(T&& value) {
    if (size_ == room_) [[unlikely]]
      move_to(room_ == 0 ? 8 : 2 * room_);
    std::construct_at(&at(size_), std::move(value));
    ++size_;
  }
  /// Moves the oldest value into `to`.
  template <class To>
  void pop(To& to) noexcept {
    T& first = at(0);
    to.emplace(std::move(first));
    std::destroy_at(&first);
    ++first_;
    --size_;
  }

 private:
  T& at(std::size_t index) noexcept { return slots_[(first_ + index) & (room_ - 1)]; }
  /// Moves the values to a block for `room`, a power of two and more than there are values.
  [[gnu::noinline]] void move_to(std::size_t room) {
    T* const larger = std::allocator<T>{}.allocate(room);
    for (std::size_t i = 0; i < size_; ++i) {
      std::construct_at(larger + i, std::move(at(i)));
      std::destroy_at(&at(i));
    }
    free_slots();
    slots_ = larger;
    room_ = room;
    first_ = 0;
  }
  void free_slots() noexcept {
    if (slots_ != nullptr) std::allocator<T>{}.deallocate(slots_, room_);
  }

  T* slots_ = nullptr;
  std::size_t room_ = 0;  ///< A power of two, or 0.
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace filch::co::sync
