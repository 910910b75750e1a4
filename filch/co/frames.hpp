#pragma once
#include <filch/base/language.hpp>

#include <cstddef>

namespace filch::inline v0_2::co {

/// Frames up to this size are kept for the next coroutine; larger ones go back to the allocator.
inline constexpr std::size_t largest_kept_frame = 1016;
/// Kept frames pass between threads in chains of this size, so that one lock serves dozens of them.
inline constexpr std::size_t chain_bytes = std::size_t{32} << 10;
/// What one thread keeps at most: two chains of each class.
inline constexpr std::size_t most_kept_bytes = std::size_t{2} << 20;
/// What the shared depot keeps besides, for any thread that has none. A guess: 10^5 tasks of some
/// 300 bytes fit, with their cancellation slots.
inline constexpr std::size_t most_shared_bytes = std::size_t{64} << 20;

/// Room for the frame of a coroutine, aligned as `operator new` aligns.
///
/// Not inline, like `release_frame`, so that no compiler keeps the address of the thread's lists
/// across a suspension.
/// Cost:    less than 2 ns from the thread's lists (see co_bench), a lock for each chain from the
///          depot; else what `operator new` costs.
/// Threads: any. A frame may be released on another thread, whose list then keeps it.
/// Throws:  `std::bad_alloc`, from the call of the coroutine, before its body runs.
FILCH_EXPORT void* allocate_frame(std::size_t bytes);
/// Gives back what `allocate_frame(bytes)` returned. A thread that is or was a worker keeps it or
/// passes it to the depot; other threads return it to the allocator.
/// Source: Bonwick and Adams, "Magazines and Vmem", USENIX 2001, section 3. We differ: a chain is
///         linked through its frames.
FILCH_EXPORT void release_frame(void* frame, std::size_t bytes) noexcept;

/// What the calling thread keeps now. Nothing under the address sanitizer, which is to see every
/// use of a dead frame.
std::size_t kept_frame_bytes() noexcept;
/// What the shared depot keeps now.
std::size_t shared_frame_bytes() noexcept;

}  // namespace filch::co
