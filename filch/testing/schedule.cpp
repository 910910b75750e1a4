#include <filch/testing/schedule.hpp>

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace filch::inline v0_2::testing {
namespace {

/// The last two parts of a path: enough to find the file, and the same on every machine.
std::string_view short_path(std::string_view path) noexcept {
  const std::size_t last = path.rfind('/');
  if (last == std::string_view::npos || last == 0) return path;
  const std::size_t before = path.rfind('/', last - 1);
  return before == std::string_view::npos ? path : path.substr(before + 1);
}

std::string joined(const char* verb, const char* object) {
  return *object == '\0' ? verb : std::string(verb) + " " + object;
}

std::string numbered(const char* words, unsigned number) {
  std::string text = words;
  if (number != base::waiting_for::nobody) text += " " + std::to_string(number);
  return text;
}

}  // namespace

std::string words_of(const base::waiting_for* why) {
  return why == nullptr ? "something" : numbered(why->what, why->number);
}

std::string in_source(base::place where) {
  return "(" + std::string(short_path(where.file)) + ":" + std::to_string(where.line) + ")";
}

std::string schedule::line(const entry& from, const std::string& name) {
  char head[64];
  std::snprintf(head, sizeof head, "%8llu  %-12s ", static_cast<unsigned long long>(from.step),
                name.c_str());
  std::string text = head;
  if (from.what == nullptr) return text + "waits for " + numbered(from.name, from.number) + "\n";
  if (from.name != nullptr) return text + "* " + joined(from.what, from.name) + "\n";
  if (from.where.line == 0)
    return text + "stops before it " + joined(from.what, from.where.function) + "\n";
  text += std::string("stops before ") + from.what;
  return text + " in " + from.where.function + " " + in_source(from.where) + "\n";
}

std::string schedule::text(const std::vector<std::string>& names, std::size_t most_lines) const {
  const std::size_t skipped = entries_.size() - std::min(entries_.size(), most_lines);
  std::string all = "    step  thread\n";
  if (skipped != 0) all += "          (" + std::to_string(skipped) + " lines left out)\n";
  for (std::size_t i = skipped; i < entries_.size(); ++i)
    all += line(entries_[i], names.at(entries_[i].who));
  return all;
}

}  // namespace filch::testing
