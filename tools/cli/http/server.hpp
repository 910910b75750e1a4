#pragma once
#include <tools/cli/http/message.hpp>

#include <functional>

namespace filch::cli {

/// A socket or its like, closed when this goes.
class file_descriptor {
 public:
  /// Throws: `std::system_error` naming `what`, if `number` says that there is none.
  file_descriptor(int number, const std::string& what);
  ~file_descriptor();
  file_descriptor(file_descriptor&& from) noexcept : number_{from.number_} { from.number_ = -1; }
  file_descriptor& operator=(file_descriptor&& from) noexcept;

  int get() const noexcept { return number_; }

 private:
  int number_;
};

/// Answers requests at one address of this machine.
///
/// Threads: none of its own. It sleeps in poll(), reads what has come and sends what is taken, so a
/// client that is silent or reads slowly does not delay the others. A client that takes nothing for
/// ten seconds loses the rest.
class http_server {
 public:
  /// The answer to a request; without one, the answer to a malformed request.
  using answerer = std::function<http_response(const std::optional<http_request>&)>;

  /// `address` is as "127.0.0.1:9464"; with port 0 the system chooses one.
  /// Throws: `std::invalid_argument` if the address makes no sense; `std::system_error` naming it
  /// if the system refuses it.
  explicit http_server(const std::string& address);

  /// "127.0.0.1:9464"
  const std::string& address() const noexcept { return address_; }
  unsigned port() const noexcept { return port_; }

  /// Answers until SIGINT or SIGTERM comes, or `is_over` returns true. It is called after each
  /// answer, and once a second while no request comes.
  /// Throws: `std::system_error`.
  void serve(
      const answerer& answer, const std::function<bool()>& is_over = [] { return false; });

 private:
  file_descriptor listener_;
  unsigned port_;
  std::string address_;
};

}  // namespace filch::cli
