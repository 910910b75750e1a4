// All executions of three ranks with few tasks: every order of messages and work, every victim.
#include <filch/base/long_stress.hpp>
#include <filch/dist/protocol.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace filch::inline v0_2::dist {
namespace {

/// A model: tasks are counted only.
struct model {
  int ranks = 3;
  std::array<unsigned, 3> tasks{};  ///< In the beginning.
  protocol_options protocol{};
  unsigned checkpoints = 0;
};

/// The state of all ranks and of what is under way.
struct world {
  struct rank {
    protocol machine;
    unsigned tasks = 0, done = 0;
    std::optional<unsigned> total{};
    bool is_saving = false;
    unsigned saved = 0;
  };
  std::vector<rank> ranks;
  std::vector<std::deque<message>> pairs;
  unsigned checkpoints_left = 0;
  std::string error;

  bool is_over() const {
    for (const rank& each : ranks)
      if (!each.machine.is_over()) return false;
    for (const auto& each : pairs)
      if (!each.empty()) return false;
    return true;
  }
};

/// One rank's surroundings for the time of one step, in which all random words are `random_word`.
class one_rank final : public surroundings {
 public:
  one_rank(world& all, std::size_t me, std::uint64_t random_word, bool& has_drawn)
      : all_{all}, me_{me}, random_word_{random_word}, has_drawn_{has_drawn} {}

  void send(int to, message what) override {
    if (what.what == kind::finish && me_ == 0) expect_quiet();
    all_.pairs[me_ * all_.ranks.size() + static_cast<std::size_t>(to)].push_back(std::move(what));
  }
  std::optional<std::string> split() override {
    if (here().tasks < 2) return std::nullopt;
    const unsigned share = here().tasks / 2;
    here().tasks -= share;
    return std::to_string(share);
  }
  void merge(std::string_view work) override {
    here().tasks += static_cast<unsigned>(std::stoul(std::string{work}));
  }
  std::string result() override { return std::to_string(here().done); }
  void add_result(std::string_view of_others) override {
    here().done += static_cast<unsigned>(std::stoul(std::string{of_others}));
  }
  void set_total(std::string_view of_all) override {
    here().total = static_cast<unsigned>(std::stoul(std::string{of_all}));
  }
  void begin_save() override { here().is_saving = true; }
  void all_saved() override {
    unsigned sum = 0;
    for (const world::rank& each : all_.ranks) sum += each.saved;
    if (sum != task_count()) all_.error = "a checkpoint lacks tasks or has them twice";
  }
  std::uint64_t random() override {
    has_drawn_ = true;
    return random_word_;
  }

 private:
  world::rank& here() { return all_.ranks[me_]; }
  unsigned task_count() const {
    unsigned sum = 0;
    for (const world::rank& each : all_.ranks) sum += each.tasks + each.done;
    return sum;
  }
  void expect_quiet() {
    for (const world::rank& each : all_.ranks)
      if (each.tasks != 0) all_.error = "the end came while a rank had work";
    for (const auto& pair : all_.pairs)
      for (const message& each : pair)
        if (is_counted(each.what)) all_.error = "the end came before a message of stealing";
  }

  world& all_;
  std::size_t me_;
  std::uint64_t random_word_;
  bool& has_drawn_;
};

using fingerprint = std::pair<std::uint64_t, std::uint64_t>;

/// 128 bits of a state: two states of ten million share one with a chance below 10^-24.
fingerprint fingerprint_of(const world& all) {
  std::uint64_t a = 0x9e3779b97f4a7c15u, b = 0xc2b2ae3d27d4eb4fu;
  const auto see = [&](std::uint64_t value) {
    a = (a ^ value) * 0xff51afd7ed558ccdu;
    a ^= a >> 32;
    b = (b + value + 1) * 0xc4ceb9fe1a85ec53u;
    b ^= b >> 29;
  };
  for (const world::rank& each : all.ranks) {
    each.machine.visit(see);
    see(each.tasks), see(each.done), see(each.total.value_or(99)), see(each.is_saving);
    see(each.saved);
  }
  for (const auto& pair : all.pairs) {
    see(pair.size());
    for (const message& each : pair) {
      see(static_cast<std::uint64_t>(each.what)), see(each.is_lifeline), see(each.is_black);
      see(each.sent), see(each.received), see(each.busy), see(each.payload.size());
      for (const char byte : each.payload) see(static_cast<std::uint64_t>(byte));
    }
  }
  see(all.checkpoints_left);
  return {a, b};
}

struct hash {
  std::size_t operator()(const fingerprint& at) const { return at.first; }
};

/// Breadth first. Then it goes back from the states in which all is over: a state from which none
/// can be reached would be a run that never ends.
class search {
 public:
  explicit search(const model& of) : model_{of} {}

  /// What is wrong, if anything.
  std::string run() {
    world first;
    const auto size = static_cast<std::size_t>(model_.ranks);
    for (int rank = 0; rank < model_.ranks; ++rank)
      first.ranks.push_back({protocol{model_.protocol, rank, model_.ranks},
                             model_.tasks[static_cast<std::size_t>(rank)]});
    first.pairs.resize(size * size);
    first.checkpoints_left = model_.checkpoints;
    begin_ranks(first, 0);
    while (!queue_.empty() && problem_.empty()) {
      const auto [at, state] = std::move(queue_.front());
      queue_.pop_front();
      expand(at, state);
    }
    return problem_.empty() ? what_never_ends() : problem_;
  }
  std::size_t states() const { return numbers_.size(); }

 private:
  static constexpr std::uint64_t words[] = {0, ~std::uint64_t{0}};  // the first and last victim

  /// Runs `act` on a copy, for each way to draw.
  template <class F>
  void branch(std::uint32_t from, const world& state, std::size_t rank, F&& act) {
    for (const std::uint64_t word : words) {
      world next = state;
      bool has_drawn = false;
      one_rank here{next, rank, word, has_drawn};
      act(next, next.ranks[rank], here);
      reach(from, std::move(next));
      if (!has_drawn) return;
    }
  }
  void begin_ranks(world& state, std::size_t rank) {
    if (rank == state.ranks.size()) return reach(none, state);
    for (const std::uint64_t word : words) {
      world next = state;
      bool has_drawn = false;
      one_rank here{next, rank, word, has_drawn};
      next.ranks[rank].machine.begin(next.ranks[rank].tasks > 0, here);
      begin_ranks(next, rank + 1);
      if (!has_drawn) return;
    }
  }
  void expand(std::uint32_t at, const world& state) {
    if (state.is_over()) return check_end(at, state);
    for (std::size_t rank = 0; rank < state.ranks.size(); ++rank) {
      const world::rank& each = state.ranks[rank];
      if (each.tasks > 0)
        branch(at, state, rank, [](world&, world::rank& me, surroundings& here) {
          --me.tasks;
          ++me.done;
          me.machine.on_local_work(me.tasks > 0, here);
        });
      if (each.is_saving)
        branch(at, state, rank, [](world&, world::rank& me, surroundings& here) {
          me.is_saving = false;
          me.saved = me.tasks + me.done;
          me.machine.on_saved(here);
        });
    }
    if (state.checkpoints_left > 0)
      branch(at, state, 0, [](world& all, world::rank& me, surroundings& here) {
        --all.checkpoints_left;
        me.machine.begin_checkpoint(here);
      });
    for (std::size_t pair = 0; pair < state.pairs.size(); ++pair) {
      if (state.pairs[pair].empty()) continue;
      const std::size_t size = state.ranks.size();
      branch(at, state, pair % size, [&](world& all, world::rank& me, surroundings& here) {
        const message come = std::move(all.pairs[pair].front());
        all.pairs[pair].pop_front();
        me.machine.on_message(static_cast<int>(pair / size), come, here);
      });
    }
  }
  void reach(std::uint32_t from, world next) {
    if (!next.error.empty()) problem_ = next.error;
    for (const world::rank& each : next.ranks)
      if (each.machine.has_failed()) problem_ = each.machine.failure();
    const auto [at, is_new] =
        numbers_.try_emplace(fingerprint_of(next), static_cast<std::uint32_t>(numbers_.size()));
    if (from != none) back_.emplace_back(at->second, from);
    if (is_new) queue_.emplace_back(at->second, std::move(next));
  }
  void check_end(std::uint32_t at, const world& state) {
    ends_.push_back(at);
    unsigned sum = 0;
    for (const unsigned each : model_.tasks) sum += each;
    for (const world::rank& each : state.ranks)
      if (each.total != sum) problem_ = "a rank has a wrong total";
  }
  /// Empty if each state can reach an end.
  std::string what_never_ends() {
    std::vector<std::vector<std::uint32_t>> before(numbers_.size());
    for (const auto& [to, from] : back_) before[to].push_back(from);
    std::vector<bool> can_end(numbers_.size());
    std::vector<std::uint32_t> open = ends_;
    std::size_t ending = 0;
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      if (can_end[at]) continue;
      can_end[at] = true;
      ++ending;
      open.insert(open.end(), before[at].begin(), before[at].end());
    }
    return ending == numbers_.size() ? "" : "some states cannot reach an end";
  }

  static constexpr std::uint32_t none = ~std::uint32_t{0};
  model model_;
  std::deque<std::pair<std::uint32_t, world>> queue_;
  std::unordered_map<fingerprint, std::uint32_t, hash> numbers_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> back_;
  std::vector<std::uint32_t> ends_;
  std::string problem_;
};

void expect_all_executions_end_well(const char* name, const model& of) {
  search all{of};
  EXPECT_EQ(all.run(), "");
  std::printf(
      "evidence: {\"kind\": \"explorer\", \"name\": \"%s\", \"states\": %zu, "
      "\"complete\": true}\n",
      name, all.states());
}

/// Waves without pauses, as the model knows no time.
protocol_options untimed(unsigned tries, int base, bool uses_ring = false) {
  protocol_options made;
  made.random_tries = tries;
  made.lifeline_base = base;
  made.wave_pause_ns = 0;
  made.uses_ring = uses_ring;
  return made;
}

/// Few here, more in `./test --long`.
unsigned tasks(unsigned few, unsigned many) {
  return static_cast<unsigned>(base::long_count(few, many));
}

TEST(three_ranks, end_with_all_tasks_done_once_if_one_has_them) {
  expect_all_executions_end_well("one_rank_has_tasks",
                                 {.tasks = {tasks(4, 6), 0, 0}, .protocol = untimed(1, 4)});
}

TEST(three_ranks, end_with_all_tasks_done_once_if_each_has_some) {
  expect_all_executions_end_well("each_rank_has_tasks",
                                 {.tasks = {1, tasks(2, 4), 1}, .protocol = untimed(1, 2)});
}

TEST(three_ranks, end_with_all_tasks_done_once_if_a_leaf_of_the_tree_has_them) {
  expect_all_executions_end_well("a_leaf_has_tasks",
                                 {.tasks = {0, 0, tasks(4, 5)}, .protocol = untimed(1, 2)});
}

TEST(three_ranks, end_with_all_tasks_done_once_by_lifelines_alone) {
  expect_all_executions_end_well("lifelines_alone",
                                 {.tasks = {0, 0, tasks(8, 12)}, .protocol = untimed(0, 2)});
}

TEST(three_ranks, write_checkpoints_with_each_task_once) {
  expect_all_executions_end_well(
      "checkpoints", {.tasks = {0, tasks(2, 4), 0}, .protocol = untimed(1, 4), .checkpoints = 1});
}

TEST(three_ranks, end_in_the_ring_too) {
  expect_all_executions_end_well("ring",
                                 {.tasks = {tasks(3, 4), 0, 0}, .protocol = untimed(1, 4, true)});
}

}  // namespace
}  // namespace filch::dist
