#include <tools/scale/words.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>

namespace filch::scaling {

namespace {

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The begin of the brackets that end before `end`; npos if they have none.
std::size_t begin_of_brackets(std::string_view text, std::size_t end) {
  std::size_t open = 0;
  for (std::size_t at = end; at-- > 0;) {
    if (text[at] == ')' || text[at] == ']') ++open;
    if ((text[at] == '(' || text[at] == '[') && --open == 0) return at;
  }
  return text.npos;
}

/// The begin of the names, brackets, `.`, `->` and `::` that end before `end`.
std::size_t begin_of_expression(std::string_view text, std::size_t end) {
  std::size_t at = end;
  while (at > 0) {
    const char last = text[at - 1];
    if (last == ')' || last == ']') {
      const std::size_t open = begin_of_brackets(text, at);
      if (open == text.npos) break;
      at = open;
    } else if (is_of_name(last) || last == '.' || last == ':') {
      --at;
    } else if (at > 1 && last == '>' && text[at - 2] == '-') {
      at -= 2;
    } else {
      break;
    }
  }
  return at;
}

}  // namespace

std::string word_in(std::string_view line, std::string_view what) {
  for (const std::string_view access : {".", "->"}) {
    for (const std::string_view behind : {"(", "_strong(", "_weak("}) {
      const std::string call = std::string(access) + std::string(what) + std::string(behind);
      const std::size_t found = line.find(call);
      if (found == line.npos) continue;
      const std::size_t begin = begin_of_expression(line, found);
      if (begin != found) return std::string{line.substr(begin, found - begin)};
    }
  }
  return {};
}

std::string path_in_sources(std::string_view file) {
  if (file.starts_with("./")) file.remove_prefix(2);
  for (const std::string_view root : {"/filch/", "/bench/", "/tools/"}) {
    const std::size_t found = file.rfind(root);
    if (file.starts_with("/") && found != file.npos) return std::string{file.substr(found + 1)};
  }
  return std::string{file};
}

std::string sources::word_at(const testing::hot_place& place) {
  const std::vector<std::string>& lines = lines_of(place.file);
  // A call that is longer than a line has the number of one of its lines
  constexpr std::array nearest = {0, -1, 1};
  for (const int off : nearest) {
    const std::size_t index = place.line - 1 + static_cast<std::size_t>(off);
    if (index >= lines.size()) continue;
    std::string word = word_in(lines[index], place.what);
    if (!word.empty()) return word;
  }
  return {};
}

const std::vector<std::string>& sources::lines_of(const std::string& file) {
  const auto [entry, is_new] = files_.try_emplace(file);
  if (!is_new) return entry->second;
  // An absolute path takes the place of the folder
  std::ifstream from{std::filesystem::path{folder_} / path_in_sources(file)};
  if (!from) from.open(std::filesystem::path{folder_} / file);
  for (std::string line; std::getline(from, line);) entry->second.push_back(line);
  return entry->second;
}

}  // namespace filch::scaling
