#pragma once
#include <filch/dist/message.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace filch::inline v0_2::dist {

/// The longest payload in a message, in bytes: a longer one is an error on either side. MPI counts
/// bytes in an int.
inline constexpr std::size_t max_payload_bytes = std::size_t{1} << 30;

/// What all messages of a run have in common. Ranks of other runs, programs or parameters differ.
struct run_identity {
  std::uint64_t epoch = 1;      ///< The number of the run in its process.
  std::uint64_t signature = 0;  ///< A hash of types and parameters.

  bool operator==(const run_identity&) const = default;
};

/// A message that is no part of the run, and is dropped: it came twice, or is of an earlier run.
enum class dropped : std::uint8_t { repeated, stale };
/// A message that cannot be: the run has to end.
struct broken {
  std::string reason;
};
using arrival = std::variant<message, dropped, broken>;

/// The bytes of messages. Each has a format version, the run's identity, and its number among those
/// from its sender to its receiver. So a message that is missing shows at the next one.
/// Memory: 16 bytes a rank.
class FILCH_EXPORT links {
 public:
  links(run_identity run, int rank, int size);
  /// The bytes of the next message to rank `to`.
  /// Throws: `std::length_error` for a payload above `max_payload_bytes`.
  std::string encode(int to, const message& what);
  /// What has come from rank `from`: any bytes.
  /// Cost: memory in proportion to the bytes.
  arrival decode(int from, std::string_view bytes);

 private:
  run_identity run_;
  int rank_;
  std::vector<std::uint64_t> sent_, received_;  ///< By the other rank.
};

}  // namespace filch::dist
