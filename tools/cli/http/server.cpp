#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <tools/cli/http/address.hpp>
#include <tools/cli/http/server.hpp>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>
#include <utility>
#include <vector>

namespace filch::cli {
namespace {

constexpr std::size_t longest_head = 16 * 1024;
// Enough for a browser or two; then the oldest connection without a request is closed
constexpr std::size_t most_connections = 32;
// With a client that takes nothing of its answer
constexpr std::chrono::seconds patience{10};
constexpr int look_up_ms = 1000;  // whether it is over, while no request comes

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// A client that connected, what it has sent so far, and what of the answer it has yet to take.
struct connection {
  file_descriptor socket;
  std::string heard, answer;
  std::size_t sent = 0;
  std::chrono::steady_clock::time_point took_last{};

  bool is_answered() const noexcept { return !answer.empty(); }
  short waits_for() const noexcept { return is_answered() ? POLLOUT : POLLIN; }
};

sockaddr* as_address(sockaddr_in& from) { return reinterpret_cast<sockaddr*>(&from); }

file_descriptor listener_at(const std::string& address) {
  sockaddr_in here = parse_address(address);
  const std::string what = "cannot listen at " + address;
  file_descriptor made{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), what};
  const int yes = 1;
  if (::setsockopt(made.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
      ::bind(made.get(), as_address(here), sizeof here) != 0 ||
      ::listen(made.get(), most_connections) != 0) {
    fail(what);
  }
  return made;
}

unsigned port_of(const file_descriptor& socket) {
  sockaddr_in here{};
  socklen_t size = sizeof here;
  if (::getsockname(socket.get(), as_address(here), &size) != 0) fail("cannot ask for the port");
  return ntohs(here.sin_port);
}

/// Readable once one of the two signals has come, which then do nothing else while this exists.
class interruption {
 public:
  interruption()
      : before_{block()},
        signals_{::signalfd(-1, &ours(), SFD_CLOEXEC), "cannot wait for signals"} {}
  ~interruption() {
    signalfd_siginfo taken;  // else it would strike when it is let through again
    if (has_come_) static_cast<void>(::read(signals_.get(), &taken, sizeof taken));
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  interruption(const interruption&) = delete;
  interruption& operator=(const interruption&) = delete;

  pollfd watch() const noexcept { return {signals_.get(), POLLIN, 0}; }
  void note_that_it_came() noexcept { has_come_ = true; }

 private:
  static const sigset_t& ours() {
    static const sigset_t both = [] {
      sigset_t made;
      sigemptyset(&made);
      sigaddset(&made, SIGINT);
      sigaddset(&made, SIGTERM);
      return made;
    }();
    return both;
  }
  static sigset_t block() {
    sigset_t before;
    ::pthread_sigmask(SIG_BLOCK, &ours(), &before);
    return before;
  }

  sigset_t before_;
  file_descriptor signals_;
  bool has_come_ = false;
};

/// Sends as much as the system takes. True: that is all, or they are gone.
bool send_more(connection& to) {
  while (to.sent != to.answer.size()) {
    const ssize_t sent = ::send(to.socket.get(), to.answer.data() + to.sent,
                                to.answer.size() - to.sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return errno != EAGAIN;
    to.sent += static_cast<std::size_t>(sent);
    to.took_last = std::chrono::steady_clock::now();
  }
  return true;
}

/// Reads what has come, and begins to answer once that is a whole head. True: this connection is
/// done.
bool hear(connection& to, const http_server::answerer& answer) {
  std::array<char, 4096> bytes;
  const ssize_t got = ::recv(to.socket.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (got < 0) return errno != EAGAIN && errno != EINTR;
  to.heard.append(bytes.data(), static_cast<std::size_t>(got));
  const std::size_t end = to.heard.find("\r\n\r\n");
  if (end == to.heard.npos && got > 0 && to.heard.size() <= longest_head) return false;
  if (to.heard.empty()) return true;
  const auto request =
      end == to.heard.npos ? std::nullopt : parse_head(std::string_view{to.heard}.substr(0, end));
  to.answer = to_wire(answer(request), !request || request->method != "HEAD");
  to.took_last = std::chrono::steady_clock::now();
  return send_more(to);
}

/// True: this connection is done.
bool attend(connection& to, bool is_ready, const http_server::answerer& answer) {
  if (is_ready) return to.is_answered() ? send_more(to) : hear(to, answer);
  if (!to.is_answered() || std::chrono::steady_clock::now() - to.took_last <= patience)
    return false;
  // Poll waits for more room than send
  return send_more(to) || std::chrono::steady_clock::now() - to.took_last > patience;
}

void let_in(std::vector<connection>& all, const file_descriptor& listener) {
  const int number = ::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC);
  if (number < 0) return;  // gone again, or too many files open: the client may retry
  if (all.size() == most_connections) {
    const auto silent = std::ranges::find_if_not(all, &connection::is_answered);
    all.erase(silent == all.end() ? all.begin() : silent);
  }
  all.push_back({file_descriptor{number, "cannot accept"}, {}, {}});
}

}  // namespace

file_descriptor::file_descriptor(int number, const std::string& what) : number_{number} {
  if (number < 0) fail(what);
}

file_descriptor::~file_descriptor() {
  if (number_ >= 0) ::close(number_);
}

file_descriptor& file_descriptor::operator=(file_descriptor&& from) noexcept {
  std::swap(number_, from.number_);
  return *this;
}

http_server::http_server(const std::string& address)
    : listener_{listener_at(address)},
      port_{port_of(listener_)},
      address_{fmt::format("{}:{}", address.substr(0, address.find(':')), port_)} {}

void http_server::serve(const answerer& answer, const std::function<bool()>& is_over) {
  interruption interrupted;
  std::vector<connection> connections;
  for (std::vector<pollfd> watched;;) {
    watched = {interrupted.watch(), {listener_.get(), POLLIN, 0}};
    for (const connection& each : connections)
      watched.push_back({each.socket.get(), each.waits_for(), 0});
    const int ready = ::poll(watched.data(), watched.size(), look_up_ms);
    if (ready < 0 && errno != EINTR) fail("cannot wait for requests");
    if (ready == 0 && is_over()) return;
    if (watched[0].revents != 0) return interrupted.note_that_it_came();
    std::vector<connection> open;
    for (std::size_t i = 0; i < connections.size(); ++i) {
      const bool is_done = attend(connections[i], watched[i + 2].revents != 0, answer);
      if (is_done && is_over()) return;
      if (!is_done) open.push_back(std::move(connections[i]));
    }
    connections = std::move(open);
    if (watched[1].revents != 0) let_in(connections, listener_);
  }
}

}  // namespace filch::cli
