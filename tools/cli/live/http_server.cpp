#include <arpa/inet.h>
#include <filch/base/clock.hpp>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <tools/cli/live/http_server.hpp>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <stdexcept>
#include <system_error>

namespace filch::cli {

namespace {

constexpr std::size_t longest_head = 8192;
constexpr timeval patience{.tv_sec = 5, .tv_usec = 0};

sockaddr_in parse_address(const std::string& text) {
  sockaddr_in parsed{};
  parsed.sin_family = AF_INET;
  const std::size_t colon = text.find(':');
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto number = colon == text.npos ? std::from_chars_result{text.data(), std::errc::invalid_argument}
                                         : std::from_chars(text.data() + colon + 1, end, port);
  if (number.ec != std::errc{} || number.ptr != end ||
      ::inet_pton(AF_INET, text.substr(0, colon).c_str(), &parsed.sin_addr) != 1) {
    throw std::invalid_argument(fmt::format("{} is no address; write one as 127.0.0.1:9464", text));
  }
  parsed.sin_port = htons(port);
  return parsed;
}

/// A connection, closed with it.
class connection {
 public:
  explicit connection(int listener) : socket_{::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC)} {
    if (socket_ < 0) return;
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  }
  ~connection() {
    if (socket_ >= 0) ::close(socket_);
  }
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  /// Up to the empty line; nothing where that does not come in time.
  std::string read_head() const {
    std::string head;
    std::array<char, 1024> part;
    const std::uint64_t end_ns = base::now_ns() + std::uint64_t{patience.tv_sec} * 1'000'000'000;
    while (head.size() < longest_head && base::now_ns() < end_ns) {
      const ssize_t count = ::recv(socket_, part.data(), part.size(), 0);
      if (count <= 0) return {};
      head.append(part.data(), static_cast<std::size_t>(count));
      if (head.find("\r\n\r\n") != head.npos) return head;
    }
    return {};
  }
  void write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (count <= 0) return;  // whoever asked has gone
      text.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  bool is_open() const noexcept { return socket_ >= 0; }

 private:
  int socket_;
};

std::string_view reason_of(int status) {
  switch (status) {
    case 200: return "OK";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 503: return "Service Unavailable";
    default: return "Bad Request";
  }
}

}  // namespace

http_answer answer_to(std::string_view head, const std::function<http_answer()>& page) {
  const std::string_view line = head.substr(0, head.find("\r\n"));
  const std::size_t method_end = line.find(' '), target_end = line.rfind(' ');
  if (method_end == line.npos || target_end == method_end || !line.substr(target_end + 1).starts_with("HTTP/1."))
    return {.status = 400, .body = "this is no request\n"};
  const std::string_view target = line.substr(method_end + 1, target_end - method_end - 1);
  if (line.substr(0, method_end) != "GET") return {.status = 405, .body = "only GET is answered\n"};
  if (target.substr(0, target.find('?')) != "/metrics") return {.status = 404, .body = "the page is /metrics\n"};
  return page();
}

http_server::http_server(const std::string& address) {
  sockaddr_in at = parse_address(address);
  auto* const generic = reinterpret_cast<sockaddr*>(&at);
  socklen_t size = sizeof at;
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  if (socket_ < 0 || ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
      ::bind(socket_, generic, size) != 0 || ::listen(socket_, 16) != 0 || ::getsockname(socket_, generic, &size) != 0) {
    const int error = errno;
    if (socket_ >= 0) ::close(socket_);
    throw std::system_error(error, std::generic_category(), "cannot listen at " + address);
  }
  address_ = fmt::format("{}:{}", address.substr(0, address.find(':')), ntohs(at.sin_port));
}

http_server::~http_server() { ::close(socket_); }

void http_server::serve_one(const std::function<http_answer()>& page) const {
  const connection from{socket_};
  if (!from.is_open()) return;
  const std::string head = from.read_head();
  if (head.empty()) return;
  const http_answer answer = answer_to(head, page);
  from.write(fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", answer.status,
                         reason_of(answer.status), answer.type, answer.body.size()));
  from.write(answer.body);
}

}  // namespace filch::cli
