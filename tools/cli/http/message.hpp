#pragma once
// The part of HTTP that a server of one page needs. No sockets here.
#include <optional>
#include <string>
#include <string_view>

namespace filch::cli {

/// The head of a request, as far as it matters.
struct http_request {
  std::string method;
  std::string target;
  std::string host;
};

/// Reads a head, up to and without the empty line. Nothing: it is none.
/// Source: RFC 9112, sections 2 and 3.
std::optional<http_request> parse_head(std::string_view head);

struct http_response {
  int status = 200;
  std::string_view type = "text/plain; charset=utf-8";
  std::string body{};
  std::string headers{};  ///< Further ones, each with its end of line.
};

/// Says the status in words, and nothing else.
http_response refusal(int status, std::string headers = {});

/// As it goes over the wire, after which the connection ends. Without its body it still says how
/// long that is, as HEAD asks for.
std::string to_wire(const http_response& response, bool has_body = true);

}  // namespace filch::cli
