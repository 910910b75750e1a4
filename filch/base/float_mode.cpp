#include <filch/base/float_mode.hpp>

#if !defined(__GNUC__) || \
    !(defined(__x86_64__) || (defined(__i386__) && defined(__SSE__)) || defined(__aarch64__))
#include <cfenv>
#endif

namespace filch::inline v0_2::base {

#if defined(__GNUC__) && (defined(__x86_64__) || (defined(__i386__) && defined(__SSE__)))
void set_float_mode(float_mode wanted) noexcept {
  const auto word = static_cast<std::uint32_t>(wanted);
  std::uint32_t mxcsr = 0;
  asm volatile("stmxcsr %0" : "=m"(mxcsr));
  mxcsr = (mxcsr & ~mxcsr_control) | (word & mxcsr_control);
  asm volatile("ldmxcsr %0" : : "m"(mxcsr));
  const auto x87 = static_cast<std::uint16_t>(word >> 16);
  constexpr std::uint32_t x87_flags = 0x3f;
  std::uint16_t status = 0;
  asm volatile("fnstsw %0" : "=m"(status));
  // An old flag would trap at the next x87 instruction if the new mode enables its trap.
  if ((status & ~x87 & x87_flags) != 0) asm volatile("fnclex");
  asm volatile("fldcw %0" : : "m"(x87));
}
#elif defined(__GNUC__) && defined(__aarch64__)
void set_float_mode(float_mode wanted) noexcept {
  asm volatile("msr fpcr, %0" : : "r"(std::uint64_t{static_cast<std::uint32_t>(wanted)}));
}
#else
// The part that the standard knows: rounding.
float_mode current_float_mode() noexcept {
  return float_mode{static_cast<std::uint32_t>(std::fegetround())};
}
void set_float_mode(float_mode wanted) noexcept { std::fesetround(static_cast<int>(wanted)); }
#endif

}  // namespace filch::base
