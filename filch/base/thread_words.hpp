#pragma once
// Thread-local variables, and how they are reached. In a plugin with a static filch they lie where
// the loader has little room for all plugins together. So those of all rooms take at most 64 bytes
// (tests/plugins). Large data lies behind a pointer; rarely used data is a `thread_pointer`.
#include <filch/base/language.hpp>

#if defined(__GNUC__) && !defined(__APPLE__)
/// At a fixed distance from the thread's pointer, even in shared libraries: a fork makes no call.
/// For filch's own parts.
#define FILCH_TLS_INITIAL_EXEC [[gnu::tls_model("initial-exec")]]
#else
#define FILCH_TLS_INITIAL_EXEC
#endif

namespace filch::inline v0_2::base {

/// How many exceptions are on their way through frames below the coroutine that this thread runs,
/// not counting its own. Writer: the loop that runs coroutines.
FILCH_TLS_INITIAL_EXEC extern constinit thread_local int exceptions_below;
/// The system's number of this thread. 0: not known yet.
FILCH_TLS_INITIAL_EXEC extern constinit thread_local int known_thread_id;

}  // namespace filch::base
