#pragma once
// How a thread computes with floating-point numbers.
#include <filch/base/language.hpp>

#include <cstdint>

namespace filch::inline v0_2::base {

/// The control bits of a thread's floating-point units: rounding, denormals, traps, precision. Not
/// the sticky flags, which record what has happened. A word of the machine's own: compare it, and
/// restore it.
enum class float_mode : std::uint32_t {};

/// Returns the mode of the calling thread. Cost: two instructions that store a register each.
float_mode current_float_mode() noexcept;
/// Sets the mode of the calling thread. Its sticky flags stay, except x87 flags that would trap at
/// once.
FILCH_EXPORT void set_float_mode(float_mode wanted) noexcept;

/// Lets the calling thread compute in a mode, and then restores its own, even if the mode was
/// changed meanwhile.
class in_float_mode {
 public:
  explicit in_float_mode(float_mode wanted) noexcept : before_{current_float_mode()} {
    change(before_, wanted);
  }
  ~in_float_mode() { change(current_float_mode(), before_); }
  in_float_mode(const in_float_mode&) = delete;
  in_float_mode& operator=(const in_float_mode&) = delete;

 private:
  static void change(float_mode now, float_mode wanted) noexcept {
    if (now != wanted) [[unlikely]]
      set_float_mode(wanted);
  }
  const float_mode before_;
};

#if defined(__GNUC__) && (defined(__x86_64__) || (defined(__i386__) && defined(__SSE__)))
inline constexpr std::uint32_t mxcsr_control = 0xffc0;  // below it are the flags

inline float_mode current_float_mode() noexcept {
  std::uint32_t mxcsr = 0;
  std::uint16_t x87 = 0;
  asm volatile("stmxcsr %0" : "=m"(mxcsr));
  asm volatile("fnstcw %0" : "=m"(x87));
  return float_mode{(mxcsr & mxcsr_control) | std::uint32_t{x87} << 16};
}
#elif defined(__GNUC__) && defined(__aarch64__)
inline float_mode current_float_mode() noexcept {
  std::uint64_t control = 0;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  return float_mode{static_cast<std::uint32_t>(control)};
}
#endif

}  // namespace filch::base
