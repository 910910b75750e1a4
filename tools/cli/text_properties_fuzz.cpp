#include <arpa/inet.h>
#include <filch/base/text_property_fuzz.hpp>
#include <filch/span/observation.hpp>
#include <filch/trace/layout.hpp>
#include <filch/trace/options.hpp>
#include <filch/trace/process_files.hpp>
#include <tools/cli/http/address.hpp>
#include <tools/cli/http/message.hpp>
#include <tools/cli/recordings/limits.hpp>
#include <tools/cli/recordings/load.hpp>
#include <tools/cli/recordings/page/json.hpp>
#include <tools/cli/recordings/show.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>

namespace filch::cli {
namespace {

/// Small enough to be drawn a few thousand times in a second; larger ones are not other ones.
bool is_soon_drawn(const event::recording& read) {
  const std::size_t most = 64;
  return read.entries.size() <= 4 * most &&
         std::max({read.workers.size(), read.pools.size(), read.sites.size()}) <= most;
}

/// Each pool of it can be observed, judged and drawn, whatever the times and names. The account
/// balances, or this ends.
std::string of_drawn(const event::recording& read) {
  for (std::uint32_t pool = 0; pool < read.pools.size(); ++pool) {
    const span::observation seen = span::observe(read, pool);
    const span::verdict judged = span::judge(read, seen);
    if (judged.sentence.empty()) return "a verdict without a word";
    if (std::ranges::any_of(seen.spent.spent_ns, [](std::int64_t ns) { return ns < 0; }))
      return "a use that took less than no time";
    const auto cells = apportion(seen.spent, 60);
    const std::size_t sum = std::accumulate(cells.begin(), cells.end(), std::size_t{0});
    if (sum != (seen.spent.total_ns() == 0 ? 0 : 60)) return "a bar of another width";
    if (page_json(read, seen, judged)
            .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
            .empty())
      return "an empty page";
  }
  return span::busiest_pool(read) < read.pools.size() ? "" : "a busiest pool that there is not";
}

/// A recording that is taken makes sense, is written and read again as the same text, and can be
/// shown.
std::string of_recording(std::string_view text) {
  event::recording read;
  try {
    read = from_text_form(nlohmann::json::parse(text));
  } catch (const nlohmann::json::exception&) {
    return "";
  } catch (const bad_recording& problem) {
    return std::string_view{problem.what()}.empty() ? "refused without a reason" : "";
  }
  if (!span::find_fault(read).empty()) return "";  // as `load_recording` refuses it
  const nlohmann::json written = to_text_form(read);
  if (to_text_form(from_text_form(written)) != written) return "written again it is another one";
  return is_soon_drawn(read) ? of_drawn(read) : "";
}

std::string of_request(std::string_view text) {
  const auto read = parse_head(text);
  if (!read) return "";
  const auto is_of_one_line = [](std::string_view part) { return part.find("\r\n") == part.npos; };
  if (!is_of_one_line(read->method) || !is_of_one_line(read->target) || !is_of_one_line(read->host))
    return "a part of two lines";
  if (read->method.find(' ') != std::string::npos) return "a method of two words";
  for (const std::string* part : {&read->method, &read->target, &read->host}) {
    if (text.find(*part) == text.npos) return "a part that nobody sent";
  }
  return "";
}

std::string of_limit(std::string_view text) {
  try {
    const limit read = parse_limit(text, bound::at_most);
    if (read.what == nullptr || !text.starts_with(read.what->name + "="))
      return "a limit of something else";
    return std::isfinite(read.value) && read.value >= 0 ? "" : "a limit that nothing keeps";
  } catch (const bad_limit& problem) {
    return std::string_view{problem.what()}.empty() ? "refused without a reason" : "";
  }
}

std::string of_trace_value(std::string_view text) {
  const trace::trace_request read = trace::parse_request(text, 4711);
  if (!read.problem.empty()) return read.asked.file.empty() ? "" : "a file in spite of a problem";
  if (read.asked.file.empty()) return "neither a file nor a problem";
  return read.asked.file.find("%p") == std::string::npos ? "" : "a %p is left";
}

std::string of_mappings(std::string_view text) {
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
  const auto modules = trace::parse_mappings(text);
  if (modules.size() > lines) return "more modules than lines";
  for (const trace::mapped_file& each : modules) {
    if (each.begin >= each.end) return "a module without a byte";
    if (!each.file.starts_with('/') || each.file.find('\n') != each.file.npos)
      return "a file that is no path";
    if (each.file.data() < text.data() ||
        each.file.data() + each.file.size() > text.data() + text.size())
      return "a file of elsewhere";
  }
  return "";
}

/// As far as a text without a length of its own says it: a variable of the environment, the words
/// of an exception.
std::string_view until_zero(std::string_view text) { return text.substr(0, text.find('\0')); }

std::string of_ring_places(std::string_view text) {
  text = until_zero(text);
  try {
    const std::uint64_t places = trace::parse_ring_places(text);
    if (!std::has_single_bit(places)) return "a ring whose places are no power of two";
    return places >= trace::least_ring_places && places <= trace::most_ring_places
               ? ""
               : "a ring of no sensible size";
  } catch (const std::invalid_argument& refused) {
    return std::string_view{refused.what()}.find(text) != text.npos
               ? ""
               : "does not name what it refuses";
  }
}

/// An accepted text is an address and a port and nothing else, so that the server listens where it
/// says.
std::string of_address(std::string_view text) {
  sockaddr_in read;
  try {
    read = parse_address(std::string{text});
  } catch (const std::invalid_argument& refused) {
    return std::string_view{refused.what()}.starts_with(until_zero(text))
               ? ""
               : "does not name what it refuses";
  }
  std::array<char, INET_ADDRSTRLEN> host{};
  ::inet_ntop(AF_INET, &read.sin_addr, host.data(), host.size());
  const std::string before = std::string{host.data()} + ":",
                    port = std::to_string(ntohs(read.sin_port));
  if (!text.starts_with(before) || !text.ends_with(port))
    return "an address of elsewhere: " + before + port;
  const std::string_view between =
      text.substr(before.size(), text.size() - before.size() - port.size());
  return between.find_first_not_of('0') == between.npos ? "" : "something else beside the port";
}

/// Five readers of a few lines each, which share a text: none needs a program of its own.
std::string of_value(std::string_view text) {
  for (const auto& of_one :
       {&of_limit, &of_trace_value, &of_mappings, &of_ring_places, &of_address}) {
    if (std::string wrong = of_one(text); !wrong.empty()) return wrong;
  }
  return "";
}

constexpr std::array<base::text_property, 3> all{
    {{"recording", &of_recording}, {"request", &of_request}, {"value", &of_value}}};

}  // namespace
}  // namespace filch::cli

std::span<const filch::base::text_property> filch::base::text_properties() { return cli::all; }
