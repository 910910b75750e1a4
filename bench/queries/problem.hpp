#pragma once
// Queries: a server whose handler computes. A client keeps one query open on each of 32
// connections, 3,200 in all; an answer takes some 130 us of one processor. The client is a thread
// with plain sockets and `poll`, the same for each server. Prints the median and the 99th
// percentile, too.
#include <bench/harness/contender.hpp>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>
#include <vector>

namespace bench::queries {

inline constexpr identity as(const char* peer) {
  return {.problem = "queries", .peer = peer, .size = 3200, .variant = "32"};
}
inline constexpr const char* case_rule = "--case is a number of connections, --size one of queries";

/// A query and its answer, as they go over a connection.
using message = std::array<char, sizeof(std::uint64_t)>;
inline std::uint64_t number_in(const message& text) {
  return __builtin_bit_cast(std::uint64_t, text);
}
inline message text_of(std::uint64_t number) { return __builtin_bit_cast(message, number); }

/// One of the terms of an answer: some microsecond that touch no memory.
inline std::uint64_t term(std::uint64_t i) {
  for (int step = 0; step != 1000; ++step) i = i * 6364136223846793005U + 1442695040888963407U;
  return i;
}
inline constexpr std::uint64_t term_count = 130;

/// The answer to `query`, on one thread.
inline std::uint64_t serial_answer(std::uint64_t query) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i != term_count; ++i) sum += term(query + i);
  return sum;
}

/// What `--case` asks for; 0 if that makes no sense.
inline std::size_t connections_of(const std::string& text) {
  std::size_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [behind, error] = std::from_chars(text.data(), end, count);
  return error == std::errc{} && behind == end && count <= 1000 ? count : 0;
}

/// Nearest rank. Sorts.
inline double percentile(std::vector<double>& all, double percent) {
  if (all.empty()) return 0;
  std::sort(all.begin(), all.end());
  const auto rank = static_cast<std::size_t>(percent / 100 * static_cast<double>(all.size()));
  return all[std::min(rank, all.size() - 1)];
}

/// The other side of all connections to `port` of this machine.
class client {
 public:
  client(std::uint16_t port, std::size_t connections) {
    for (std::size_t i = 0; i != connections; ++i) {
      sockets_.push_back({connect_to(port), POLLIN, 0});
      sent_at_.push_back(0);
    }
    for (std::uint64_t query = 0; query != kinds; ++query) expected_[query] = serial_answer(query);
  }
  client(const client&) = delete;
  client& operator=(const client&) = delete;
  ~client() {
    for (const pollfd& each : sockets_) ::close(each.fd);
  }

  /// Sends `count` queries, each connection the next one when it has its answer. Returns how many
  /// were wrong or lost.
  std::size_t ask(std::size_t count) {
    std::size_t sent = 0, answered = 0;
    wrong_ = 0;
    latencies_us_.clear();
    for (; sent != std::min(count, sockets_.size()); ++sent) send_query(sent);
    while (answered != sent && wrong_ == 0) {
      if (::poll(sockets_.data(), sockets_.size(), 10'000) <= 0) break;
      for (std::size_t i = 0; i != sockets_.size(); ++i) {
        if (sockets_[i].revents == 0) continue;
        take_answer(i);
        ++answered;
        if (sent != count) {
          send_query(i);
          ++sent;
        }
      }
    }
    return wrong_ + (count - answered);
  }
  std::vector<double>& latencies_us() { return latencies_us_; }

 private:
  static constexpr std::uint64_t kinds = 16;

  static int connect_to(std::uint16_t port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in server{};
    server.sin_family = AF_INET;
    server.sin_port = htons(port);
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int yes = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&server), sizeof server) != 0) {
      throw std::system_error(errno, std::generic_category(), "no connection to the server");
    }
    return fd;
  }
  void send_query(std::size_t i) {
    const message text = text_of(i % kinds);
    sent_at_[i] = now_seconds();
    const ssize_t sent = ::send(sockets_[i].fd, text.data(), text.size(), 0);
    if (sent != static_cast<ssize_t>(text.size())) ++wrong_;
  }
  void take_answer(std::size_t i) {
    message text;
    const ssize_t got = ::recv(sockets_[i].fd, text.data(), text.size(), MSG_WAITALL);
    const bool is_whole = got == static_cast<ssize_t>(text.size());
    if (!is_whole || number_in(text) != expected_[i % kinds]) ++wrong_;
    latencies_us_.push_back((now_seconds() - sent_at_[i]) * 1e6);
  }

  std::vector<pollfd> sockets_;
  std::vector<double> sent_at_;
  std::vector<double> latencies_us_;
  std::array<std::uint64_t, kinds> expected_{};
  std::size_t wrong_ = 0;
};

/// Queries the server at `port` as often as asked, after a few queries that do not count.
template <class Contender>
void measure(Contender& me, std::uint16_t port) {
  client asking{port, connections_of(me.variant())};
  const auto count = me.template size<std::size_t>();
  asking.ask(count / 10);
  for (unsigned i = 0; i != me.repeat(); ++i) {
    const double begin = now_seconds();
    const std::size_t lost = asking.ask(count);
    const double seconds = now_seconds() - begin;
    me.report({{"seconds", seconds},
               {"p50_us", percentile(asking.latencies_us(), 50)},
               {"p99_us", percentile(asking.latencies_us(), 99)}},
              lost == 0 ? "" : std::to_string(lost) + " queries were not answered, or wrongly");
  }
}

}  // namespace bench::queries
