// The formats that are lines of text: one an event, or one a sum.
#include <filch/trace/export.hpp>

#include <filch/trace/slices.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace filch::inline v0_2::trace {
namespace {

std::string number_or_nothing(std::uint16_t number) {
  return number == event::record::nobody ? "" : std::to_string(number);
}

std::string text_of_other(std::uint16_t other) {
  return other == event::record::outside ? "outside" : number_or_nothing(other);
}

/// A field of a line separated by commas; RFC 4180.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == text.npos) return text;
  std::string quoted = "\"";
  for (const char each : text) quoted.append(each == '"' ? 2 : 1, each);
  return quoted + "\"";
}

/// A frame of a folded stack: the characters that mean something there are replaced.
std::string frame(std::string text) {
  std::ranges::replace(text, ';', ':');
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

std::string to_csv(const event::recording& all) {
  std::string lines = "time_ns,pool,worker,event,activity,ready,slot,other,amount,site\n";
  for (const event::entry& each : all.entries) {
    const event::recorded_worker& worker = all.workers[each.worker];
    const event::record& what = each.what;
    const bool has_site = event::names_site(what.what);
    const std::string fields[] = {
        std::to_string(each.at_ns),
        std::to_string(worker.pool),
        std::to_string(worker.index),
        std::string{event::schema[static_cast<std::size_t>(what.what)].name},
        std::string{name_of(what.doing)},
        what.ready == event::ready_work::not_looked ? "" : std::string{name_of(what.ready)},
        number_or_nothing(what.slot),
        text_of_other(what.other),
        has_site ? "" : std::to_string(what.amount),
        has_site ? field(text_of(all.sites[what.amount])) : ""};
    for (const std::string& text : fields) lines.append(text).push_back(',');
    lines.back() = '\n';
  }
  return lines;
}

std::string to_folded(const event::recording& all) {
  std::map<std::string, std::int64_t> sums;
  const std::size_t slash = all.program.rfind('/');
  const std::string program =
      frame(all.program.empty() ? "program"
                                : all.program.substr(slash == all.program.npos ? 0 : slash + 1));
  for (const slice& each : slices_of(all)) {
    std::string stack = program + ";" + text_of(all.workers[each.worker]) + ";" +
                        (each.is_known ? std::string{name_of(each.doing)} : "not recorded");
    if (each.site != 0) stack += ";" + frame(text_of(all.sites[each.site]));
    sums[std::move(stack)] += each.end_ns - each.begin_ns;
  }
  std::string lines;
  for (const auto& [stack, sum] : sums) lines += stack + " " + std::to_string(sum) + "\n";
  return lines;
}

}  // namespace filch::trace
