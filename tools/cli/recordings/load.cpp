#include <filch/span/observation.hpp>
#include <filch/trace/file.hpp>
#include <filch/trace/file_format.hpp>
#include <fmt/format.h>
#include <tools/cli/analysis_json.hpp>
#include <tools/cli/recordings/load.hpp>
#include <tools/cli/recordings/number_of.hpp>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <functional>
#include <iterator>
#include <system_error>

namespace filch::inline v0_2::event {

void to_json(nlohmann::json& text, const recorded_pool& of) { text = {{"slots", of.slot_count}}; }
void to_json(nlohmann::json& text, const recorded_worker& of) {
  text = {{"pool", of.pool},
          {"index", of.index},
          {"thread_id", of.thread_id},
          {"complete_from_ns", of.complete_from_ns},
          {"lost", of.lost}};
}
void to_json(nlohmann::json& text, const call_site& of) {
  text = {{"address", of.address}, {"module", of.module}, {"offset", of.offset}, {"name", of.name}};
}

}  // namespace filch::event

namespace filch::cli {

namespace {

using nlohmann::json;

/// The index of a name in a table of them.
template <class Names, class Name>
std::size_t find_name(const Names& names, const Name& name_of, const std::string& wanted) {
  const auto found = std::ranges::find(names, wanted, name_of);
  if (found == names.end()) throw bad_recording{fmt::format("'{}' is not known", wanted)};
  return static_cast<std::size_t>(found - names.begin());
}

event::record record_of(const json& text) {
  event::record made;
  made.what =
      static_cast<event::kind>(find_name(event::schema, &event::description::name, text.at(2)));
  made.doing =
      static_cast<event::activity>(find_name(event::activity_names, std::identity{}, text.at(3)));
  if (text.size() > 4) made.slot = number_of<std::uint16_t>(text.at(4));
  if (text.size() > 5) made.other = number_of<std::uint16_t>(text.at(5));
  if (text.size() > 6) made.amount = number_of<std::uint32_t>(text.at(6));
  if (text.size() > 7)
    made.ready =
        static_cast<event::ready_work>(find_name(event::ready_names, std::identity{}, text.at(7)));
  return made;
}

event::entry entry_of(const json& text) {
  return {number_of<std::int64_t>(text.at(0)), number_of<std::uint32_t>(text.at(1)),
          record_of(text)};
}

template <class T>
void take(const json& from, const char* name, T& into) {
  into = number_of<T>(from.at(name));
}

event::recorded_worker worker_of(const json& text) {
  event::recorded_worker made;
  take(text, "pool", made.pool);
  take(text, "index", made.index);
  take(text, "thread_id", made.thread_id);
  take(text, "complete_from_ns", made.complete_from_ns);
  take(text, "lost", made.lost);
  return made;
}

event::call_site site_of(const json& text) {
  event::call_site made;
  take(text, "address", made.address);
  take(text, "offset", made.offset);
  made.module = text.at("module");
  made.name = text.at("name");
  return made;
}

json text_of(const event::entry& e) {
  return {e.at_ns,
          e.worker,
          event::schema.at(static_cast<std::size_t>(e.what.what)).name,
          name_of(e.what.doing),
          e.what.slot,
          e.what.other,
          e.what.amount,
          name_of(e.what.ready)};
}

json text_form_of(const analysis::result& from) {
  json made = numbers_json(from);
  made["costs"] = numbers_json(from.costs);
  made["sites"] = json::array();
  for (const analysis::site& each : from.sites) {
    json site = numbers_json(each);
    site.update(json(each.where));
    made["sites"].push_back(std::move(site));
  }
  return made;
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  if (std::filesystem::is_directory(path)) errno = EISDIR;
  if (!file || std::filesystem::is_directory(path)) {
    throw std::system_error{errno, std::generic_category(), "cannot read " + path.string()};
  }
  return {std::istreambuf_iterator<char>{file}, {}};
}

event::recording read(const std::filesystem::path& path) {
  const std::string content = content_of(path);
  return content.starts_with('{') ? from_text_form(json::parse(content))
                                  : trace::from_bytes(content);
}

}  // namespace

json to_text_form(const event::recording& from) {
  json entries = json::array();
  for (const event::entry& each : from.entries) entries.push_back(text_of(each));
  json made = {{"program", from.program},     {"process_id", from.process_id},
               {"length_ns", from.length_ns}, {"pools", from.pools},
               {"workers", from.workers},     {"sites", from.sites},
               {"entries", entries}};
  if (!from.arguments.empty()) made["arguments"] = from.arguments;
  for (const trace::fact& each : trace::facts) {
    if (from.*each.value != 0) made[std::string{each.name}] = from.*each.value;
  }
  if (from.analyzed) made["analysis"] = text_form_of(*from.analyzed);
  for (const event::graph_run& each : from.graphs) made["graphs"].push_back(graph_json(each));
  return made;
}

event::recording from_text_form(const json& text) {
  event::recording made;
  made.program = text.at("program");
  if (text.contains("process_id")) take(text, "process_id", made.process_id);
  take(text, "length_ns", made.length_ns);
  made.arguments = text.value("arguments", made.arguments);
  for (const trace::fact& each : trace::facts) {
    const std::string name{each.name};
    if (text.contains(name)) take(text, name.c_str(), made.*each.value);
  }
  for (const json& each : text.at("pools"))
    take(each, "slots", made.pools.emplace_back().slot_count);
  for (const json& each : text.at("workers")) made.workers.push_back(worker_of(each));
  for (const json& each : text.at("sites")) made.sites.push_back(site_of(each));
  for (const json& each : text.at("entries")) made.entries.push_back(entry_of(each));
  if (text.contains("analysis")) made.analyzed = analysis_from(text["analysis"]);
  for (const json& each : text.value("graphs", json::array()))
    made.graphs.push_back(graph_from(each));
  return made;
}

event::recording load_recording(const std::filesystem::path& path) {
  try {
    event::recording made = read(path);
    if (const std::string fault = span::find_fault(made); !fault.empty())
      throw bad_recording{fault};
    return made;
  } catch (const json::exception& failure) {
    throw bad_recording{fmt::format("{}: {}", path.string(), failure.what())};
  } catch (const trace::bad_file& failure) {
    throw bad_recording{fmt::format("{}: {}", path.string(), failure.what())};
  } catch (const bad_recording& failure) {
    throw bad_recording{fmt::format("{}: {}", path.string(), failure.what())};
  }
}

}  // namespace filch::cli
