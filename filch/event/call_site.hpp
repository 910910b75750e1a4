#pragma once
#include <filch/base/language.hpp>

#include <cstdint>
#include <string>

namespace filch::inline v0_2::event {

/// A place in the program that makes jobs, known by the code that they run.
struct call_site {
  std::uint64_t address = 0;  ///< In the process that ran.
  std::string module;         ///< The file that was mapped there; empty: not known.
  std::uint64_t offset = 0;   ///< Of the address in that file.
  std::string name;           ///< Function, and file and line if known.
};

/// A text for people: the site's name, or its module and offset, or its address.
std::string text_of(const call_site& site);

}  // namespace filch::event
