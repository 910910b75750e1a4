#include <filch/trace/site_names.hpp>

#include <algorithm>
#include <array>
#include <cctype>

namespace filch::inline v0_2::trace {
namespace {

constexpr std::string_view unnamed_namespace = "(anonymous namespace)";

bool is_word(char c) noexcept {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '~' || c == '$';
}

/// The end of the operator's symbol that begins at `at`, after the word "operator".
std::size_t operator_end(std::string_view text, std::size_t at) noexcept {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("()") || rest.starts_with("[]")) return at + 2;
  // A type, new, a suffix.
  if (rest.starts_with(' ') || rest.starts_with('"'))
    return std::min(text.find('(', at), text.size());
  // A '<' after another sign begins template arguments, as in "operator-><int>"; after "operator<"
  // there is a blank in between.
  std::size_t length = 0;
  while (length < rest.size() &&
         std::string_view{"+-*/%^&|~!=<>,"}.find(rest[length]) != rest.npos) {
    if (length != 0 && rest[length] == '<' && rest[length - 1] != '<') break;
    ++length;
  }
  return at + length;
}

/// The end of the part of a name that begins at `at`: the next "::" or argument.
std::size_t part_end(std::string_view text, std::size_t at) noexcept {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with(unnamed_namespace)) return at + unnamed_namespace.size();
  const auto length =
      static_cast<std::size_t>(std::ranges::find_if_not(rest, is_word) - rest.begin());
  return rest.substr(0, length) == "operator" ? operator_end(text, at + length) : at + length;
}

/// The text from `from` to the first arguments: "a::b", "::b", "a::" before a lambda. Empty if no
/// name begins there.
std::string_view parts_at(std::string_view text, std::size_t from) noexcept {
  std::size_t at = part_end(text, from);
  while (text.substr(at).starts_with("::")) at = part_end(text, at + 2);
  return text.substr(from, at - from);
}

/// The position after the template arguments at `at`, if there are any.
std::size_t behind_template(std::string_view text, std::size_t at) noexcept {
  if (!text.substr(at).starts_with('<')) return at;
  for (int depth = 0; at < text.size(); ++at) {
    if (text[at] == '<') ++depth;
    if (text[at] == '>' && --depth == 0) return at + 1;
  }
  return at;
}

/// A name without the arguments in its middle and at its end: "a::tree::walk" of
/// "a::tree<int>::walk(int)".
struct qualified_name {
  std::string text;
  bool is_function = false;  ///< Its arguments follow, or what it has inside.
};

/// The name that begins at `at`; there must be one.
qualified_name name_at(std::string_view text, std::size_t at) {
  qualified_name found;
  do {
    const std::string_view parts = parts_at(text, at);
    found.text += parts;
    at = behind_template(text, at + parts.size());
  } while (text.substr(at).starts_with("::"));
  // clang's lambdas are called $_0, gcc's {lambda()#1}. A name that has them inside is a function,
  // also if it lacks arguments, as main's does. So is a name that ends in a sign: an operator.
  const std::size_t lambda = found.text.find("::$");
  found.is_function =
      lambda != found.text.npos || !is_word(found.text.back()) || text.substr(at).starts_with('(');
  found.text.erase(std::min(lambda, found.text.size()));
  if (found.text.ends_with("::")) found.text.resize(found.text.size() - 2);
  return found;
}

/// Whether the name only carries a job, or is part of the language: no site is named after it.
bool is_plumbing(std::string_view name) noexcept {
  static constexpr std::array<std::string_view, 6> rooms = {
      "filch::fork::", "filch::sched::", "filch::graph::", "filch::task_group", "std::", "__gnu"};
  return name == "decltype" ||
         std::ranges::any_of(rooms, [&](std::string_view room) { return name.starts_with(room); });
}

struct candidates {
  std::string users;     ///< A function outside filch.
  std::string filchs;    ///< The last of filch's own algorithms before that.
  std::string any_type;  ///< A named type outside filch: a function object.
};

candidates look_through(std::string_view text) {
  candidates found;
  for (std::size_t at = 0; at < text.size() && found.users.empty();) {
    const std::string_view head = parts_at(text, at);
    const std::size_t begin = at;
    at += std::max<std::size_t>(head.size(), 1);
    if (head.empty() || head.starts_with("::") || is_plumbing(head))
      continue;  // "::" goes on after template arguments
    // A lambda has no name of its own
    if (begin != 0 && (text[begin - 1] == '{' || text[begin - 1] == '\'')) continue;
    const qualified_name name = name_at(text, begin);
    if (!name.is_function && name.text.find("::") == name.text.npos) continue;
    if (head.starts_with("filch::")) {
      found.filchs = head;
    } else if (name.is_function) {
      found.users = name.text;
    } else if (found.any_type.empty()) {
      found.any_type = name.text;
    }
  }
  return found;
}

std::string without(std::string text, std::string_view what) {
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos;) text.erase(at, what.size());
  return text;
}

}  // namespace

std::string short_name(std::string_view demangled) {
  const candidates found = look_through(demangled);
  const bool is_loop = demangled.find("filch::algo::split_loop<") != demangled.npos ||
                       demangled.find("filch::algo::loop_leaf<") != demangled.npos ||
                       demangled.find("filch::algo::fold_leaf<") != demangled.npos;
  const std::string& best = !found.users.empty()      ? found.users
                            : !found.any_type.empty() ? found.any_type
                                                      : found.filchs;
  if (best.empty()) return std::string{demangled};
  return (is_loop ? "loop in " : "") + without(best, std::string{unnamed_namespace} + "::");
}

}  // namespace filch::trace
