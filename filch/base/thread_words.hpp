#pragma once
// What a thread keeps in thread-local variables, and how they are reached. A plugin with a static
// filch has them where the loader keeps little for all plugins together. So those of all rooms take
// 64 bytes at most (tests/plugins). What is large lies behind a pointer; what is seldom used is a
// `thread_pointer`.
#include <filch/base/language.hpp>

#if defined(__GNUC__) && !defined(__APPLE__)
/// At a fixed distance from the thread's pointer, also in shared libraries: a fork calls nobody.
#define FILCH_TLS_INITIAL_EXEC [[gnu::tls_model("initial-exec")]]
#else
#define FILCH_TLS_INITIAL_EXEC
#endif

namespace filch::base {

/// How many exceptions are on their way through frames below the coroutine that this thread runs:
/// none of its own. Writer: the loop that runs coroutines.
FILCH_TLS_INITIAL_EXEC extern constinit thread_local int exceptions_below;
/// The system's number of this thread. 0: not asked yet.
FILCH_TLS_INITIAL_EXEC extern constinit thread_local int known_thread_id;

}  // namespace filch::base
