#pragma once
// A broken invariant ends the process and prints the values that broke it.
#include <filch/base/language.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

namespace filch::inline v0_2::base {

struct panic_value {
  const char* names;  ///< The expressions as written, separated by commas.
  const long long* values;
  int count;
};

/// Prints `condition`, `message`, the place and the values to stderr, then aborts. Never allocates.
FILCH_EXPORT [[noreturn, gnu::cold, gnu::noinline]] void panic(const char* file, int line,
                                                               const char* condition,
                                                               const char* message,
                                                               panic_value values) noexcept;

/// Prints `message` to stderr, for a process that is about to end for its own reasons.
void last_words(const char* message) noexcept;

template <class T>
long long panic_word(const T& value) noexcept {
  if constexpr (std::is_pointer_v<T>) {
    return static_cast<long long>(reinterpret_cast<std::intptr_t>(value));
  } else {
    return static_cast<long long>(value);
  }
}

template <class... T>
[[noreturn, gnu::cold, gnu::noinline]] void panic_with(const char* file, int line,
                                                       const char* condition, const char* message,
                                                       const char* names,
                                                       const T&... values) noexcept {
  const long long words[] = {panic_word(values)..., 0};
  panic(file, line, condition, message, {names, words, static_cast<int>(sizeof...(values))});
}

}  // namespace filch::base

/// FILCH_ASSERT(condition, "what it means if this fails", value...): checked in every build; the
/// values are printed. For filch's own parts.
#define FILCH_ASSERT(condition, message, ...)                                       \
  ((condition) ? void(0)                                                            \
               : ::filch::base::panic_with(__FILE__, __LINE__, #condition, message, \
                                           #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__))
