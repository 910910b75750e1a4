#pragma once
// What a page server says to whom: the part of HTTP that it needs. No sockets here.
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

/// The page that is offered, and how one gets it.
struct page_offer {
  std::string page;
  std::string token;  ///< Whoever does not know it gets nothing.
  unsigned port = 0;

  /// What to open in a browser.
  std::string address() const;
};

/// 128 bits of chance, as letters.
std::string random_token();

/// What the page's own policy allows, from its head; and that nobody may frame it.
std::string policy_of(std::string_view page);

/// The whole response, after which the connection ends.
///
/// Only who asks for this very address by the name of this very machine gets the page. So no other site can: its own pages do not
/// know the token, and a name of its own that it points to this machine is in `http_request::host` (DNS rebinding).
std::string answer_to(const std::optional<http_request>& request, const page_offer& offer);

}  // namespace filch::cli
