#include <filch/span/site_names.hpp>
#include <filch/span/symbol_table.hpp>

#include <cxxabi.h>
#include <dlfcn.h>

#include <array>
#include <cctype>
#include <cstdlib>
#include <memory>

namespace filch::span {
namespace {

std::string demangled(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text{abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free};
  return status == 0 && text != nullptr ? std::string(text.get()) : mangled;
}

bool is_word(char c) noexcept { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '~' || c == '$'; }

/// A name as "a::b::c" beginning at `from`, without template or function arguments; empty where there is none.
std::string_view qualified_name(std::string_view text, std::size_t from) noexcept {
  std::size_t at = from;
  while (at < text.size() && (is_word(text[at]) || text.substr(at, 2) == "::")) at += is_word(text[at]) ? 1 : 2;
  return text.substr(from, at - from);
}

bool begins_with(std::string_view text, std::string_view what) noexcept { return text.substr(0, what.size()) == what; }

/// What only carries a job, or is of the language: never what a site is called after.
bool is_plumbing(std::string_view name) noexcept {
  static constexpr std::array<std::string_view, 5> rooms = {"filch::fork::", "filch::sched::", "filch::task_group",
                                                            "std::", "__gnu"};
  for (const std::string_view room : rooms) {
    if (begins_with(name, room)) return true;
  }
  return false;
}

/// True where a function's arguments or what it has inside follow, behind template arguments if there are any.
bool is_function(std::string_view rest) noexcept {
  if (!rest.empty() && rest.front() == '<') {
    int depth = 0;
    std::size_t at = 0;
    for (; at < rest.size(); ++at) {
      if (rest[at] == '<') ++depth;
      if (rest[at] == '>' && --depth == 0) break;
    }
    rest = rest.substr(at < rest.size() ? at + 1 : at);
  }
  return !rest.empty() && rest.front() == '(';
}

struct candidates {
  std::string_view users;     ///< A function outside filch.
  std::string_view filchs;    ///< The last of filch's own algorithms before that.
  std::string_view any_type;  ///< A named type outside filch: a function object.
};

candidates look_through(std::string_view text) noexcept {
  candidates found;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view name = qualified_name(text, at);
    if (name.empty()) {
      ++at;
      continue;
    }
    const char before = at == 0 ? ' ' : text[at - 1];
    at += name.size();
    if (begins_with(name, "::")) continue;          // goes on behind template arguments
    if (before == '{' || before == '\'') continue;  // a lambda has no name of its own
    if (name.find("::") == std::string_view::npos && !is_function(text.substr(at))) continue;
    if (is_plumbing(name)) continue;
    if (begins_with(name, "filch::")) {
      if (found.users.empty()) found.filchs = name;
    } else if (is_function(text.substr(at))) {
      if (found.users.empty()) found.users = name;
    } else if (found.any_type.empty()) {
      found.any_type = name;
    }
  }
  return found;
}

}  // namespace

std::string short_name(std::string_view demangled_name) {
  const candidates found = look_through(demangled_name);
  const bool is_loop = demangled_name.find("filch::algo::split_loop<") != std::string_view::npos;
  const std::string_view best = !found.users.empty() ? found.users : !found.any_type.empty() ? found.any_type : found.filchs;
  if (best.empty()) return std::string(demangled_name);
  return (is_loop ? "loop in " : "") + std::string(best);
}

void name_site(event::call_site& where) {
  if (where.address == 0) {
    where.name = "outside every fork";
    return;
  }
  Dl_info found{};
  if (::dladdr(reinterpret_cast<const void*>(where.address), &found) == 0 || found.dli_fname == nullptr) return;
  where.module = found.dli_fname;
  where.offset = where.address - reinterpret_cast<std::uintptr_t>(found.dli_fbase);
  std::string mangled = symbol_at(where.module, where.offset);
  if (mangled.empty())
    mangled = symbol_at("/proc/self/exe", where.offset);  // a program's own name may be relative to where it began
  if (!mangled.empty()) where.name = short_name(demangled(mangled));
}

}  // namespace filch::span
