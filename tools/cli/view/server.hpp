#pragma once
#include <tools/cli/view/answer.hpp>

namespace filch::cli {

/// A socket or its like, closed when this goes.
class file_descriptor {
 public:
  /// Throws: `std::system_error` naming `what`, where `number` says that there is none.
  file_descriptor(int number, const char* what);
  ~file_descriptor();
  file_descriptor(file_descriptor&& from) noexcept : number_{from.number_} { from.number_ = -1; }
  file_descriptor& operator=(file_descriptor&& from) noexcept;

  int get() const noexcept { return number_; }

 private:
  int number_;
};

/// Offers one page to the browsers of this machine, until it is interrupted.
///
/// Threads: none of its own. It sleeps in poll() and reads what has come; who connects and says nothing holds up nobody.
class page_server {
 public:
  /// Listens on 127.0.0.1, at a port that the system chooses. Throws: `std::system_error`.
  explicit page_server(std::string page);

  const page_offer& offer() const noexcept { return offer_; }
  /// Answers until SIGINT or SIGTERM comes. Throws: `std::system_error`.
  void serve_until_interrupted();

 private:
  page_offer offer_;
  file_descriptor listener_;
};

}  // namespace filch::cli
