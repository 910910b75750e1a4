#pragma once
#include <filch/base/language.hpp>

#include <cstddef>

namespace filch::inline v0_2::base {

/// If the calling thread's stack overflows from now on, prints a message with the value of
/// `depth()` before the process ends by SIGSEGV as it would anyway. Does nothing if the program, a
/// sanitizer or a debugger's tool already handles that signal, or has given the thread a stack for
/// handlers.
/// Cost: about 3 ns; the first time of a thread a few system calls and 64 KiB of address space.
void tell_of_stack_overflow(std::size_t (*depth)() noexcept) noexcept;

}  // namespace filch::base
