#pragma once
// The one place that knows whether a user compiles with exceptions.
#include <filch/base/language.hpp>

/// `try`, `catch (...)` and `throw`, also without exceptions. For filch's own parts.
#if defined(__cpp_exceptions)
#define FILCH_TRY try
#define FILCH_CATCH_ALL catch (...)
#define FILCH_RETHROW throw
#else
#define FILCH_TRY if constexpr (true)
#define FILCH_CATCH_ALL else
#define FILCH_RETHROW static_cast<void>(0)
#endif
