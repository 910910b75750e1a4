#pragma once
#include <filch/dist/detector.hpp>
#include <filch/dist/lifelines.hpp>
#include <filch/dist/message.hpp>
#include <filch/dist/options.hpp>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace filch::inline v0_2::dist {

/// What a rank has sent and received so far.
struct protocol_counts {
  std::uint64_t messages_sent = 0;
  std::uint64_t requests_sent = 0;  ///< To random victims and by lifeline.
  std::uint64_t refusals_received = 0;
  std::uint64_t work_sent = 0;
  std::uint64_t work_received = 0;  ///< Steals of this rank that brought work.
  std::uint64_t waves = 0;          ///< At rank 0: waves that ended.
};

/// What the protocol needs of the rank that it runs on. Called under the same lock as the protocol.
class surroundings {
 public:
  virtual void send(int to, message what) = 0;
  /// Takes a share off the local work, as bytes; nothing if there is too little.
  virtual std::optional<std::string> split() = 0;
  virtual void merge(std::string_view work) = 0;
  /// The result of this rank and what `add_result` has brought, as bytes.
  virtual std::string result() = 0;
  virtual void add_result(std::string_view of_others) = 0;
  /// The result of all ranks: the run is over.
  virtual void set_total(std::string_view of_all) = 0;
  /// Begin to write bag and partial result, then call `protocol::on_saved`.
  virtual void begin_save() = 0;
  /// At rank 0: every rank has written.
  virtual void all_saved() = 0;
  /// A random word, for the choice of a victim.
  virtual std::uint64_t random() = 0;

 protected:
  ~surroundings() = default;
};

/// One rank's part of lifeline work stealing, as a state machine: it knows no clock, no transport
/// and no thread. Its inputs are messages, changes of the local work, and ticks; all output goes
/// to `surroundings`.
///
/// Messages between two ranks come in the order in which they were sent; messages of different
/// ranks in any order. What cannot be, ends the run with `failure`.
/// Threads: one at a time.
/// Source: Saraswat et al., PPoPP 2011. We differ: lifelines give only what can be split, waves
///         count all messages of stealing, so that none is under way when a run has ended.
class FILCH_EXPORT protocol {
 public:
  protocol(const protocol_options& options, int rank, int size);

  /// Begins, with or without work.
  void begin(bool has_work, surroundings& here);
  /// From rank `from`, another one.
  void on_message(int from, const message& come, surroundings& here);
  /// The local work ran dry, or there is (again) some; also if there may be enough to share now.
  void on_local_work(bool has_work, surroundings& here);
  /// Call at least a few times in `patience_ns` and `wave_pause_ns`.
  void on_tick(std::uint64_t now_ns, surroundings& here);
  /// Rank 0: write a checkpoint now, unless one is being written or the run ends.
  void begin_checkpoint(surroundings& here);
  /// This rank has written.
  void on_saved(surroundings& here);
  /// Ends the run on all ranks, with a reason. A run that has ended stays so.
  void fail(std::string reason, surroundings& here);

  bool has_ended() const noexcept { return phase_ == phase::ended; }
  bool has_failed() const noexcept { return phase_ == phase::failed; }
  /// Ended or failed: nothing will be sent any more.
  bool is_over() const noexcept { return phase_ >= phase::ended; }
  /// Work may be asked for and given.
  bool is_stealing() const noexcept { return phase_ == phase::running; }
  /// Lifelines wait here for work.
  bool owes_work() const noexcept { return !waiting_thieves_.empty(); }
  const std::string& failure() const noexcept { return failure_; }
  const protocol_counts& counts() const noexcept { return counts_; }
  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }

  /// Calls `see` with each number that decides what it does next. For model checks.
  template <class F>
  void visit(F&& see) const;

 private:
  enum class phase : std::uint8_t { running, pausing, saving, finishing, ended, failed };

  void on_request(int from, bool is_lifeline, surroundings& here);
  void on_refusal(int from, surroundings& here);
  void on_work(int from, const message& come, surroundings& here);
  void on_tree_message(int from, const message& come, surroundings& here);
  void on_checkpoint_message(const message& come, surroundings& here);
  void on_result(const message& come, surroundings& here);
  void on_total(const message& come, surroundings& here);
  void seek_work(surroundings& here);
  void serve_lifelines(surroundings& here);
  bool give(int to, bool is_lifeline, surroundings& here);
  bool is_dormant() const noexcept;
  quietness how_quiet() const noexcept;
  void look_for_the_end(surroundings& here);
  void ask_the_ring(surroundings& here);
  void all_quiet(surroundings& here);
  void finish(surroundings& here);
  void send_result_if_complete(surroundings& here);
  void begin_saving(surroundings& here);
  void save_step(surroundings& here);
  void resume(surroundings& here);
  void watch_for_losses(surroundings& here);
  bool is_child(int other) const noexcept {
    return other >= tree_.first_child && other < tree_.end_of_children;
  }
  bool may_come_now() const noexcept;
  bool come_from_where_they_may(int from, const message& come) const noexcept;
  void send(int to, message what, surroundings& here);
  void send_below(const message& what, surroundings& here);
  void unexpected(int from, const message& come, surroundings& here);

  protocol_options options_;
  int rank_, size_;
  tree_neighbors tree_;
  phase phase_ = phase::running;
  bool has_work_ = false;
  int awaited_ = -1;         ///< The random victim that owes an answer.
  unsigned tries_left_ = 0;  ///< Random victims to ask before the lifelines.
  struct lifeline {
    int rank;
    bool is_asked;  ///< And has not given yet.
    bool operator==(const lifeline&) const = default;
  };
  std::vector<lifeline> lifelines_;
  std::deque<int> waiting_thieves_;        ///< By lifeline, the oldest first; each once.
  std::uint64_t sent_ = 0, received_ = 0;  ///< Work messages.
  counting_waves waves_;
  token_ring ring_;
  int results_missing_ = 0;  ///< Children whose result has not come.
  int saves_missing_ = 0;    ///< Of this rank and its children.
  std::string failure_;
  protocol_counts counts_;

  std::uint64_t now_ns_ = 0;
  std::uint64_t wave_not_before_ns_ = 0;
  std::uint64_t asked_at_ns_ = 0;  ///< `awaited_`.
  std::uint64_t told_alive_at_ns_ = 0;
  std::uint64_t stuck_since_ns_ = 0;     ///< Waves have learned nothing since; 0: they do.
  std::vector<std::uint64_t> heard_ns_;  ///< The parent, then the children.
};

template <class F>
void protocol::visit(F&& see) const {
  see(static_cast<std::uint64_t>(phase_)), see(has_work_);
  see(static_cast<std::uint64_t>(awaited_)), see(tries_left_);
  for (const lifeline& each : lifelines_) see(each.is_asked);
  see(waiting_thieves_.size());
  for (const int thief : waiting_thieves_) see(static_cast<std::uint64_t>(thief));
  see(sent_), see(received_);
  options_.uses_ring ? ring_.visit(see) : waves_.visit(see);
  see(static_cast<std::uint64_t>(results_missing_));
  see(static_cast<std::uint64_t>(saves_missing_));
}

}  // namespace filch::dist
