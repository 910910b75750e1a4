#pragma once
#include <netinet/in.h>

#include <string>

namespace filch::cli {

/// Reads "127.0.0.1:9464".
/// Throws: `std::invalid_argument` naming the text.
sockaddr_in parse_address(const std::string& text);

}  // namespace filch::cli
