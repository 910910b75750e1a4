#pragma once
#include <filch/base/language.hpp>

#include <cstddef>

namespace filch::base {

/// From now on this thread says on stderr that its stack is full, with what `depth()` gives, before
/// the process ends by SIGSEGV as it would anyway. Nothing is done where the program, a sanitizer
/// or a debugger's tool handles that signal already, or has the thread run its handlers elsewhere.
/// Cost: some 3 ns; the first time of a thread a few system calls and 64 KiB of address space.
void tell_of_stack_overflow(std::size_t (*depth)() noexcept) noexcept;

}  // namespace filch::base
