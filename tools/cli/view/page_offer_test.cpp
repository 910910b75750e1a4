// Which requests get the page.
#include <gtest/gtest.h>
#include <tools/cli/view/page_offer.hpp>
#include <tools/viewer/pages.hpp>

namespace {

using namespace filch::cli;

const page_offer offer{
    R"(<meta http-equiv="Content-Security-Policy" content="default-src 'none'">hello)", "secret",
    4321};

std::string answer(std::string_view head) { return to_wire(answer_to(parse_head(head), offer)); }
bool is_refused(const std::string& said, std::string_view status) {
  return said.starts_with("HTTP/1.1 " + std::string{status}) && said.find("hello") == said.npos &&
         said.find("secret") == said.npos;
}

TEST(page_offer, gives_the_page_to_a_client_that_knows_the_address) {
  for (const char* host : {"127.0.0.1:4321", "localhost:4321"}) {
    const std::string said = answer("GET /secret/ HTTP/1.1\r\nHost:  " + std::string{host});
    EXPECT_TRUE(said.starts_with("HTTP/1.1 200 OK\r\n")) << said;
    EXPECT_TRUE(said.ends_with("\r\n\r\n" + offer.page)) << said;
    EXPECT_NE(said.find("Content-Length: " + std::to_string(offer.page.size()) + "\r\n"),
              said.npos);
    EXPECT_NE(
        said.find("\r\nContent-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n"),
        said.npos)
        << said;
  }
}

TEST(page_offer, refuses_another_name_of_this_machine) {
  for (const char* host :
       {"evil.example:4321", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:4321.evil.example", ""}) {
    EXPECT_TRUE(is_refused(answer("GET /secret/ HTTP/1.1\r\nHost: " + std::string{host}), "403"))
        << host;
  }
  EXPECT_TRUE(is_refused(answer("GET /secret/ HTTP/1.1"), "403"));
}

TEST(page_offer, refuses_a_client_that_does_not_know_the_token) {
  for (const char* target : {"/", "/secre/", "/secret", "/secret/x", "/SECRET/", "//secret/"}) {
    EXPECT_TRUE(is_refused(
        answer("GET " + std::string{target} + " HTTP/1.1\r\nHost: localhost:4321"), "404"))
        << target;
  }
}

TEST(page_offer, changes_nothing_for_anybody) {
  EXPECT_TRUE(is_refused(answer("POST /secret/ HTTP/1.1\r\nHost: localhost:4321"), "405"));
}

TEST(page_offer, refuses_what_is_no_request) {
  EXPECT_TRUE(is_refused(answer("GET /secret/"), "400"));
}

TEST(page_offer, tokens_differ) {
  EXPECT_EQ(random_token().size(), 32u);
  EXPECT_NE(random_token(), random_token());
}

TEST(page_offer, the_pages_bring_their_policy) {
  EXPECT_NE(policy_of(filch::viewer::report_page()).find("script-src 'sha256-"), std::string::npos);
  EXPECT_EQ(policy_of("no page"), "default-src 'none'; frame-ancestors 'none'");
}

}  // namespace
