#pragma once
#include <filch/topo/pinning.hpp>

#include <cstdint>
#include <exception>
#include <stdexcept>

namespace filch {

struct pool_options {
  unsigned workers = 0;  ///< Jobs that run at once; 0 takes FILCH_WORKERS or what the CPU budget allows.
  unsigned max_spares =
      256;  ///< Further threads that may take over the slots of waiting and blocking ones. Who minds timers and I/O is none of them.
  pinning pin = pinning::none;
  std::uint64_t seed = 0;  ///< Of the victim choice; 0 is as good as any.
  /// Gets what escapes from a submitted job, on the thread that ran it, or from a spawned task, on the thread that dropped its handle if that came later. Null prints it and terminates.
  void (*on_escaped_exception)(std::exception_ptr) noexcept = nullptr;
};

/// Thrown by `run` and `submit` after `request_stop`.
class pool_stopped : public std::runtime_error {
 public:
  pool_stopped() : std::runtime_error("filch: the pool was asked to stop; it takes no new work") {}
};

}  // namespace filch
