#pragma once
// As much of HTTP as a scraper of metrics needs: one request at a time, GET of one page.
#include <functional>
#include <string>
#include <string_view>

namespace filch::cli {

struct http_answer {
  int status = 200;
  std::string_view type = "text/plain; charset=utf-8";
  std::string body;
};

/// What to answer to a request, of which `head` holds the first line and the headers; `page` makes what /metrics shows.
http_answer answer_to(std::string_view head, const std::function<http_answer()>& page);

/// Waits for requests at one address of this machine.
class http_server {
 public:
  /// `address` is as "127.0.0.1:9464"; with port 0 the system chooses one.
  /// Throws: `std::invalid_argument` where it makes no sense; `std::system_error` naming it where the system refuses.
  explicit http_server(const std::string& address);
  ~http_server();
  http_server(const http_server&) = delete;
  http_server& operator=(const http_server&) = delete;

  /// "127.0.0.1:9464"
  const std::string& address() const noexcept { return address_; }
  /// Answers the next request. Who does not send one within seconds, or a longer one than anybody needs, gets nothing.
  void serve_one(const std::function<http_answer()>& page) const;

 private:
  int socket_;
  std::string address_;
};

}  // namespace filch::cli
