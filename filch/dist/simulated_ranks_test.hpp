#pragma once
// Ranks in one process: the protocol over queues of bytes, in an order that a seed decides. A task
// is the root of a tree that exists only as a rule, so each run has one right count.
#include <filch/base/rng.hpp>
#include <filch/dist/protocol.hpp>
#include <filch/dist/wire.hpp>
#include <filch/trace/bytes.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace filch::inline v0_2::dist {

/// A task, and the rule for its children: fewer with each level.
struct tree_task {
  std::uint64_t word;
  std::uint64_t levels;

  std::vector<tree_task> children() const {
    std::vector<tree_task> made;
    if (levels == 0) return made;
    base::split_mix64 random{word};
    for (std::uint64_t left = random() % 4; left > 0; --left)
      made.push_back({random(), levels - 1});
    return made;
  }
  std::uint64_t count() const {
    std::uint64_t sum = 1;
    for (const tree_task& each : children()) sum += each.count();
    return sum;
  }
};

inline std::string bytes_of(const std::vector<tree_task>& tasks) {
  trace::byte_writer out;
  for (const tree_task& each : tasks) out.put(each.word), out.put(each.levels);
  return out.release();
}
inline void append_tasks(std::vector<tree_task>& to, std::string_view bytes) {
  trace::byte_reader in{bytes, "a bag"};
  while (in.left() != 0) {
    const std::uint64_t word = in.take();
    to.push_back({word, in.take()});
  }
}

/// What one run is like.
struct simulated_options {
  int ranks = 3;
  protocol_options protocol{};
  std::uint64_t grain = 1;         ///< Tasks that are not split.
  std::vector<tree_task> roots{};  ///< Dealt out in turn to `rooted` ranks.
  int rooted = 1;
  bool writes_checkpoints = false;  ///< At random moments.
  /// Out of 1,000 messages.
  unsigned lost = 0, repeated = 0, stale = 0, overtaking = 0;
  std::uint64_t lost_at = ~std::uint64_t{0};  ///< The number of one message that is lost.
};

class simulated_run;

/// One rank of it.
class simulated_rank final : public surroundings {
 public:
  simulated_rank(simulated_run& run, const simulated_options& options, int rank)
      : machine{options.protocol, rank, options.ranks},
        links_{{.epoch = 2, .signature = 77}, rank, options.ranks},
        run_{run},
        grain_{options.grain} {}

  void work_once() {
    const tree_task next = tasks.back();
    tasks.pop_back();
    ++count;
    for (const tree_task& each : next.children()) tasks.push_back(each);
    machine.on_local_work(!tasks.empty(), *this);
  }
  void receive(int from, std::string_view bytes);

  void send(int to, message what) override;
  std::optional<std::string> split() override {
    if (tasks.size() < 2 * grain_) return std::nullopt;
    const auto middle = tasks.begin() + static_cast<std::ptrdiff_t>(tasks.size() / 2);
    const std::vector<tree_task> share(tasks.begin(), middle);  // the oldest are the biggest
    tasks.erase(tasks.begin(), middle);
    return bytes_of(share);
  }
  void merge(std::string_view work) override { append_tasks(tasks, work); }
  std::string result() override {
    trace::byte_writer out;
    out.put(count);
    return out.release();
  }
  void add_result(std::string_view of_others) override {
    count += trace::byte_reader{of_others, "a result"}.take();
  }
  void set_total(std::string_view of_all) override {
    total = trace::byte_reader{of_all, "a total"}.take();
  }
  void begin_save() override { is_saving = true; }
  void save() {
    is_saving = false;
    saved_tasks = tasks;
    saved_count = count;
    machine.on_saved(*this);
  }
  void all_saved() override;
  std::uint64_t random() override;

  protocol machine;
  std::vector<tree_task> tasks;
  std::uint64_t count = 0;
  std::optional<std::uint64_t> total;
  bool is_saving = false;
  std::vector<tree_task> saved_tasks;
  std::uint64_t saved_count = 0;
  std::uint64_t dropped = 0;

 private:
  friend class simulated_run;
  links links_;
  simulated_run& run_;
  std::uint64_t grain_;
};

/// All ranks and what is under way between them.
class simulated_run {
 public:
  simulated_run(const simulated_options& options, std::uint64_t seed)
      : options_{options}, random_{seed}, pairs_(square(options.ranks)) {
    for (int rank = 0; rank < options.ranks; ++rank)
      ranks.push_back(std::make_unique<simulated_rank>(*this, options, rank));
    for (std::size_t at = 0; at < options.roots.size(); ++at)
      ranks[at % static_cast<std::size_t>(options.rooted)]->tasks.push_back(options.roots[at]);
    for (const tree_task& each : options.roots) expected += each.count();
    // Some pairs are slow, and some ranks work slowly, for the whole run.
    for (std::size_t at = 0; at < pairs_.size(); ++at) pairs_[at].weight = 1 + random_() % 2 * 20;
    while (work_weights_.size() < ranks.size()) work_weights_.push_back(1 + random_() % 3 * 10);
    for (auto& each : ranks) each->machine.begin(!each->tasks.empty(), *each);
  }

  /// Runs to the end. False: it did not end within `most_events`.
  bool run(std::uint64_t most_events) {
    for (std::uint64_t event = 0; event < most_events; ++event) {
      if (all_over()) return true;
      if (options_.writes_checkpoints && random_() % 64 == 0)
        ranks[0]->machine.begin_checkpoint(*ranks[0]);
      if (!act()) pass_time();
      if (has_error()) return true;
    }
    return false;
  }
  bool all_over() const {
    return std::ranges::all_of(ranks, [](auto& each) { return each->machine.is_over(); });
  }
  bool has_error() const { return !error.empty(); }
  bool any_failed() const {
    return std::ranges::any_of(ranks, [](auto& each) { return each->machine.has_failed(); });
  }
  bool is_clean() const {
    return std::ranges::all_of(pairs_, [](const pair& each) { return each.under_way.empty(); });
  }
  std::uint64_t messages() const {
    std::uint64_t sum = 0;
    for (auto& each : ranks) sum += each->machine.counts().messages_sent;
    return sum;
  }

  void send(int from, int to, std::string bytes, bool is_work) {
    pair& way = at(from, to);
    if (is_work) ++work_under_way_;
    const std::uint64_t dice = random_() % 1000;
    if (dice < options_.lost || sent_++ == options_.lost_at) return static_cast<void>(++faults);
    if (dice < options_.lost + options_.stale) way.under_way.push_back(stale(from, to));
    const bool overtakes = random_() % 1000 < options_.overtaking && !way.under_way.empty();
    if (overtakes) ++faults;
    const bool comes_twice = dice >= 1000 - options_.repeated;
    way.under_way.insert(overtakes ? way.under_way.end() - 1 : way.under_way.end(),
                         {bytes, is_work});
    if (comes_twice) way.under_way.push_back({std::move(bytes), false});
  }
  /// What no rank may conclude too early.
  void check_quiet(int who) {
    for (auto& each : ranks)
      if (!each->tasks.empty()) error = "rank " + std::to_string(who) + " ended before others";
    if (work_under_way_ != 0 && faults == 0) error = "the end came before a message of stealing";
  }
  void check_saved() {
    ++checkpoints;
    std::uint64_t sum = 0;
    for (auto& each : ranks) {
      sum += each->saved_count;
      for (const tree_task& task : each->saved_tasks) sum += task.count();
    }
    if (sum != expected) error = "a checkpoint holds " + std::to_string(sum) + " tasks";
  }
  std::uint64_t draw() { return random_(); }

  std::vector<std::unique_ptr<simulated_rank>> ranks;
  std::uint64_t expected = 0;
  std::uint64_t faults = 0, checkpoints = 0;
  std::string error;

 private:
  struct letter {
    std::string bytes;
    bool is_work;
  };
  struct pair {
    std::deque<letter> under_way;
    std::uint64_t weight;
  };
  static std::size_t square(int ranks) { return static_cast<std::size_t>(ranks * ranks); }
  pair& at(int from, int to) {
    return pairs_[static_cast<std::size_t>(from * options_.ranks + to)];
  }
  letter stale(int from, int to) {
    links earlier{{.epoch = 1, .signature = 77}, from, options_.ranks};
    return {earlier.encode(to, {.what = kind::work, .payload = "of an earlier run"}), false};
  }

  /// One event, by the weights. False: nothing can happen but that time passes.
  bool act() {
    std::uint64_t sum = 0;
    for (const pair& each : pairs_) sum += each.under_way.empty() ? 0 : each.weight;
    for (std::size_t at = 0; at < ranks.size(); ++at) sum += weight_of_work(at);
    if (sum == 0) return false;
    std::uint64_t dice = random_() % sum;
    for (std::size_t at = 0; at < ranks.size(); ++at) {
      if (dice < weight_of_work(at)) return work(*ranks[at]), true;
      dice -= weight_of_work(at);
    }
    for (std::size_t at = 0; at < pairs_.size(); ++at) {
      const std::uint64_t weight = pairs_[at].under_way.empty() ? 0 : pairs_[at].weight;
      if (dice < weight) return deliver(at), true;
      dice -= weight;
    }
    return true;
  }
  std::uint64_t weight_of_work(std::size_t at) const {
    const simulated_rank& each = *ranks[at];
    if (each.machine.is_over()) return 0;
    return each.is_saving || !each.tasks.empty() ? work_weights_[at] : 0;
  }
  static void work(simulated_rank& rank) { rank.is_saving ? rank.save() : rank.work_once(); }
  void deliver(std::size_t place) {
    const int from = static_cast<int>(place) / options_.ranks,
              to = static_cast<int>(place) % options_.ranks;
    letter next = std::move(pairs_[place].under_way.front());
    pairs_[place].under_way.pop_front();
    if (next.is_work) --work_under_way_;
    ranks[static_cast<std::size_t>(to)]->receive(from, next.bytes);
  }
  void pass_time() {
    now_ns_ += 1 + options_.protocol.patience_ns / 10;
    for (auto& each : ranks) each->machine.on_tick(now_ns_, *each);
  }

  simulated_options options_;
  base::split_mix64 random_;
  std::vector<pair> pairs_;
  std::vector<std::uint64_t> work_weights_;
  std::uint64_t work_under_way_ = 0, sent_ = 0;
  std::uint64_t now_ns_ = 1;
};

inline void simulated_rank::send(int to, message what) {
  if (what.what == kind::finish && machine.rank() == 0) run_.check_quiet(0);
  run_.send(machine.rank(), to, links_.encode(to, what), is_counted(what.what));
}
inline void simulated_rank::receive(int from, std::string_view bytes) {
  arrival come = links_.decode(from, bytes);
  if (auto* const problem = std::get_if<broken>(&come)) {
    machine.fail(problem->reason, *this);
  } else if (auto* const what = std::get_if<message>(&come)) {
    machine.on_message(from, *what, *this);
  } else {
    ++dropped;
  }
}
inline void simulated_rank::all_saved() { run_.check_saved(); }
inline std::uint64_t simulated_rank::random() { return run_.draw(); }

}  // namespace filch::dist
