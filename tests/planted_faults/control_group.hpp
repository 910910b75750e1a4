#pragma once
#include <filch/topo/cgroup_locate.hpp>

#include <string>

namespace planted {

/// A control group that this process moves to, as an ordinary program, and out of again.
class control_group {
 public:
  /// Throws: `std::system_error` if this process may not make one.
  control_group();
  ~control_group();
  control_group(const control_group&) = delete;
  control_group& operator=(const control_group&) = delete;

  /// So much processor time in each period of 20 ms. Throws: `std::system_error`.
  void grant(unsigned microseconds);

 private:
  void rank_before_others() noexcept;

  filch::topo::cgroup_directory home_;  ///< Where this process came from.
  std::string path_;
};

}  // namespace planted
