#pragma once
// What holds of the reader of files, whatever the bytes. GoogleTest runs it on damaged files and on
// the kept corpus (file_fuzz.cpp), libFuzzer on what it makes up.
#include <filch/event/recording.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace filch::trace {

/// A recording that makes sense, of so many events; every other seed has an analysis.
event::recording some_recording(std::uint64_t seed, std::size_t event_count);

/// What of `written` did not come back as it should; empty where everything did.
std::string difference(const event::recording& written, const event::recording& read);

/// What is wrong with what was made of some bytes; empty where nothing is. Refusing them is not
/// wrong.
std::string violation_of_file(std::string_view bytes);

}  // namespace filch::trace
