#pragma once
// The same addresses in every run.

namespace filch::scaling {

/// Begins the program anew without random addresses, unless it has none or the system refuses: in a
/// simulation an address decides which words share a line of memory.
void use_steady_addresses(char** arguments);

}  // namespace filch::scaling
