#pragma once
#include <stdexcept>

namespace filch::cli {

/// A file that is no recording, or not a sound one. The message names it.
class bad_recording : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace filch::cli
