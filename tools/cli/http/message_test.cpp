// Heads that are heads, and those that are none.
#include <gtest/gtest.h>
#include <tools/cli/http/message.hpp>

namespace {

using namespace filch::cli;

TEST(http_message, a_head_gives_the_target_and_the_host) {
  const auto asked = parse_head("GET /a?b HTTP/1.1\r\nAccept: */*\r\nhOST:  127.0.0.1:80 ");
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->method, "GET");
  EXPECT_EQ(asked->target, "/a?b");
  EXPECT_EQ(asked->host, "127.0.0.1:80");
  EXPECT_EQ(parse_head("GET / HTTP/1.0")->host, "");
}

TEST(http_message, what_is_no_head_is_nothing) {
  for (const char* head : {"", " ", "\r\n", "GET", "GET / ", "GET / SMTP", "GET /", " HTTP/1.1",
                           "GET HTTP/1.1", "GET / FTP/1"})
    EXPECT_FALSE(parse_head(head)) << head;
}

TEST(http_message, two_hosts_are_none) {
  EXPECT_FALSE(parse_head("GET / HTTP/1.1\r\nHost: localhost:4321\r\nHOST: evil.example"));
}

TEST(http_message, a_response_tells_its_length_also_without_its_body) {
  const http_response response{.body = "hello"};
  const std::string whole = to_wire(response), head = to_wire(response, false);
  EXPECT_TRUE(whole.starts_with(
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 5\r\n"))
      << whole;
  EXPECT_EQ(whole, head + "hello");
  EXPECT_TRUE(head.ends_with("\r\n\r\n")) << head;
  EXPECT_NE(to_wire(refusal(405, "Allow: GET\r\n"))
                .find("\r\nAllow: GET\r\n\r\n405 Method Not Allowed\n"),
            std::string::npos);
}

}  // namespace
