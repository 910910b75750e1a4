#include <filch/base/panic.hpp>
#include <fmt/format.h>
#include <tools/cli/page.hpp>
#include <tools/cli/report.hpp>

#include <cerrno>
#include <fstream>
#include <system_error>

namespace filch::cli {

std::string with_data(std::string_view page, std::string_view data) {
  constexpr std::string_view place = "id=\"filch-data\">", empty = "null";
  const std::size_t found = page.find(place);
  FILCH_ASSERT(found != page.npos && page.substr(found + place.size(), empty.size()) == empty,
               "a page has a place for its data", page.size());
  std::string filled{page.substr(0, found + place.size())};
  // In JSON `<` occurs in strings only, where it may be written as an escape; then no "</script"
  // and no "<!--" is left.
  for (const char c : data) {
    if (c == '<') {
      filled += "\\u003c";
    } else {
      filled += c;
    }
  }
  return filled.append(page.substr(found + place.size() + empty.size()));
}

void write_page(const std::string& file, std::string_view text) {
  std::ofstream page{file, std::ios::binary};
  if (page) page << text;
  page.flush();
  if (!page)
    throw std::system_error(errno, std::generic_category(), "cannot write " + name_text(file));
  fmt::print("{}\n", name_text(file));
}

}  // namespace filch::cli
