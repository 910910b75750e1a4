#pragma once
#include <filch/base/language.hpp>

#include <cstddef>

namespace filch::inline v0_2::base {

/// Address space that reads as zero, and costs memory only where it was touched.
class reservation {
 public:
  /// Throws: `std::system_error` that names size and purpose, if the system refuses.
  explicit reservation(std::size_t bytes);
  ~reservation();
  reservation(const reservation&) = delete;
  reservation& operator=(const reservation&) = delete;

  void* data() const noexcept { return data_; }

 private:
  void* data_;
  std::size_t bytes_;
};

}  // namespace filch::base
