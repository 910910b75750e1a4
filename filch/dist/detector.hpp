#pragma once
// How ranks learn that none has work and no work message is under way. Two algorithms: counting
// waves, which runs use, and a ring, which tests hold against them.
#include <filch/dist/lifelines.hpp>
#include <filch/dist/message.hpp>

#include <cstdint>
#include <optional>

namespace filch::inline v0_2::dist {

/// What a rank tells its detector. A rank is quiet if it sends no work message unless it receives
/// one: it has no work or pauses, and awaits no answer.
struct quietness {
  bool is_quiet = false;
  bool is_busy = false;        ///< It has work, but pauses.
  std::uint64_t sent = 0;      ///< Work messages, so far.
  std::uint64_t received = 0;  ///< Work messages, so far.
};

/// Four counters: the root sends a wave down the tree, each rank answers when it is quiet, and the
/// sums come up. Let R be what had been received by one wave, and S what had been sent by the next
/// one. If R = S, no message was under way between them, and no rank had received any since it
/// answered: all were quiet, and stay so.
/// Cost:   two messages a rank and wave; one wave at a time, begun by a quiet root.
/// Source: Mattern, "Algorithms for distributed termination detection", 1987, section 4.
class counting_waves {
 public:
  counting_waves(int rank, int size) noexcept : tree_{tree_of(rank, size)} {}

  enum class outcome : std::uint8_t { nothing, again, answer, ask_below, all_quiet };
  /// What to do next, if anything: send `counts` to the parent; send `wave` to the children; or, at
  /// the root, all ranks are quiet. After each change, call until it returns `nothing`; after
  /// `again`, a wave that settled nothing, there may be a pause.
  outcome step(const quietness& me) noexcept {
    if (!is_out_) {
      if (!is_root() || !me.is_quiet) return outcome::nothing;
      begin();
      return outcome::ask_below;
    }
    if (missing_ != 0 || !me.is_quiet) return outcome::nothing;
    is_out_ = false;
    sum_.sent += me.sent;
    sum_.received += me.received;
    sum_.busy += me.is_busy;
    if (!is_root()) return outcome::answer;
    ++waves_;
    was_stuck_ = last_received_ == sum_.received && last_sent_ == sum_.sent;
    const bool is_over = last_received_ == sum_.sent;
    last_received_ = sum_.received;
    last_sent_ = sum_.sent;
    return is_over ? outcome::all_quiet : outcome::again;
  }
  /// A wave from the parent; then send it on to the children. False: one is under way, or this is
  /// the root, which nobody asks.
  [[nodiscard]] bool on_wave() noexcept {
    if (is_out_ || is_root()) return false;
    begin();
    return true;
  }
  /// The sums of a child's subtree. False: none was asked for.
  [[nodiscard]] bool on_counts(const message& from_child) noexcept {
    if (!is_out_ || missing_ == 0) return false;
    --missing_;
    sum_.sent += from_child.sent;
    sum_.received += from_child.received;
    sum_.busy += from_child.busy;
    return true;
  }
  /// The sums of the last wave that ended here.
  const message& sums() const noexcept { return sum_; }
  bool is_out() const noexcept { return is_out_; }
  bool is_root() const noexcept { return tree_.parent < 0; }
  /// At the root: the last two waves were the same, though not all was received.
  bool is_stuck() const noexcept { return was_stuck_ && last_sent_ != last_received_; }
  std::uint64_t waves() const noexcept { return waves_; }

  /// Calls `see` with each number that decides what it does next. For model checks.
  template <class F>
  void visit(F&& see) const {
    see(is_out_), see(static_cast<std::uint64_t>(missing_)), see(sum_.sent), see(sum_.received);
    see(sum_.busy), see(last_received_), see(last_sent_);
  }

 private:
  void begin() noexcept {
    is_out_ = true;
    missing_ = tree_.child_count();
    sum_ = {.what = kind::counts};
  }

  tree_neighbors tree_;
  bool is_out_ = false;  ///< A wave has come and is not answered.
  int missing_ = 0;      ///< Children that have not answered it.
  message sum_{.what = kind::counts};
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  std::uint64_t last_received_ = none, last_sent_ = none;
  bool was_stuck_ = false;
  std::uint64_t waves_ = 0;
};

/// A token goes round a ring of quiet ranks and adds up what each has sent and not received. A rank
/// that has received since it passed the token on makes it black. The root has ended if a white
/// token comes back, the root is white, and the sum with its own is zero.
/// Cost:   a message a rank and round, and rounds take time in proportion to ranks.
/// Source: Dijkstra, EWD 998, 1987 (Safra).
class token_ring {
 public:
  token_ring(int rank, int size) noexcept : rank_{rank}, size_{size}, holds_{rank == 0} {}

  enum class outcome : std::uint8_t { nothing, pass_on, all_quiet };
  /// What to do next: pass `token()` on to the rank before this one, or end.
  outcome step(const quietness& me) noexcept {
    if (!holds_ || !me.is_quiet) return outcome::nothing;
    const std::uint64_t missing = me.sent - me.received;  // may wrap: sums are modulo 2^64
    if (rank_ == 0 && has_gone_round_ && !token_.is_black && !is_black_ &&
        token_.sent + missing == 0)
      return outcome::all_quiet;
    if (size_ == 1) return outcome::all_quiet;
    holds_ = false;
    if (rank_ == 0) {
      token_ = {.what = kind::token};
    } else {
      token_.sent += missing;
      token_.is_black |= is_black_;
    }
    is_black_ = false;
    return outcome::pass_on;
  }
  void on_work_message() noexcept { is_black_ = true; }
  /// False: a second token.
  [[nodiscard]] bool on_token(const message& come) noexcept {
    if (holds_) return false;
    token_ = come;
    holds_ = true;
    has_gone_round_ = true;
    return true;
  }
  const message& token() const noexcept { return token_; }
  int next() const noexcept { return rank_ == 0 ? size_ - 1 : rank_ - 1; }

  /// Calls `see` with each number that decides what it does next. For model checks.
  template <class F>
  void visit(F&& see) const {
    see(holds_), see(is_black_), see(has_gone_round_), see(token_.sent), see(token_.is_black);
  }

 private:
  int rank_, size_;
  bool holds_;
  bool is_black_ = false;
  bool has_gone_round_ = false;
  message token_{.what = kind::token};
};

}  // namespace filch::dist
