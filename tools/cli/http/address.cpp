#include <arpa/inet.h>
#include <fmt/format.h>
#include <tools/cli/http/address.hpp>

#include <charconv>
#include <cstdint>
#include <stdexcept>
#include <system_error>

namespace filch::cli {

sockaddr_in parse_address(const std::string& text) {
  sockaddr_in parsed{};
  parsed.sin_family = AF_INET;
  const std::size_t colon = text.find(':');
  const std::string host = text.substr(0, colon);
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto number = colon == text.npos
                          ? std::from_chars_result{text.data(), std::errc::invalid_argument}
                          : std::from_chars(text.data() + colon + 1, end, port);
  // Else inet_pton() would not see all of it
  const bool is_c_string = host.find('\0') == host.npos;
  if (number.ec != std::errc{} || number.ptr != end || !is_c_string ||
      ::inet_pton(AF_INET, host.c_str(), &parsed.sin_addr) != 1) {
    throw std::invalid_argument(fmt::format("{} is no address; write one as 127.0.0.1:9464", text));
  }
  parsed.sin_port = htons(port);
  return parsed;
}

}  // namespace filch::cli
