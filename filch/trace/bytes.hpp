#pragma once
// Numbers in a file have seven bits a byte, the lowest first; the eighth bit says that more follow.
// A text follows its length.
#include <filch/trace/file.hpp>

#include <string>
#include <string_view>

namespace filch::inline v0_2::trace {

constexpr std::uint64_t zigzag(std::int64_t value) noexcept {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t coded) noexcept {
  return static_cast<std::int64_t>(coded >> 1) ^ -static_cast<std::int64_t>(coded & 1);
}

/// Appends.
class byte_writer {
 public:
  void put(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>(value | 0x80));
    bytes_.push_back(static_cast<char>(value));
  }
  void put_signed(std::int64_t value) { put(zigzag(value)); }
  void put_bytes(std::string_view bytes) { bytes_.append(bytes); }
  void put_text(std::string_view text) {
    put(text.size());
    put_bytes(text);
  }
  const std::string& bytes() const noexcept { return bytes_; }
  std::string release() noexcept { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Takes off the front. Throws `bad_file` if there is not enough, or a number has more than 64
/// bits.
class byte_reader {
 public:
  /// `what` is what the bytes are part of, for messages.
  byte_reader(std::string_view bytes, std::string what) : rest_{bytes}, what_{std::move(what)} {}

  std::uint64_t take() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take_bytes(1).front());
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return value;
    }
    fail("holds a number of more than 64 bits");
  }
  std::int64_t take_signed() { return unzigzag(take()); }
  /// A number that is at most `most`.
  std::uint64_t take_up_to(std::uint64_t most, const char* name) {
    const std::uint64_t value = take();
    if (value > most)
      fail(std::string{"says "} + name + " is " + std::to_string(value) + ", and at most " +
           std::to_string(most) + " makes sense");
    return value;
  }
  /// The number of things that follow and take at least a byte each.
  std::size_t take_count(const char* name) { return take_up_to(rest_.size(), name); }
  std::string_view take_bytes(std::uint64_t count) {
    if (count > rest_.size()) fail("ends too early");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  std::string_view take_text() { return take_bytes(take()); }
  std::size_t left() const noexcept { return rest_.size(); }
  [[noreturn]] void fail(const std::string& problem) const {
    throw bad_file(what_ + " " + problem);
  }

 private:
  std::string_view rest_;
  std::string what_;
};

}  // namespace filch::trace
