#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <tools/cli/live/http_server.hpp>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace {

using filch::cli::answer_to;
using filch::cli::http_answer;
using filch::cli::http_server;

http_answer page() { return {.body = "hello\n"}; }

TEST(http, only_get_of_the_page_is_answered) {
  EXPECT_EQ(answer_to("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", page).body, "hello\n");
  EXPECT_EQ(answer_to("GET /metrics?x=1 HTTP/1.0\r\n\r\n", page).status, 200);
  EXPECT_EQ(answer_to("GET / HTTP/1.1\r\n\r\n", page).status, 404);
  EXPECT_EQ(answer_to("GET /metrics/../etc/passwd HTTP/1.1\r\n\r\n", page).status, 404);
  EXPECT_EQ(answer_to("POST /metrics HTTP/1.1\r\n\r\n", page).status, 405);
  for (const char* text : {"", "\r\n\r\n", "GET", "GET /metrics", "GET /metrics FTP/1", " HTTP/1.1", "GET HTTP/1.1\r\n\r\n"})
    EXPECT_EQ(answer_to(text, page).status, 400) << text;
}

TEST(http, addresses_that_make_no_sense_are_refused) {
  for (const char* text :
       {"", "9464", "localhost:9464", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:70000", "1.2.3:4"})
    EXPECT_THROW(http_server{text}, std::invalid_argument) << text;
  const http_server first{"127.0.0.1:0"};
  try {
    const http_server second{first.address()};
    FAIL() << "two at one address";
  } catch (const std::system_error& refused) {
    EXPECT_NE(std::string{refused.what()}.find(first.address()), std::string::npos) << refused.what();
  }
}

/// What the server at `address` answers to `request`.
std::string ask(const std::string& address, const std::string& request) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  at.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(address.find(':') + 1))));
  const int connected = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(::connect(connected, reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
  EXPECT_EQ(::send(connected, request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
  ::shutdown(connected, SHUT_WR);
  std::string answer;
  std::array<char, 512> part;
  for (ssize_t count = 0; (count = ::recv(connected, part.data(), part.size(), 0)) > 0;)
    answer.append(part.data(), static_cast<std::size_t>(count));
  ::close(connected);
  return answer;
}

TEST(http, requests_are_answered_one_after_the_other_and_half_ones_dropped) {
  const http_server server{"127.0.0.1:0"};
  std::thread serving{[&] {
    for (int i = 0; i < 3; ++i) server.serve_one(page);
  }};
  EXPECT_EQ(
      ask(server.address(), "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"),
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 6\r\nConnection: close\r\n\r\nhello\n");
  EXPECT_EQ(ask(server.address(), "GET /metrics HTT"), "");
  EXPECT_TRUE(ask(server.address(), "GET /favicon.ico HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 404 Not Found\r\n"));
  serving.join();
}

}  // namespace
