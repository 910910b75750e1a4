// An HTTP/1.1 server that also computes, on one set of workers: files, a sum that uses all of them,
// a stream of events. On SIGTERM or SIGINT, answers that have begun finish, and streams end at
// their next event. A client that has not taken its answer three seconds later loses it.
#include <filch/algo.hpp>
#include <filch/co.hpp>
#include <filch/io.hpp>
#include <filch/stop.hpp>
#include <filch/sync.hpp>
#include <filch/timers.hpp>

#include <asio/buffer.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/read_until.hpp>
#include <asio/signal_set.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;
using filch::io::awaiting;

// -------------------------------------------------------------------------------------------------
// messages
struct request {
  std::string method, target;
  bool keeps_connection = true;
};

struct response {
  int status = 200;
  std::string_view type = "text/plain; charset=utf-8";
  std::string body;
};

constexpr std::size_t longest_head = 8192;

std::string_view reason(int status) {
  switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    default: return "Request Header Fields Too Large";
  }
}

bool is_same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::ranges::equal(a, b, {}, lower, lower);
}

std::string_view without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == text.npos ? std::string_view{} : text.substr(first, last - first + 1);
}

/// Takes the text up to `end` off the front of `rest`, and `end` with it.
std::string_view take_until(std::string_view& rest, std::string_view end) {
  const std::string_view taken = rest.substr(0, rest.find(end));
  rest.remove_prefix(std::min(rest.size(), taken.size() + end.size()));
  return taken;
}

bool is_listed(std::string_view word, std::string_view list) {
  while (!list.empty()) {
    if (is_same_word(without_blanks(take_until(list, ",")), word)) return true;
  }
  return false;
}

/// Other servers may take a line that is no field for a field, or for the end of the head, and take
/// what follows for another request.
bool is_field(std::string_view line) {
  const std::string_view name = line.substr(0, line.find(':'));
  return !name.empty() && name.size() < line.size() && name.find_first_of(" \t") == name.npos &&
         line.find_first_of(std::string_view{"\r\n\0", 3}) == line.npos;
}

/// Empty if the text is no request, or has a body, which this server does not take.
std::optional<request> parse(std::string_view head) {
  std::string_view line = take_until(head, "\r\n");
  request parsed;
  parsed.method = take_until(line, " ");
  parsed.target = take_until(line, " ");
  if (parsed.method.empty() || !parsed.target.starts_with('/') ||
      (line != "HTTP/1.1" && line != "HTTP/1.0"))
    return std::nullopt;
  const bool is_kept_unless_closed = line == "HTTP/1.1";
  bool asks_to_keep = false, asks_to_close = false;
  while (!head.empty()) {
    std::string_view field = take_until(head, "\r\n");
    if (field.empty()) break;
    if (!is_field(field)) return std::nullopt;
    const std::string_view name = take_until(field, ":"), value = without_blanks(field);
    if (is_same_word(name, "connection")) {
      asks_to_keep = asks_to_keep || is_listed("keep-alive", value);
      asks_to_close = asks_to_close || is_listed("close", value);
    }
    if (is_same_word(name, "transfer-encoding") ||
        (is_same_word(name, "content-length") && value != "0"))
      return std::nullopt;
  }
  parsed.keeps_connection = !asks_to_close && (is_kept_unless_closed || asks_to_keep);
  return parsed;
}

std::string head_of(const response& answer, bool keeps_connection) {
  return "HTTP/1.1 " + std::to_string(answer.status) + ' ' + std::string(reason(answer.status)) +
         "\r\nContent-Type: " + std::string(answer.type) +
         "\r\nContent-Length: " + std::to_string(answer.body.size()) +
         "\r\nConnection: " + (keeps_connection ? "keep-alive" : "close") + "\r\n\r\n";
}

// -------------------------------------------------------------------------------------------------
// what is served
// [compute]
bool is_prime(std::uint64_t n) {
  if (n < 2 || (n % 2 == 0 && n != 2)) return false;
  for (std::uint64_t divisor = 3; divisor * divisor <= n; divisor += 2) {
    if (n % divisor == 0) return false;
  }
  return true;
}

std::uint64_t count_primes_below(std::uint64_t end) {
  return filch::parallel_reduce(std::uint64_t{0}, end, std::uint64_t{0}, is_prime, std::plus<>{});
}
// [compute]

response primes(std::string_view number) {
  constexpr std::uint64_t most = 10'000'000;
  std::uint64_t end = 0;
  const auto [behind, error] = std::from_chars(number.data(), number.data() + number.size(), end);
  if (error != std::errc{} || behind != number.data() + number.size() || end > most) {
    return {.status = 400, .body = "/primes/N takes a number up to " + std::to_string(most) + "\n"};
  }
  return {.body = std::to_string(count_primes_below(end)) + "\n"};
}

std::string_view type_of(const std::filesystem::path& file) {
  constexpr std::pair<std::string_view, std::string_view> types[] = {
      {".html", "text/html; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".json", "application/json"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".txt", "text/plain; charset=utf-8"},
      {".md", "text/plain; charset=utf-8"}};
  for (const auto& [ending, type] : types) {
    if (file.extension() == ending) return type;
  }
  return "application/octet-stream";
}

/// Serves only regular files in the folder, even if a name leads out of it. Nothing else is opened:
/// opening a pipe would wait for a writer.
response file_in(const std::filesystem::path& folder, std::string_view target) {
  response none{.status = 404, .body = "nothing is called so here\n"};
  std::error_code error;
  std::filesystem::path wanted =
      std::filesystem::weakly_canonical(folder / target.substr(1), error);
  if (error) return none;
  if (std::filesystem::is_directory(wanted, error))
    wanted = std::filesystem::weakly_canonical(wanted / "index.html", error);
  const auto [end, _] = std::mismatch(folder.begin(), folder.end(), wanted.begin(), wanted.end());
  if (end != folder.end() || !std::filesystem::is_regular_file(wanted, error)) return none;
  std::ifstream file{wanted, std::ios::binary};
  const std::uintmax_t size = std::filesystem::file_size(wanted, error);
  if (!file || error) return none;
  std::string body(size, '\0');
  file.read(body.data(), static_cast<std::streamsize>(size));
  body.resize(static_cast<std::size_t>(file.gcount()));  // the file may have become shorter
  return {.type = type_of(wanted), .body = std::move(body)};
}

struct server {
  filch::io::context& io;
  std::filesystem::path folder;
  std::chrono::seconds patience;  ///< Limit for a request, from the end of the answer before.
};

filch::task<response> answer_to(const server& at, const request& asked) {
  if (asked.method != "GET" && asked.method != "HEAD")
    co_return response{.status = 405, .body = "GET or HEAD\n"};
  const std::string_view target = std::string_view{asked.target}.substr(0, asked.target.find('?'));
  if (target == "/hello") co_return response{.body = "hello\n"};
  if (target.starts_with("/primes/")) co_return primes(target.substr(8));
  const auto read = [&] { return file_in(at.folder, target); };
  co_return co_await filch::co::blocking(read);  // another thread has the worker's slot meanwhile
}

// -------------------------------------------------------------------------------------------------
// connections
filch::task<> write_answer(const server& at, tcp::socket& to, const request& asked) {
  const response answer = co_await answer_to(at, asked);
  const std::string head = head_of(answer, asked.keeps_connection);
  const std::string_view body = asked.method == "HEAD" ? std::string_view{} : answer.body;
  const std::array<asio::const_buffer, 2> both{asio::buffer(head), asio::buffer(body)};
  co_await filch::io::write(to, both, awaiting{at.io});
}

// [stream]
filch::task<> count_up(filch::channel<int>& numbers) {
  filch::interval beat{50ms};
  for (int i = 1; co_await numbers.send(i) == filch::send_result::sent; ++i) co_await beat.next();
}

filch::task<> write_events(const server& at, tcp::socket& to, std::stop_token ends) {
  const std::string_view head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
  co_await filch::io::write(to, asio::buffer(head), awaiting{at.io});
  filch::channel<int> numbers{1};
  filch::co::scope nursery;  // an exception (the client has gone) cancels the counter
  nursery.spawn(count_up(numbers));
  while (!ends.stop_requested()) {
    const std::optional<int> number = co_await numbers.receive();
    const std::string event = "data: " + std::to_string(*number) + "\n\n";
    co_await filch::io::write(to, asio::buffer(event), awaiting{at.io});
  }
  numbers.close();
  co_await nursery.join();
}
// [stream]

filch::task<> read_to_the_end(const server& at, tcp::socket& from) {
  std::array<char, 4096> unread;
  for (;;) co_await from.async_read_some(asio::buffer(unread), awaiting{at.io});
}

/// Refuses, then reads what still arrives: closing with unread data resets the connection, and the
/// answer would be lost on its way.
filch::task<> refuse(const server& at, tcp::socket& to, int status) {
  const std::string text = head_of({.status = status, .body = {}}, false);
  co_await filch::io::write(to, asio::buffer(text), awaiting{at.io});
  to.shutdown(tcp::socket::shutdown_send);
  co_await filch::with_timeout(read_to_the_end(at, to), 1s);
}

/// The length of the next head in `text`, at its front. 0: it is too long.
filch::task<std::size_t> read_head(const server& at, tcp::socket& from, std::string& text) {
  try {
    co_return co_await asio::async_read_until(from, asio::dynamic_buffer(text, longest_head),
                                              "\r\n\r\n", awaiting{at.io});
  } catch (const std::system_error& failed) {
    if (failed.code() != asio::error::not_found) throw;
  }
  co_return 0;
}

/// Whether the connection is kept.
filch::task<bool> serve_one(const server& at, tcp::socket& to, std::string head,
                            std::stop_token ends) {
  const std::optional<request> asked = parse(head);
  if (!asked) {
    co_await refuse(at, to, 400);
    co_return false;
  }
  if (asked->method == "GET" && asked->target == "/stream") {
    co_await write_events(at, to, ends);
    co_return false;
  }
  co_await write_answer(at, to, *asked);
  co_return asked->keeps_connection;
}

// [serve]
// A stop request ends the wait for a request. A request that has arrived is served by a task of its
// own, which is not asked to stop.
filch::task<> serve(const server& at, tcp::socket socket) {
  const std::stop_token ends = co_await filch::co::get_stop_token();
  std::string text;
  try {
    while (!ends.stop_requested()) {
      const auto length = co_await filch::with_timeout(read_head(at, socket, text), at.patience);
      if (!length) break;  // a silent client loses its connection
      if (*length == 0) co_return co_await refuse(at, socket, 431);
      std::string head = text.substr(0, *length);
      text.erase(0, *length);
      if (!co_await filch::spawn(serve_one(at, socket, std::move(head), ends))) break;
    }
  } catch (const filch::co::cancelled&) {
    // the server ends
  } catch (const std::system_error&) {
    // the other side has gone
  } catch (const std::exception& failed) {
    // Out of memory, for example; the other connections go on
    std::fprintf(stderr, "a connection: %s\n", failed.what());
  }
}

/// Empty if the system refuses a connection, as it does if the process has too many open.
filch::task<std::optional<tcp::socket>> accept_one(const server& at, tcp::acceptor& acceptor) {
  try {
    tcp::socket socket = co_await acceptor.async_accept(awaiting{at.io});
    socket.set_option(tcp::no_delay{true});
    co_return socket;
  } catch (const std::system_error& failed) {
    std::fprintf(stderr, "accept: %s\n", failed.what());
  }
  co_return std::nullopt;
}

filch::task<> listen(const server& at, tcp::acceptor& acceptor) {
  filch::co::scope connections{co_await filch::co::get_stop_token()};
  try {
    for (;;) {
      std::optional<tcp::socket> socket = co_await accept_one(at, acceptor);
      if (socket) {
        connections.spawn(serve(at, *std::move(socket)));
      } else {
        co_await filch::sleep_for(10ms);
      }
    }
  } catch (const filch::co::cancelled&) {
    acceptor.close();  // a client that connects now is refused, not left waiting
  }
  co_await connections.join();
}
// [serve]

filch::task<> until_terminated(filch::io::context& io, asio::signal_set& signals) {
  static_cast<void>(co_await signals.async_wait(awaiting{io}));
}

void run(const std::filesystem::path& folder, unsigned short port, std::chrono::seconds patience) {
  filch::io::context io;
  const server here{io, std::filesystem::canonical(folder), patience};
  tcp::acceptor acceptor{io.executor(), tcp::endpoint{asio::ip::address_v4::loopback(), port}};
  filch::thread_pool pool;
  io.attach(pool);
  // Before a client can know that the server is there
  asio::signal_set signals{io.executor(), SIGTERM, SIGINT};
  auto terminated = filch::spawn(pool, until_terminated(io, signals));
  auto serving = filch::spawn(pool, listen(here, acceptor));
  std::printf("http://localhost:%d/\n", acceptor.local_endpoint().port());
  std::fflush(stdout);
  filch::block_on(std::move(terminated));
  serving.cancel();
  // [stop]
  if (const filch::stop_report left = pool.stop(3s); !left.is_finished()) {
    std::fprintf(stderr, "left behind: %s\n", to_string(left).c_str());
    std::_Exit(1);  // the pool's destructor would wait for them
  }
  // [stop]
}

std::optional<unsigned short> number_of(std::string_view text) {
  unsigned short number = 0;
  const auto [behind, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && behind == text.data() + text.size() ? std::optional{number}
                                                                     : std::nullopt;
}

}  // namespace

int main(int count, char** arguments) {
  const auto port = number_of(count > 2 ? arguments[2] : "0");  // 0: one that is free
  const auto patience = number_of(count > 3 ? arguments[3] : "20");
  if (count < 2 || count > 4 || !port || !patience) {
    std::fprintf(stderr,
                 "usage: %s FOLDER [PORT [SECONDS]]\n"
                 "serves the files of FOLDER, /hello, /primes/N and /stream on this machine, to "
                 "clients that ask within SECONDS (20)\n",
                 arguments[0]);
    return 2;
  }
  try {
    run(arguments[1], *port, std::chrono::seconds{*patience});
  } catch (const std::exception& failed) {
    std::fprintf(stderr, "%s\n", failed.what());
    return 1;
  }
  return 0;
}
