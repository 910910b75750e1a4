#include <fmt/format.h>
#include <tools/cli/http/message.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace filch::cli {
namespace {

constexpr std::array<std::pair<int, std::string_view>, 6> reasons{{{200, "OK"},
                                                                   {400, "Bad Request"},
                                                                   {403, "Forbidden"},
                                                                   {404, "Not Found"},
                                                                   {405, "Method Not Allowed"},
                                                                   {503, "Service Unavailable"}}};

std::string status_text(int status) {
  const auto* const known =
      std::ranges::find(reasons, status, &std::pair<int, std::string_view>::first);
  return fmt::format("{} {}", status, known == reasons.end() ? "" : known->second);
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_header(std::string_view line, std::string_view name) {
  return line.size() > name.size() && line[name.size()] == ':' &&
         std::equal(name.begin(), name.end(), line.begin(),
                    [](char a, char b) { return a == lower(b); });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// Takes a line off the front.
std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find("\r\n");
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == rest.npos ? rest.size() : end + 2);
  return line;
}

}  // namespace

std::optional<http_request> parse_head(std::string_view head) {
  std::string_view line = take_line(head);
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == line.npos || first == last || !line.substr(last).starts_with(" HTTP/1.")) return {};
  http_request made{std::string{line.substr(0, first)},
                    std::string{line.substr(first + 1, last - first - 1)},
                    {}};
  while (!head.empty()) {
    line = take_line(head);
    if (!is_header(line, "host")) continue;
    // Two hosts: a proxy in between may have looked at the other one
    if (!made.host.empty()) return {};
    made.host = trimmed(line.substr(5));
  }
  return made;
}

http_response refusal(int status, std::string headers) {
  return {.status = status, .body = status_text(status) + "\n", .headers = std::move(headers)};
}

std::string to_wire(const http_response& response, bool has_body) {
  return fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: "
      "close\r\nCache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\nReferrer-Policy: "
      "no-referrer\r\nCross-Origin-Resource-Policy: "
      "same-origin\r\n{}\r\n{}",
      status_text(response.status), response.type, response.body.size(), response.headers,
      has_body ? response.body : "");
}

}  // namespace filch::cli
