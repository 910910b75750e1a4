#pragma once
#include <cstdint>
#include <string>

namespace filch::span {

/// The mangled name of the function at `offset` from where the ELF file `path` was mapped; empty where the file does not say.
/// A file of any content is safe to ask.
std::string symbol_at(const std::string& path, std::uint64_t offset);

}  // namespace filch::span
