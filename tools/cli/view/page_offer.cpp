#include <fmt/format.h>
#include <tools/cli/view/page_offer.hpp>

#include <random>

namespace filch::cli {

std::string page_offer::address() const {
  return fmt::format("http://127.0.0.1:{}/{}/", port, token);
}

std::string random_token() {
  std::random_device chance;
  std::string made;
  for (int i = 0; i < 4; ++i) made += fmt::format("{:08x}", chance());
  return made;
}

std::string policy_of(std::string_view page) {
  constexpr std::string_view mark = "http-equiv=\"Content-Security-Policy\" content=\"";
  const std::size_t found = page.find(mark);
  const std::string_view own =
      found == page.npos ? "default-src 'none'" : page.substr(found + mark.size());
  return fmt::format("{}; frame-ancestors 'none'", own.substr(0, own.find('"')));
}

http_response answer_to(const std::optional<http_request>& request, const page_offer& offer) {
  if (!request) return refusal(400);
  const bool is_for_us = request->host == fmt::format("127.0.0.1:{}", offer.port) ||
                         request->host == fmt::format("localhost:{}", offer.port);
  if (!is_for_us) return refusal(403);
  if (request->method != "GET" && request->method != "HEAD")
    return refusal(405, "Allow: GET, HEAD\r\n");
  if (request->target != fmt::format("/{}/", offer.token)) return refusal(404);
  return {.type = "text/html; charset=utf-8",
          .body = offer.page,
          .headers = fmt::format("Content-Security-Policy: {}\r\n", policy_of(offer.page))};
}

}  // namespace filch::cli
