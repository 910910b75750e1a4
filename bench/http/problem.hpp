#pragma once
// HTTP: a server that says hello, and wrk, which asks it over a number of connections, one request
// at a time on each. wrk is a process of its own, on the same processors.
#include <sys/resource.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>

namespace bench::http {

inline constexpr std::int64_t default_seconds = 2;
inline constexpr const char* default_connections = "16";
inline constexpr std::string_view end_of_head = "\r\n\r\n";
inline constexpr std::string_view answer =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
    "6\r\n\r\nhello\n";
inline constexpr const char* case_rule =
    "--case is a number of connections, and --size one of seconds";

/// What `--case` asks for; 0 if that makes no sense.
inline unsigned connections_of(const std::string& text) {
  unsigned count = 0;
  const char* const end = text.data() + text.size();
  const auto [behind, error] = std::from_chars(text.data(), end, count);
  return error == std::errc{} && behind == end && count <= 1000 ? count : 0;
}

/// Processor time of this process, in seconds.
inline double own_cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// What wrk says of a server at `port` of this machine.
inline std::string said_by_wrk(unsigned short port, unsigned connections, std::int64_t seconds) {
  const std::string command = "wrk --threads 1 --connections " + std::to_string(connections) +
                              " --duration " + std::to_string(seconds) +
                              " http://127.0.0.1:" + std::to_string(port) + "/hello 2>&1";
  std::string said;
  std::FILE* const output = ::popen(command.c_str(), "r");
  if (output == nullptr) return said;
  std::array<char, 4096> part;
  while (const std::size_t length = std::fread(part.data(), 1, part.size(), output))
    said.append(part.data(), length);
  ::pclose(output);
  return said;
}

/// How many requests were answered, all of them as they should be, in how many seconds; 0 where
/// not.
struct load {
  double requests = 0, seconds = 0;
};
inline load load_of(const std::string& said) {
  load found;
  const std::size_t at = said.find(" requests in ");
  const bool has_errors =
      said.find("Socket errors") != said.npos || said.find("Non-2xx") != said.npos;
  if (at == said.npos || has_errors) return found;
  const std::size_t begin = said.rfind(' ', at - 1) + 1;
  found.requests = std::stod(said.substr(begin, at - begin));
  found.seconds = std::stod(said.substr(at + 13));
  return found;
}

/// As often as asked: loads the server at `port`, and reports the time between two answers and the
/// processor time for each, without wrk's.
template <class Contender>
void measure(Contender& me, unsigned short port) {
  for (unsigned i = 0; i != me.repeat(); ++i) {
    const double before = own_cpu_seconds();
    const std::string said = said_by_wrk(port, connections_of(me.variant()), me.size());
    const double cpu = own_cpu_seconds() - before;
    const load seen = load_of(said);
    const bool is_sound = seen.requests > 0 && seen.seconds > 0;
    me.report({{"seconds", is_sound ? seen.seconds / seen.requests : 0},
               {"cpu_us_a_request", is_sound ? cpu / seen.requests * 1e6 : 0}},
              is_sound ? "" : "wrk was not served as it should be, or is not installed: " + said);
  }
}

}  // namespace bench::http
