#pragma once
#include <filch/base/language.hpp>

#include <cstdint>
#include <string>

namespace filch::inline v0_2::dist {

/// What ranks say to each other. The first three are **work messages**: ranks count them, and a run
/// has ended once all are received and no rank has work.
enum class kind : std::uint8_t {
  request,  ///< A rank without work asks for some.
  refusal,  ///< The answer to a random request: none to spare.
  work,     ///< Part of a bag, in answer to a request.
  wave,     ///< Down the tree: report your counts once you are quiet.
  counts,   ///< Up the tree: the sums of a subtree whose ranks were all quiet.
  token,    ///< Round the ring, in place of waves.
  finish,   ///< Down the tree: the run has ended, send your result.
  result,   ///< Up the tree: the combined result of a subtree. The sender's last one upward.
  total,    ///< Down the tree: the result of all. The sender's last one downward.
  pause,    ///< Down the tree: ask for no more work, give none.
  save,     ///< Down the tree: write your bag and your partial result.
  saved,    ///< Up the tree: a subtree has written.
  resume,   ///< Down the tree: all have written, go on.
  alive,    ///< Between neighbors of the tree: shows by its number what was lost before it.
  abort,    ///< To neighbors of the tree: the run has failed; the payload says why.
};
inline constexpr unsigned kind_count = 15;

/// Whether ranks count it before they end a run.
constexpr bool is_counted(kind what) noexcept { return what <= kind::work; }

/// A message between two ranks, without what the transport adds (`wire.hpp`).
struct message {
  kind what = kind::request;
  /// A request that the receiver remembers until it can give, and what it gives for it.
  bool is_lifeline = false;
  bool is_black = false;   ///< Of a token: a rank behind it received a work message.
  std::uint64_t sent = 0;  ///< Of `counts`: work messages sent; of a token: sent and not received.
  std::uint64_t received = 0;  ///< Of `counts`: work messages received.
  std::uint64_t busy = 0;      ///< Of `counts`: ranks that have work, but pause.
  std::string payload{};       ///< Work, a result, or a reason.

  bool operator==(const message&) const = default;
};

}  // namespace filch::dist
