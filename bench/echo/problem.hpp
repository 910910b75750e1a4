#pragma once
// Echo: messages of 64 bytes go to and fro over TCP connections of this machine, one at a time on
// each. Both ends share the workers.
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>

namespace bench::echo {

inline constexpr std::size_t message_bytes = 64;
inline constexpr std::uint64_t default_messages = 64'000;
inline constexpr const char* default_connections = "16";

struct parameters {
  std::uint64_t messages;  ///< There and back again.
  std::uint64_t connections;
  std::uint64_t each() const { return messages / connections; }
};

/// What `--size` and `--case` ask for. No connections if that makes no sense.
inline parameters asked_for(std::uint64_t messages, const std::string& connections) {
  parameters asked{messages, 0};
  const char* const end = connections.data() + connections.size();
  const auto [behind, error] = std::from_chars(connections.data(), end, asked.connections);
  if (error != std::errc{} || behind != end || asked.connections == 0 ||
      messages % asked.connections != 0)
    asked.connections = 0;
  return asked;
}

inline constexpr const char* case_rule =
    "--case is a number of connections, and --size a multiple of it";

/// Says what is wrong with the number of messages that came back whole; empty when nothing.
inline std::string check(const parameters& p, std::uint64_t echoed) {
  if (echoed == p.messages) return {};
  return std::to_string(echoed) + " of " + std::to_string(p.messages) + " messages came back";
}

}  // namespace bench::echo
