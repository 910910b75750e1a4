// The parts of the protocol one by one: the ranks that a rank knows, the messages that it refuses,
// the ones that it sends.
#include <filch/dist/simulated_ranks_test.hpp>

#include <set>

namespace filch::inline v0_2::dist {
namespace {

std::size_t ranks_reached(int size, int base) {
  std::set<int> seen{0};
  std::vector<int> open{0};
  while (!open.empty()) {
    const int at = open.back();
    open.pop_back();
    for (const int next : lifelines(at, size, base))
      if (seen.insert(next).second) open.push_back(next);
  }
  return seen.size();
}

TEST(lifelines, lead_from_each_rank_to_all_others) {
  for (int size = 1; size <= 300; ++size) {
    for (int base = 2; base <= 5; ++base)
      ASSERT_EQ(ranks_reached(size, base), static_cast<std::size_t>(size)) << base;
    // Every rank has one, and so lies on a cycle through rank 0.
    for (int rank = 0; rank < size && size > 1; ++rank)
      ASSERT_FALSE(lifelines(rank, size, 4).empty()) << rank << " of " << size;
  }
  EXPECT_EQ(ranks_reached(4096, 4), 4096u);
}

TEST(lifelines, lead_back_to_rank_zero_from_all) {
  for (int size = 2; size <= 100; ++size) {
    for (int start = 0; start < size; ++start) {
      std::set<int> seen{start};
      std::vector<int> open{start};
      while (!open.empty()) {
        const int at = open.back();
        open.pop_back();
        for (const int next : lifelines(at, size, 3))
          if (seen.insert(next).second) open.push_back(next);
      }
      ASSERT_TRUE(seen.contains(0)) << start << " of " << size;
    }
  }
}

TEST(lifelines, are_as_many_as_digits_and_no_rank_is_its_own) {
  EXPECT_EQ(lifelines(0, 4096, 4).size(), 6u);
  EXPECT_EQ(lifelines(0, 4096, 2).size(), 12u);
  EXPECT_TRUE(lifelines(0, 1, 4).empty());
  EXPECT_EQ(lifelines(3, 4, 4), std::vector<int>{0});
  for (int rank = 0; rank < 37; ++rank) {
    const auto all = lifelines(rank, 37, 4);
    EXPECT_EQ(std::ranges::count(all, rank), 0);
    EXPECT_EQ(std::set<int>(all.begin(), all.end()).size(), all.size());
  }
}

TEST(random_victim, is_each_other_rank_and_never_oneself) {
  std::set<int> seen;
  base::split_mix64 random{1};
  for (int draw = 0; draw < 1000; ++draw) seen.insert(random_victim(random(), 2, 5));
  EXPECT_EQ(seen, (std::set<int>{0, 1, 3, 4}));
}

TEST(tree, of_any_size_has_each_rank_once_below_its_parent) {
  for (int size = 1; size < 50; ++size) {
    int children = 0;
    for (int rank = 0; rank < size; ++rank) {
      const tree_neighbors at = tree_of(rank, size);
      children += at.child_count();
      for (int child = at.first_child; child < at.end_of_children; ++child)
        EXPECT_EQ(tree_of(child, size).parent, rank);
    }
    EXPECT_EQ(children, size - 1);
  }
}

/// What one rank sends.
class recorded final : public surroundings {
 public:
  void send(int to, message what) override { sent.emplace_back(to, std::move(what)); }
  std::optional<std::string> split() override {
    if (to_share == 0) return std::nullopt;
    --to_share;
    return "some";
  }
  void merge(std::string_view work) override { merged += work; }
  std::string result() override { return "r"; }
  void add_result(std::string_view) override {}
  void set_total(std::string_view) override {}
  void begin_save() override { ++saves; }
  void all_saved() override { ++all_saves; }
  std::uint64_t random() override { return 0; }

  std::vector<std::pair<int, message>> sent;
  std::string merged;
  unsigned to_share = 0, saves = 0, all_saves = 0;
};

TEST(protocol, a_rank_alone_ends_when_it_has_no_work) {
  recorded here;
  protocol machine{{}, 0, 1};
  machine.begin(true, here);
  EXPECT_FALSE(machine.is_over());
  machine.on_local_work(false, here);
  EXPECT_TRUE(machine.has_ended());
  EXPECT_TRUE(here.sent.empty());
}

TEST(protocol, asks_random_victims_first_and_then_its_lifelines_once) {
  recorded here;
  protocol machine{{.random_tries = 2}, 1, 4};
  machine.begin(false, here);
  machine.on_message(0, {.what = kind::refusal}, here);
  machine.on_message(0, {.what = kind::refusal}, here);
  ASSERT_EQ(here.sent.size(), 3u);
  EXPECT_FALSE(here.sent[1].second.is_lifeline);
  EXPECT_EQ(here.sent[2].first, 2);
  EXPECT_TRUE(here.sent[2].second.is_lifeline);
  machine.on_local_work(false, here);
  EXPECT_EQ(here.sent.size(), 3u) << "asks again though its lifeline has not answered";
}

TEST(protocol, remembers_a_lifeline_until_there_is_work_to_share) {
  recorded here;
  protocol machine{{}, 0, 3};
  machine.begin(true, here);
  machine.on_message(2, {.what = kind::request, .is_lifeline = true}, here);
  EXPECT_TRUE(machine.owes_work());
  EXPECT_TRUE(here.sent.empty());
  here.to_share = 1;
  machine.on_local_work(true, here);
  ASSERT_EQ(here.sent.size(), 1u);
  EXPECT_EQ(here.sent[0].second.what, kind::work);
  EXPECT_EQ(here.sent[0].first, 2);
  EXPECT_FALSE(machine.owes_work());
}

TEST(protocol, asks_a_lifeline_again_that_has_given) {
  recorded here;
  protocol machine{{.random_tries = 0}, 1, 2};
  machine.begin(false, here);
  machine.on_message(0, {.what = kind::work, .is_lifeline = true, .payload = "more"}, here);
  EXPECT_EQ(here.merged, "more");
  machine.on_local_work(false, here);
  ASSERT_EQ(here.sent.size(), 2u);
  EXPECT_TRUE(here.sent[1].second.is_lifeline);
}

TEST(protocol, what_cannot_come_ends_the_run_with_a_reason) {
  const std::pair<int, message> impossible[] = {
      {1, {.what = kind::refusal}},
      {1, {.what = kind::work}},
      {1, {.what = kind::work, .is_lifeline = true}},
      {1, {.what = kind::counts}},
      {1, {.what = kind::wave}},
      {1, {.what = kind::finish}},
      {1, {.what = kind::result}},
      {1, {.what = kind::total}},
      {1, {.what = kind::saved}},
      {1, {.what = kind::resume}},
      {1, {.what = kind::token}},
      {7, {.what = kind::request}},
      {-1, {.what = kind::alive}},
      {0, {.what = kind::request}},
  };
  for (const auto& [from, what] : impossible) {
    recorded here;
    protocol machine{{}, 0, 4};
    machine.begin(true, here);
    machine.on_message(from, what, here);
    EXPECT_TRUE(machine.has_failed()) << static_cast<int>(what.what) << " from " << from;
    EXPECT_NE(machine.failure().find("rank 0"), std::string::npos);
    ASSERT_EQ(here.sent.size(), 2u) << "tells its children";
    EXPECT_EQ(here.sent[0].second.what, kind::abort);
  }
}

TEST(protocol, a_lifeline_that_asks_twice_ends_the_run) {
  recorded here;
  protocol machine{{}, 0, 4};
  machine.begin(true, here);
  machine.on_message(1, {.what = kind::request, .is_lifeline = true}, here);
  machine.on_message(1, {.what = kind::request, .is_lifeline = true}, here);
  EXPECT_TRUE(machine.has_failed());
}

TEST(protocol, a_neighbor_that_is_silent_for_too_long_ends_the_run) {
  recorded here;
  protocol machine{{.patience_ns = 1000}, 0, 2};
  machine.begin(true, here);
  machine.on_tick(1, here);
  machine.on_tick(1001, here);
  EXPECT_FALSE(machine.has_failed());
  machine.on_message(1, {.what = kind::alive}, here);
  machine.on_tick(1900, here);
  EXPECT_FALSE(machine.has_failed());
  machine.on_tick(2500, here);
  EXPECT_EQ(machine.failure(), "rank 0 has heard nothing of rank 1");
}

TEST(protocol, gives_no_work_while_a_checkpoint_is_written) {
  recorded here;
  here.to_share = 9;
  protocol machine{{}, 0, 2};
  machine.begin(true, here);
  machine.begin_checkpoint(here);
  machine.on_message(1, {.what = kind::request}, here);
  EXPECT_EQ(here.sent.back().second.what, kind::refusal);
  machine.on_message(1, {.what = kind::counts, .sent = 1, .received = 1, .busy = 1}, here);
  machine.on_message(1, {.what = kind::counts, .sent = 1, .received = 1, .busy = 1}, here);
  EXPECT_EQ(here.saves, 1u) << "two waves with the same counts";
  machine.on_saved(here);
  EXPECT_EQ(here.all_saves, 0u) << "rank 1 has not written";
  machine.on_message(1, {.what = kind::saved}, here);
  EXPECT_EQ(here.all_saves, 1u);
  EXPECT_TRUE(machine.is_stealing());
}

TEST(links, tell_what_was_lost_and_drop_what_comes_twice) {
  links sender{{.epoch = 3}, 0, 2}, receiver{{.epoch = 3}, 1, 2};
  const message said{.what = kind::work, .is_lifeline = true, .payload = std::string(300, 'x')};
  const std::string first = sender.encode(1, said), second = sender.encode(1, said),
                    third = sender.encode(1, said);
  EXPECT_EQ(std::get<message>(receiver.decode(0, first)), said);
  EXPECT_EQ(std::get<dropped>(receiver.decode(0, first)), dropped::repeated);
  EXPECT_EQ(std::get<broken>(receiver.decode(0, third)).reason,
            "messages 1 to 1 from rank 0 to rank 1 are lost");
  EXPECT_EQ(std::get<message>(receiver.decode(0, second)), said);
}

TEST(links, refuse_another_run_program_or_version) {
  links receiver{{.epoch = 3, .signature = 8}, 1, 2};
  const message said{.what = kind::alive};
  const auto of = [&](run_identity run) { return links{run, 0, 2}.encode(1, said); };
  EXPECT_EQ(std::get<dropped>(receiver.decode(0, of({2, 8}))), dropped::stale);
  EXPECT_NE(std::get<broken>(receiver.decode(0, of({3, 9}))).reason, "");
  EXPECT_NE(std::get<broken>(receiver.decode(0, of({4, 8}))).reason, "");
  std::string newer = of({3, 8});
  newer[0] = 9;
  EXPECT_NE(std::get<broken>(receiver.decode(0, newer)).reason.find("format 9"), std::string::npos);
  EXPECT_NE(std::get<broken>(receiver.decode(0, "")).reason, "");
  EXPECT_EQ(std::get<message>(receiver.decode(0, of({3, 8}))), said);
}

}  // namespace
}  // namespace filch::dist
