#pragma once
// std::stop_token: a request to stop that a caller hands to whoever works for it. Seen from here because it stands on atomics.
#include <stop_token>  // IWYU pragma: export
