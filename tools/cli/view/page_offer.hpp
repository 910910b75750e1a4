#pragma once
// Which requests get the page that `filch view` offers.
#include <tools/cli/http/message.hpp>

namespace filch::cli {

/// The page that is offered, and how one gets it.
struct page_offer {
  std::string page;
  std::string token;  ///< A client without it gets nothing.
  unsigned port = 0;

  /// What to open in a browser.
  std::string address() const;
};

/// 128 bits of chance, as letters.
std::string random_token();

/// What the page's own policy allows, from its head; and that no other page may frame it.
std::string policy_of(std::string_view page);

/// Gives the page only to a request for this address by a name of this machine. So no other site
/// gets it: its pages do not know the token, and a name of its own that it points to this machine
/// shows in `http_request::host` (DNS rebinding).
http_response answer_to(const std::optional<http_request>& request, const page_offer& offer);

}  // namespace filch::cli
