#include <filch/base/float_mode.hpp>

#include <gtest/gtest.h>

#include <cfenv>
#include <limits>

namespace {

using namespace filch::base;

/// The compiler can neither compute it ahead nor in another mode.
double quotient(double a, double b) {
  volatile double left = a, right = b;
  return left / right;
}

TEST(float_mode, is_what_sets_rounding) {
  const float_mode usual = current_float_mode();
  std::fesetround(FE_UPWARD);
  const float_mode upward = current_float_mode();
  std::fesetround(FE_TONEAREST);
  EXPECT_NE(usual, upward);
  EXPECT_EQ(current_float_mode(), usual);
  const double nearest = quotient(1, 3);
  {
    const in_float_mode here{upward};
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
    EXPECT_GT(quotient(1, 3), nearest);
    std::fesetround(FE_DOWNWARD);  // a job leaves this behind
  }
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  EXPECT_EQ(current_float_mode(), usual);
}

TEST(float_mode, leaves_sticky_flags_alone) {
  std::feclearexcept(FE_ALL_EXCEPT);
  const float_mode usual = current_float_mode();
  EXPECT_EQ(quotient(1, 0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(current_float_mode(), usual) << "a flag is no mode";
  std::fesetround(FE_UPWARD);
  set_float_mode(usual);
  EXPECT_EQ(std::fetestexcept(FE_DIVBYZERO), FE_DIVBYZERO);
  std::feclearexcept(FE_ALL_EXCEPT);
}

#if defined(__SSE2__)
TEST(float_mode, holds_what_becomes_of_denormals) {
  const float_mode usual = current_float_mode();
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040u);  // flush to zero, denormals are zeros
  const float_mode flushing = current_float_mode();
  set_float_mode(usual);
  const double least = std::numeric_limits<double>::min();
  EXPECT_GT(quotient(least, 2), 0);
  const in_float_mode here{flushing};
  EXPECT_EQ(quotient(least, 2), 0);
}
#endif

}  // namespace
