#pragma once
#include <filch/event/recording.hpp>

#include <string>

namespace filch::inline v0_2::trace {

/// JSON in the Trace Event Format, for chrome://tracing and other readers of it. A worker is a
/// thread, an activity is a slice, an event an instant, and a steal an arrow from the victim to the
/// thief. Times are exact: microseconds with three decimals.
std::string to_chrome(const event::recording& all);

/// The same as a Perfetto trace: protocol buffers, three fifths of the size.
/// Source: perfetto_trace.proto of the Perfetto project. Only the few fields that are needed, so no
/// library of it is linked.
std::string to_perfetto(const event::recording& all);

/// One line for each event, its fields separated by commas, below a line of names.
std::string to_csv(const event::recording& all);

/// A line for each thing a worker did, with the nanoseconds it took: "program;pool 0 worker
/// 1;working;site 1234", for flame graphs.
std::string to_folded(const event::recording& all);

}  // namespace filch::trace
