#include <filch/event/recording.hpp>

#include <array>
#include <charconv>

namespace filch::inline v0_2::event {
namespace {

std::string hexadecimal(std::uint64_t number) {
  std::array<char, 16> digits;
  return "0x" +
         std::string{digits.data(),
                     std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr};
}

}  // namespace

std::string text_of(const call_site& site) {
  if (!site.name.empty()) return site.name;
  if (!site.module.empty())
    return site.module.substr(site.module.rfind('/') + 1) + "+" + hexadecimal(site.offset);
  return site.address == 0 ? "unknown" : hexadecimal(site.address);
}

std::string text_of(const recorded_worker& worker) {
  return "pool " + std::to_string(worker.pool) + " worker " + std::to_string(worker.index);
}

}  // namespace filch::event
