#pragma once
// Who gets the page that `filch view` offers, and who does not.
#include <tools/cli/http/message.hpp>

namespace filch::cli {

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

/// Only who asks for this very address by the name of this very machine gets the page. So no other
/// site can: its own pages do not know the token, and a name of its own that it points to this
/// machine is in `http_request::host` (DNS rebinding).
http_response answer_to(const std::optional<http_request>& request, const page_offer& offer);

}  // namespace filch::cli
