#include <fmt/format.h>
#include <tools/cli/view/answer.hpp>

#include <algorithm>
#include <random>

namespace filch::cli {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_header(std::string_view line, std::string_view name) {
  return line.size() > name.size() && line[name.size()] == ':' &&
         std::equal(name.begin(), name.end(), line.begin(), [](char a, char b) { return a == lower(b); });
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

std::string response(std::string_view status, std::string_view type, std::string_view more, std::string_view body,
                     bool has_body = true) {
  return fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: {}; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: "
      "same-origin\r\n{}\r\n{}",
      status, type, body.size(), more, has_body ? body : "");
}

std::string refusal(std::string_view status, std::string_view more = "") {
  return response(status, "text/plain", more, fmt::format("{}\n", status));
}

}  // namespace

std::optional<http_request> parse_head(std::string_view head) {
  std::string_view line = take_line(head);
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == line.npos || first == last || !line.substr(last).starts_with(" HTTP/1.")) return {};
  http_request made{std::string{line.substr(0, first)}, std::string{line.substr(first + 1, last - first - 1)}, {}};
  while (!head.empty()) {
    line = take_line(head);
    if (!is_header(line, "host")) continue;
    if (!made.host.empty()) return {};  // two hosts: whoever is in between may have looked at the other one
    made.host = trimmed(line.substr(5));
  }
  return made;
}

std::string page_offer::address() const { return fmt::format("http://127.0.0.1:{}/{}/", port, token); }

std::string random_token() {
  std::random_device chance;
  std::string made;
  for (int i = 0; i < 4; ++i) made += fmt::format("{:08x}", chance());
  return made;
}

std::string policy_of(std::string_view page) {
  constexpr std::string_view mark = "http-equiv=\"Content-Security-Policy\" content=\"";
  const std::size_t found = page.find(mark);
  const std::string_view own = found == page.npos ? "default-src 'none'" : page.substr(found + mark.size());
  return fmt::format("{}; frame-ancestors 'none'", own.substr(0, own.find('"')));
}

std::string answer_to(const std::optional<http_request>& request, const page_offer& offer) {
  if (!request) return refusal("400 Bad Request");
  const bool is_for_us =
      request->host == fmt::format("127.0.0.1:{}", offer.port) || request->host == fmt::format("localhost:{}", offer.port);
  if (!is_for_us) return refusal("403 Forbidden");
  if (request->method != "GET" && request->method != "HEAD") return refusal("405 Method Not Allowed", "Allow: GET, HEAD\r\n");
  if (request->target != fmt::format("/{}/", offer.token)) return refusal("404 Not Found");
  const std::string policy = fmt::format("Content-Security-Policy: {}\r\n", policy_of(offer.page));
  return response("200 OK", "text/html", policy, offer.page, request->method == "GET");
}

}  // namespace filch::cli
