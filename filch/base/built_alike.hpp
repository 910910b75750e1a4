#pragma once
// A program and the library must agree on what changes the layout of the types that they share, and
// on what a sanitizer sees. Each setting has a symbol, whose name says what to do. The library
// defines the symbols of its own settings. A file that includes a header of ours requires the
// symbols of the settings with which it was compiled. So a program that differs does not link;
// otherwise it would crash, or get reports of races that it does not have.
#include <filch/base/language.hpp>

/// Names a symbol, for filch's own parts. The containers and iterators of libstdc++ differ with it.
#if defined(_GLIBCXX_DEBUG)
#define FILCH_SAME_CONTAINERS filch_library_must_be_built_with_GLIBCXX_DEBUG_too
#else
#define FILCH_SAME_CONTAINERS filch_library_must_be_built_without_GLIBCXX_DEBUG_too
#endif

/// Names a symbol, for filch's own parts. The strings of libstdc++ differ with the older ABI, and
/// everything differs in libc++.
#if defined(_LIBCPP_VERSION)
#define FILCH_SAME_STRINGS filch_library_must_be_built_with_libcxx_too
#elif defined(_GLIBCXX_USE_CXX11_ABI) && !_GLIBCXX_USE_CXX11_ABI
#define FILCH_SAME_STRINGS filch_library_must_be_built_with_GLIBCXX_USE_CXX11_ABI_0_too
#else
#define FILCH_SAME_STRINGS filch_library_must_be_built_with_GLIBCXX_USE_CXX11_ABI_1_too
#endif

/// Names a symbol, for filch's own parts. These two must see every access. The address sanitizer
/// sees less of a library that was built without it, but its reports are true.
#if defined(__SANITIZE_THREAD__)
#define FILCH_SAME_SANITIZER filch_library_must_be_built_with_FILCH_SANITIZE_thread_too
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FILCH_SAME_SANITIZER filch_library_must_be_built_with_FILCH_SANITIZE_thread_too
#elif __has_feature(memory_sanitizer)
#define FILCH_SAME_SANITIZER filch_library_must_be_built_with_FILCH_SANITIZE_memory_too
#endif
#endif
#if !defined(FILCH_SAME_SANITIZER)
#define FILCH_SAME_SANITIZER filch_library_must_be_built_without_thread_or_memory_sanitizer_too
#endif

/// Names a symbol, for filch's own parts. In `filch::testing` shared types have more members. A
/// program that links it needs the macro in each file, which CMake and pkg-config add.
#if defined(FILCH_TESTING)
#define FILCH_SAME_SCHEDULER filch_testing_must_be_linked_instead_of_filch
#else
#define FILCH_SAME_SCHEDULER filch_testing_needs_DFILCH_TESTING_else_link_filch
#endif

/// Keeps a variable that nothing reads. For filch's own parts.
#if defined(__has_cpp_attribute) && defined(__ELF__)
#if __has_cpp_attribute(gnu::retain)
#define FILCH_KEPT_BY_LINKERS [[gnu::used, gnu::retain, gnu::visibility("hidden")]]
#endif
#endif
#if !defined(FILCH_KEPT_BY_LINKERS)
#define FILCH_KEPT_BY_LINKERS [[maybe_unused]]
#endif

extern "C" {
FILCH_EXPORT extern const char FILCH_SAME_CONTAINERS, FILCH_SAME_STRINGS, FILCH_SAME_SANITIZER,
    FILCH_SAME_SCHEDULER;
}

namespace filch::inline v0_2::base {

enum one_of_few { the_only_one };
static_assert(
    sizeof(one_of_few) == sizeof(int),
    "filch cannot be used with -fshort-enums: libstdc++ has enumerations in maps and functions");

/// Makes a program require the symbols, once. Nothing reads it, and no code runs for it.
FILCH_KEPT_BY_LINKERS inline constexpr const char* built_alike[] = {
    &FILCH_SAME_CONTAINERS, &FILCH_SAME_STRINGS, &FILCH_SAME_SANITIZER, &FILCH_SAME_SCHEDULER};

}  // namespace filch::base
