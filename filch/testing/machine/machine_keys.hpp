#pragma once
// The keys of a machine file, once: for `read_machine`, and for programs that print such a file.
#include <filch/testing/machine/machine.hpp>

#include <array>
#include <string>
#include <string_view>
#include <variant>

namespace filch::inline v0_2::testing {

/// A key of a machine file, and the member that it sets.
struct machine_key {
  std::string_view name;
  std::variant<std::string machine::*, unsigned machine::*, double machine::*> member;
};

/// All keys, in the order of the members.
inline constexpr std::array<machine_key, 25> machine_keys{{
    {"name", &machine::name},
    {"note", &machine::note},
    {"nodes", &machine::nodes},
    {"caches_per_node", &machine::caches_per_node},
    {"cores_per_cache", &machine::cores_per_cache},
    {"access", &machine::access},
    {"modify", &machine::modify},
    {"same_cache", &machine::same_cache},
    {"same_node", &machine::same_node},
    {"other_node", &machine::other_node},
    {"memory", &machine::memory},
    {"bytes_per_ns", &machine::bytes_per_ns},
    {"lines_at_once", &machine::lines_at_once},
    {"pause", &machine::pause},
    {"clock", &machine::clock},
    {"heavy_fence", &machine::heavy_fence},
    {"heavy_fence_core", &machine::heavy_fence_core},
    {"interrupt", &machine::interrupt},
    {"wake", &machine::wake},
    {"wake_latency", &machine::wake_latency},
    {"sleep", &machine::sleep},
    {"timer_latency", &machine::timer_latency},
    {"context_switch", &machine::context_switch},
    {"time_slice", &machine::time_slice},
    {"start_thread", &machine::start_thread},
}};

}  // namespace filch::testing
