#pragma once
// If the language or the library is older than filch needs, one sentence instead of pages of
// errors. Every public header begins with this one, which any compiler can read. No compiler goes
// on after a file that it does not find.
#if !defined(__cplusplus) || __cplusplus < 202002L
#error filch needs C++20 (-std=c++20)
#include "compilation stops here"
#endif
#include <version>
#if !defined(__cpp_lib_jthread)
#error filch needs std::stop_token, which libc++ 18 and 19 have with -fexperimental-library
#include "compilation stops here"
#endif
/// Marks what programs use of a shared library, which hides everything else. For filch's own parts.
#if defined(__ELF__)
#define FILCH_EXPORT [[gnu::visibility("default")]]
#else
#define FILCH_EXPORT
#endif
#include <filch/base/built_alike.hpp>
