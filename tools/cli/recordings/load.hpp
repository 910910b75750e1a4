#pragma once
#include <filch/event/recording.hpp>
#include <nlohmann/json.hpp>
#include <tools/cli/recordings/bad_recording.hpp>

#include <filesystem>

namespace filch::cli {

/// Reads a recording: filch's own format, or the text form below. What it returns is sound
/// (`span::find_fault`).
/// Throws: `std::system_error` naming a file that cannot be read, `bad_recording`.
event::recording load_recording(const std::filesystem::path& path);

/// The text form, for recordings made by hand or by other programs: an object with the members of
/// `event::recording`. Its `entries` are arrays [at_ns, worker, kind, activity, slot, other,
/// amount, ready], kinds by their names in `event::schema`. Values missing at the end are as in
/// `event::record`. An optional member `analysis` has the numbers of `analysis`, its `costs` and
/// `sites`; `graphs` has runs of task graphs, each with its `nodes`.
nlohmann::json to_text_form(const event::recording& from);
/// Throws: `bad_recording`, or what the parser of JSON throws.
event::recording from_text_form(const nlohmann::json& text);

}  // namespace filch::cli
