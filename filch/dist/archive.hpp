#pragma once
// Values as bytes, the same on every machine: tasks, results and bags on their way to other ranks
// and to files.
#include <filch/trace/bytes.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace filch::inline v0_2::dist {

class output_archive;
class input_archive;

namespace detail {

/// A class that names its parts: `template <class A> void serialize(A& archive)`.
template <class T, class A>
concept names_its_parts = requires(T& value, A& archive) {
  value.serialize(archive);
};

template <class T>
inline constexpr bool is_tuple_like = false;
template <class... T>
inline constexpr bool is_tuple_like<std::tuple<T...>> = true;
template <class A, class B>
inline constexpr bool is_tuple_like<std::pair<A, B>> = true;
template <class T, std::size_t N>
inline constexpr bool is_tuple_like<std::array<T, N>> = true;

template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
inline constexpr bool always_false = false;

}  // namespace detail

/// Writes values: `archive & a & b`. Knows numbers, enumerations, strings, vectors, optionals,
/// tuples, pairs, arrays, and classes with a member `template <class A> void serialize(A& archive)`
/// that passes each of their parts to the archive.
/// Cost:    1 to 10 bytes for an integer, 8 for a floating-point number.
/// Example: examples/dist_tasks.cpp
class output_archive {
 public:
  template <class T>
  output_archive& operator&(const T& value) {
    if constexpr (detail::names_its_parts<T, output_archive>) {
      const_cast<T&>(value).serialize(*this);  // the same member reads; it changes nothing here
    } else if constexpr (std::is_enum_v<T>) {
      *this& static_cast<std::underlying_type_t<T>>(value);
    } else if constexpr (std::unsigned_integral<T>) {
      bytes_.put(value);
    } else if constexpr (std::signed_integral<T>) {
      bytes_.put_signed(value);
    } else if constexpr (std::same_as<T, double>) {
      bytes_.put(std::bit_cast<std::uint64_t>(value));
    } else if constexpr (std::same_as<T, float>) {
      bytes_.put(std::bit_cast<std::uint32_t>(value));
    } else if constexpr (std::same_as<T, std::string>) {
      bytes_.put_text(value);
    } else if constexpr (detail::is_vector<T>) {
      bytes_.put(value.size());
      for (const auto& each : value) *this& each;
    } else if constexpr (detail::is_optional<T>) {
      *this& value.has_value();
      if (value) *this&* value;
    } else if constexpr (detail::is_tuple_like<T>) {
      std::apply([this](const auto&... part) { (static_cast<void>(*this & part), ...); }, value);
    } else {
      static_assert(detail::always_false<T>,
                    "filch: give the class a member `template <class A> void serialize(A&)`");
    }
    return *this;
  }
  /// What has been written. Leaves the archive empty.
  std::string release() noexcept { return bytes_.release(); }

 private:
  trace::byte_writer bytes_;
};

/// Reads what an `output_archive` has written, by the same members.
/// Throws: `trace::bad_file` if the bytes are no such values. Memory is in proportion to the bytes.
class input_archive {
 public:
  /// `what` is named in messages. Lifetime: `bytes` stay where they are.
  input_archive(std::string_view bytes, std::string what) : bytes_{bytes, std::move(what)} {}

  template <class T>
  input_archive& operator&(T& value) {
    if constexpr (detail::names_its_parts<T, input_archive>) {
      value.serialize(*this);
    } else if constexpr (std::is_enum_v<T>) {
      std::underlying_type_t<T> number{};
      *this& number;
      value = static_cast<T>(number);
    } else if constexpr (std::unsigned_integral<T>) {
      value = static_cast<T>(bytes_.take_up_to((std::numeric_limits<T>::max)(), "a number"));
    } else if constexpr (std::signed_integral<T>) {
      const std::int64_t number = bytes_.take_signed();
      value = static_cast<T>(number);
      if (value != number) bytes_.fail("has a number that is too large for its type");
    } else if constexpr (std::same_as<T, double>) {
      value = std::bit_cast<double>(bytes_.take());
    } else if constexpr (std::same_as<T, float>) {
      value = std::bit_cast<float>(
          static_cast<std::uint32_t>(bytes_.take_up_to(~std::uint32_t{0}, "a number")));
    } else if constexpr (std::same_as<T, std::string>) {
      value = bytes_.take_text();
    } else if constexpr (detail::is_vector<T>) {
      read_vector(value);
    } else if constexpr (detail::is_optional<T>) {
      bool has_value = false;
      *this& has_value;
      value.reset();
      if (has_value) *this& value.emplace();
    } else if constexpr (detail::is_tuple_like<T>) {
      std::apply([this](auto&... part) { (static_cast<void>(*this & part), ...); }, value);
    } else {
      static_assert(detail::always_false<T>,
                    "filch: give the class a member `template <class A> void serialize(A&)`");
    }
    return *this;
  }
  /// Call when all is read. Throws: `trace::bad_file` if anything is left.
  void expect_end() const {
    if (bytes_.left() != 0) bytes_.fail("is longer than its values");
  }

 private:
  template <class T>
  void read_vector(std::vector<T>& value) {
    const std::size_t count = bytes_.take_count("a number of elements");
    value.clear();
    for (std::size_t at = 0; at < count; ++at) {
      T each{};
      *this& each;
      value.push_back(std::move(each));
    }
  }
  trace::byte_reader bytes_;
};

/// The bytes of a value.
template <class T>
std::string to_bytes(const T& value) {
  output_archive out;
  out& value;
  return out.release();
}
/// The value of the bytes that `to_bytes` made of a `T`. `what` is named in messages.
/// Throws: `trace::bad_file`.
template <class T>
T from_bytes(std::string_view bytes, std::string what) {
  T value{};
  input_archive in{bytes, std::move(what)};
  in& value;
  in.expect_end();
  return value;
}

}  // namespace filch::dist
