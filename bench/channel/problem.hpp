#pragma once
// Channel: numbers go through one bounded channel, from several tasks to several others or to one.
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>

namespace bench::channel {

inline constexpr std::size_t capacity = 1024;
inline constexpr std::uint64_t senders = 4;
inline constexpr std::uint64_t default_values = 1'000'000;
inline constexpr const char* default_receivers = "4";

struct parameters {
  std::uint64_t values;
  std::uint64_t receivers;
  std::uint64_t of_each_sender() const { return values / senders; }
};

/// What `--size` and `--case` ask for. No receivers if that makes no sense.
inline parameters asked_for(std::uint64_t values, const std::string& receivers) {
  parameters asked{values, 0};
  const char* const end = receivers.data() + receivers.size();
  const auto [behind, error] = std::from_chars(receivers.data(), end, asked.receivers);
  if (error != std::errc{} || behind != end || asked.receivers > 64 || values % senders != 0)
    asked.receivers = 0;
  return asked;
}

inline constexpr const char* case_rule =
    "--case is a number of receivers up to 64, and --size a multiple of 4";

/// Each sender sends the numbers below its share. Says what is wrong with the sum of what was
/// received; empty when nothing.
inline std::string check(const parameters& p, std::uint64_t sum) {
  const std::uint64_t each = p.of_each_sender();
  const std::uint64_t expected = senders * (each * (each - 1) / 2);
  if (sum == expected) return {};
  return "received " + std::to_string(sum) + " in all, not " + std::to_string(expected);
}

}  // namespace bench::channel
