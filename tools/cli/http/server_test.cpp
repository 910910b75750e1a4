#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <tools/cli/http/server.hpp>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace {

using filch::cli::http_request;
using filch::cli::http_response;
using filch::cli::http_server;
using filch::cli::refusal;

TEST(http, addresses_that_make_no_sense_are_refused) {
  for (const char* text : {"", "9464", "localhost:9464", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x",
                           "127.0.0.1:70000", "1.2.3:4"})
    EXPECT_THROW(http_server{text}, std::invalid_argument) << text;
  const http_server first{"127.0.0.1:0"};
  try {
    const http_server second{first.address()};
    FAIL() << "two at one address";
  } catch (const std::system_error& refused) {
    EXPECT_NE(std::string{refused.what()}.find(first.address()), std::string::npos)
        << refused.what();
  }
}

sockaddr_in address_of(const std::string& text) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  at.sin_port = htons(static_cast<std::uint16_t>(std::stoi(text.substr(text.find(':') + 1))));
  return at;
}

int connect_to(const std::string& address) {
  const sockaddr_in at = address_of(address);
  const int connected = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(::connect(connected, reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
  return connected;
}

void say(int connected, const std::string& request) {
  EXPECT_EQ(::send(connected, request.data(), request.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(request.size()));
  ::shutdown(connected, SHUT_WR);
}

std::string hear_out(int connected) {
  std::string answer;
  std::array<char, 512> part;
  for (ssize_t count = 0; (count = ::recv(connected, part.data(), part.size(), 0)) > 0;)
    answer.append(part.data(), static_cast<std::size_t>(count));
  ::close(connected);
  return answer;
}

/// What the server at `address` answers to `request`.
std::string ask(const std::string& address, const std::string& request) {
  const int connected = connect_to(address);
  say(connected, request);
  return hear_out(connected);
}

TEST(http, requests_are_answered_in_turn_until_it_is_over) {
  http_server server{"127.0.0.1:0"};
  int left = 4;
  std::thread serving{[&] {
    const auto greet = [&](const std::optional<http_request>& asked) {
      --left;
      return !asked ? refusal(400)
                    : http_response{.body = asked->method + " " + asked->target + "\n"};
    };
    server.serve(greet, [&] { return left == 0; });
  }};
  const int silent = connect_to(server.address());  // and delays no other client
  EXPECT_TRUE(ask(server.address(), "GET /here HTTP/1.1\r\nHost: x\r\n\r\n")
                  .ends_with("\r\n\r\nGET /here\n"));
  EXPECT_TRUE(ask(server.address(), "HEAD / HTTP/1.1\r\n\r\n").ends_with("\r\n\r\n"));
  EXPECT_TRUE(ask(server.address(), "GET /here HTT").starts_with("HTTP/1.1 400 Bad Request\r\n"));
  EXPECT_TRUE(
      ask(server.address(), std::string(20'000, 'x')).starts_with("HTTP/1.1 400 Bad Request\r\n"));
  serving.join();
  ::close(silent);
}

// And the slow client gets all of it, though others were served meanwhile.
TEST(http, a_slow_reader_holds_up_nobody) {
  http_server server{"127.0.0.1:0"};
  const std::string much(std::size_t{16} << 20, 'x');
  int left = 4;
  std::thread serving{[&] {
    const auto give = [&](const std::optional<http_request>& asked) {
      --left;
      return http_response{.body = asked && asked->target == "/much" ? much : "little\n"};
    };
    server.serve(give, [&] { return left == 0; });
  }};
  const int slow = connect_to(server.address());
  say(slow, "GET /much HTTP/1.1\r\n\r\n");
  for (int i = 0; i < 2; ++i)
    EXPECT_TRUE(
        ask(server.address(), "GET /little HTTP/1.1\r\n\r\n").ends_with("\r\n\r\nlittle\n"));
  EXPECT_TRUE(hear_out(slow).ends_with("\r\n\r\n" + much));
  EXPECT_TRUE(ask(server.address(), "GET /little HTTP/1.1\r\n\r\n").ends_with("\r\n\r\nlittle\n"));
  serving.join();
}

TEST(http, it_ends_when_it_is_over_though_nobody_asks_for_anything) {
  http_server server{"127.0.0.1:0"};
  int looks = 0;
  server.serve([](const auto&) { return refusal(404); }, [&] { return ++looks == 2; });
  EXPECT_EQ(looks, 2);
}

}  // namespace
