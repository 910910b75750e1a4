#pragma once
// After: tasks that do nothing but count, each spawned with what it waits for: `chain`, each after
// the one before; `tree`, each after two others, down to the leaves; and `star`, all after one, and
// one after all.
#include <cstdint>
#include <string>

namespace bench::after {

inline constexpr std::uint64_t default_tasks = 1'000'000;
inline constexpr const char* default_case = "chain";

enum class way { chain, tree, star, none };

/// What `--case` and `--size` ask for; none if that makes no sense.
inline way asked_for(const std::string& name, std::uint64_t tasks) {
  if (tasks < 4 || tasks % 2 != 0) return way::none;
  return name == "chain"  ? way::chain
         : name == "tree" ? way::tree
         : name == "star" ? way::star
                          : way::none;
}

inline constexpr const char* case_rule =
    "--case is chain, tree or star, and --size an even number of at least 4";

struct parameters {
  std::uint64_t tasks;
  way how;
};

/// Says what is wrong with the number of those that ran; empty when nothing.
inline std::string check(const parameters& p, std::uint64_t ran) {
  if (ran == p.tasks) return {};
  return std::to_string(ran) + " of " + std::to_string(p.tasks) + " ran";
}

}  // namespace bench::after
