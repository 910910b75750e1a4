#pragma once
// Properties of the reader of files that hold for any bytes. GoogleTest runs them on damaged files
// and on the kept corpus (file_fuzz.cpp), libFuzzer on bytes of its own.
#include <filch/event/recording.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace filch::inline v0_2::trace {

/// A sound recording of so many events; every other seed has an analysis.
event::recording some_recording(std::uint64_t seed, std::size_t event_count);

/// The first difference between `written` and `read`; empty if there is none.
std::string difference(const event::recording& written, const event::recording& read);

/// The property that reading these bytes violates; empty if none. Refusing them violates none.
std::string violation_of_file(std::string_view bytes);

}  // namespace filch::trace
