#pragma once
// Which sanitizer watches a test. Frames are larger under one, everything is slower, and the thread
// sanitizer lets a forked child start no threads.

namespace filch::inline v0_2::base {

#if defined(__SANITIZE_THREAD__)
inline constexpr bool under_thread_sanitizer = true;
#elif defined(__has_feature)
inline constexpr bool under_thread_sanitizer = __has_feature(thread_sanitizer);
#else
inline constexpr bool under_thread_sanitizer = false;
#endif

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool under_address_sanitizer = true;
#elif defined(__has_feature)
inline constexpr bool under_address_sanitizer = __has_feature(address_sanitizer);
#else
inline constexpr bool under_address_sanitizer = false;
#endif

inline constexpr bool is_sanitized = under_thread_sanitizer || under_address_sanitizer;

}  // namespace filch::base
