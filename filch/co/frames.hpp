#pragma once
#include <cstddef>

namespace filch::co {

/// Frames of up to this many bytes are kept for the next coroutine; larger ones go back to the allocator.
inline constexpr std::size_t largest_kept_frame = 1016;
/// What one thread keeps at most. A guess: a batch of 10^4 tasks of some 300 bytes fits.
inline constexpr std::size_t most_kept_bytes = std::size_t{4} << 20;

/// Room for the frame of a coroutine, aligned as `operator new` aligns.
///
/// Cost:    less than 2 ns out of the thread's lists (see co_bench); else what `operator new` costs.
/// Threads: any; a frame may be released on another thread, whose list then keeps it. Functions of their own, so that no compiler takes the thread's
///          lists across a suspension.
/// Throws:  `std::bad_alloc`, which leaves the call of the coroutine before anything of its body has run.
void* allocate_frame(std::size_t bytes);
/// Gives back what `allocate_frame(bytes)` returned. Workers keep it, and threads that were ones; others return it to the allocator.
void release_frame(void* frame, std::size_t bytes) noexcept;

/// What the calling thread keeps now. Under the address sanitizer nothing: every use of a dead frame is to be seen.
std::size_t kept_frame_bytes() noexcept;

}  // namespace filch::co
