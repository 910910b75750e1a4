#include <filch/base/text_property_fuzz.hpp>
#include <filch/span/observation.hpp>
#include <filch/trace/options.hpp>
#include <filch/trace/process_files.hpp>
#include <tools/cli/http/message.hpp>
#include <tools/cli/recordings/limits.hpp>
#include <tools/cli/recordings/load.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace filch::cli {
namespace {

/// A recording that is taken makes sense, and is written and read again as the same text.
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
  return to_text_form(from_text_form(written)) == written ? "" : "written again it is another one";
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
    if (read.what == nullptr || !text.starts_with(read.what->name + "=")) return "a limit of something else";
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
  for (const trace::module& each : modules) {
    if (each.begin >= each.end) return "a module without a byte";
    if (!each.file.starts_with('/') || each.file.find('\n') != each.file.npos) return "a file that is no path";
    if (each.file.data() < text.data() || each.file.data() + each.file.size() > text.data() + text.size())
      return "a file of elsewhere";
  }
  return "";
}

/// Three readers of a few lines each, which share a text: none needs a program of its own.
std::string of_value(std::string_view text) {
  for (const auto& of_one : {&of_limit, &of_trace_value, &of_mappings}) {
    if (std::string wrong = of_one(text); !wrong.empty()) return wrong;
  }
  return "";
}

constexpr std::array<base::text_property, 3> all{
    {{"recording", &of_recording}, {"request", &of_request}, {"value", &of_value}}};

}  // namespace
}  // namespace filch::cli

std::span<const filch::base::text_property> filch::base::text_properties() { return cli::all; }
