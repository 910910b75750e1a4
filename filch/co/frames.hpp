#pragma once
#include <filch/base/language.hpp>

#include <cstddef>

namespace filch::co {

/// Frames of up to this many bytes are kept for the next coroutine; larger ones go back to the
/// allocator.
inline constexpr std::size_t largest_kept_frame = 1016;
/// Kept frames pass from thread to thread in chains of this size, so that a lock is taken for
/// dozens of them.
inline constexpr std::size_t chain_bytes = std::size_t{32} << 10;
/// What one thread keeps at most: two chains of each class.
inline constexpr std::size_t most_kept_bytes = std::size_t{2} << 20;
/// What threads keep together besides, for whichever needs it. A guess: 10^5 tasks of some 300
/// bytes, and what they wait by, fit.
inline constexpr std::size_t most_shared_bytes = std::size_t{64} << 20;

/// Room for the frame of a coroutine, aligned as `operator new` aligns.
///
/// Cost: less than 2 ns out of the thread's lists (see co_bench), a lock for each chain of what
/// others gave away; else what `operator new` costs.
/// Threads: any; a frame may be released on another thread, whose list then keeps it. Functions of
/// their own, so that no compiler takes the thread's
///          lists across a suspension.
/// Throws: `std::bad_alloc`, which leaves the call of the coroutine before anything of its body has
/// run.
void* allocate_frame(std::size_t bytes);
/// Gives back what `allocate_frame(bytes)` returned. Workers keep it, and threads that were ones,
/// or give it to each other; others return it to the allocator.
/// Source: Bonwick and Adams, "Magazines and Vmem", USENIX 2001, section 3. We differ: a chain is
/// linked through its frames.
void release_frame(void* frame, std::size_t bytes) noexcept;

/// What the calling thread keeps now. Under the address sanitizer nothing: every use of a dead
/// frame is to be seen.
std::size_t kept_frame_bytes() noexcept;
/// What threads keep together besides.
std::size_t shared_frame_bytes() noexcept;

}  // namespace filch::co
