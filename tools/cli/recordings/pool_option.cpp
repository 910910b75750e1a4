#include <fmt/format.h>
#include <tools/cli/recordings/load.hpp>
#include <tools/cli/recordings/pool_option.hpp>

namespace filch::cli {

void add_pool_option(CLI::App& command, int& pool) {
  command.add_option("--pool", pool, "Which pool, from 0; else the one that worked most")
      ->type_name("N")
      ->check(CLI::Range(0, 1 << 16).description(""));
}

std::uint32_t chosen_pool(const event::recording& from, int pool) {
  if (pool == busiest) return span::busiest_pool(from);
  const auto wanted = static_cast<std::uint32_t>(pool);
  if (wanted >= from.pools.size())
    throw bad_recording{fmt::format("the recording has no pool {}, the last one is {}", pool,
                                    from.pools.size() - 1)};
  return wanted;
}

}  // namespace filch::cli
