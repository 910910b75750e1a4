// How messages grow with ranks: the protocol on up to 4096 ranks in one process, on a clock of its
// own. A message takes 10 us, a task 10 us, and a rank looks at its messages between two tasks.
#include <filch/base/long_stress.hpp>
#include <filch/dist/simulated_ranks_test.hpp>

#include <bit>
#include <cmath>
#include <queue>

namespace filch::inline v0_2::dist {
namespace {

constexpr std::uint64_t latency_ns = 10'000, task_ns = 10'000;

/// Ranks whose tasks are only counted: `left` tasks on one rank in the beginning.
class timed_run {
 public:
  timed_run(int ranks, std::uint64_t tasks) {
    for (int rank = 0; rank < ranks; ++rank)
      ranks_.push_back(std::make_unique<timed_rank>(*this, rank, ranks));
    ranks_[0]->left = tasks;
    for (auto& each : ranks_) {
      each->machine.begin(each->left > 0, *each);
      if (each->left > 0) work_at(*each, task_ns);
    }
    while (!events_.empty()) {
      const event next = events_.top();
      events_.pop();
      now_ns_ = next.at_ns;
      next.what == nullptr ? ranks_[static_cast<std::size_t>(next.to)]->end_task()
                           : ranks_[static_cast<std::size_t>(next.to)]->machine.on_message(
                                 next.from, *next.what, *ranks_[static_cast<std::size_t>(next.to)]);
      ranks_[static_cast<std::size_t>(next.to)]->machine.on_tick(
          now_ns_, *ranks_[static_cast<std::size_t>(next.to)]);
    }
  }
  bool has_ended() const {
    return std::ranges::all_of(ranks_, [](auto& each) { return each->machine.has_ended(); });
  }
  std::uint64_t total() const { return ranks_[0]->total; }
  std::uint64_t messages() const {
    std::uint64_t sum = 0;
    for (auto& each : ranks_) sum += each->machine.counts().messages_sent;
    return sum;
  }
  std::uint64_t waves() const { return ranks_[0]->machine.counts().waves; }
  /// Of the time of all ranks, the part in tasks.
  double efficiency(std::uint64_t tasks) const {
    return static_cast<double>(tasks * task_ns) /
           (static_cast<double>(now_ns_) * static_cast<double>(ranks_.size()));
  }

 private:
  struct timed_rank final : surroundings {
    timed_rank(timed_run& all, int rank, int ranks)
        : run{all}, machine{{}, rank, ranks}, words{static_cast<std::uint64_t>(rank)} {}
    void send(int to, message what) override {
      run.events_.push({run.now_ns_ + latency_ns, run.order_++, to, machine.rank(),
                        std::make_shared<message>(std::move(what))});
    }
    std::optional<std::string> split() override {
      if (left < 2) return std::nullopt;
      const std::uint64_t share = left / 2;
      left -= share;
      return std::to_string(share);
    }
    void merge(std::string_view work) override {
      if (left == 0) run.work_at(*this, task_ns);
      left += std::stoull(std::string{work});
    }
    std::string result() override { return std::to_string(done); }
    void add_result(std::string_view of_others) override {
      done += std::stoull(std::string{of_others});
    }
    void set_total(std::string_view of_all) override { total = std::stoull(std::string{of_all}); }
    void begin_save() override {}
    void all_saved() override {}
    std::uint64_t random() override { return words(); }
    void end_task() {
      --left;
      ++done;
      if (left > 0) run.work_at(*this, task_ns);
      machine.on_local_work(left > 0, *this);
    }
    timed_run& run;
    protocol machine;
    base::split_mix64 words;
    std::uint64_t left = 0, done = 0, total = 0;
  };
  struct event {
    std::uint64_t at_ns, order;
    int to, from;
    std::shared_ptr<message> what;  ///< Null: a task ends.
    bool operator<(const event& other) const {
      return at_ns != other.at_ns ? at_ns > other.at_ns : order > other.order;
    }
  };
  void work_at(timed_rank& rank, std::uint64_t later_ns) {
    events_.push({now_ns_ + later_ns, order_++, rank.machine.rank(), -1, nullptr});
  }

  std::priority_queue<event> events_;
  std::vector<std::unique_ptr<timed_rank>> ranks_;
  std::uint64_t now_ns_ = 0, order_ = 0;
};

TEST(growth, messages_of_a_run_grow_as_ranks_times_their_logarithm) {
  constexpr std::uint64_t tasks_per_rank = 2000;
  double first = 0;
  for (const int ranks : {16, 64, 256, 1024, 4096}) {
    if (ranks > 256 && !base::is_long_run()) continue;
    const std::uint64_t tasks = tasks_per_rank * static_cast<std::uint64_t>(ranks);
    const timed_run run{ranks, tasks};
    ASSERT_TRUE(run.has_ended());
    ASSERT_EQ(run.total(), tasks);
    const double per = static_cast<double>(run.messages()) / (ranks * std::log2(ranks));
    std::printf("%5d ranks: %8llu messages, %.2f x ranks x log2(ranks), %llu waves, %.3f busy\n",
                ranks, static_cast<unsigned long long>(run.messages()), per,
                static_cast<unsigned long long>(run.waves()), run.efficiency(tasks));
    if (first == 0) first = per;
    EXPECT_LT(per, 2 * first);
  }
}

}  // namespace
}  // namespace filch::dist
