#pragma once
#include <filch/base/language.hpp>

namespace filch::inline v0_2::base {

/// Pins the shared object that holds this code: libfilch, or a plugin with a static filch. It stays
/// loaded until the process ends, even after `dlclose`. Threads run its code, and it never frees
/// what it keeps for the process. A program that loads it again finds it as it was. Does nothing in
/// an executable.
///
/// Cost: a search among the loaded objects the first time, a load afterwards.
void stay_loaded() noexcept;

}  // namespace filch::base
