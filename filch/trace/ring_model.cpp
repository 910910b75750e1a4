// The recorder's ring under every interleaving: a reader returns records as they were written, and
// none of another owner.
#include <filch/testing/model/witness.hpp>

#include <filch/trace/ring.hpp>

#include <array>

namespace {

using filch::testing::checked_sync;
using filch::testing::holds;
using filch::testing::model_assert;
using filch::testing::scenario;
using filch::trace::edge;
using filch::trace::item;
using filch::trace::item_range;

using word = checked_sync::atomic<std::uint64_t>;

constexpr std::uint64_t capacity = 2;

item made(std::uint64_t index) { return {index + 10, index + 20}; }

struct small_ring {
  word head{0};
  std::array<word, 2 * capacity> words;
  filch::trace::basic_ring<checked_sync> ring{head, words.data(), capacity};
};

void expect_whole(item_range copied, const std::array<item, capacity>& copies) {
  for (std::uint64_t i = copied.first; i < copied.end; ++i) {
    model_assert(copies[i % capacity] == made(i),
                 "what a reader keeps is one record, and the one it takes it for");
  }
}

/// A reader copies while the writer comes round once.
template <std::uint64_t Count>
struct read_while_it_wraps : scenario<2> {
  small_ring shared;
  void thread(unsigned index) override {
    if (index == 0) {
      for (std::uint64_t i = 0; i < Count; ++i) shared.ring.push(made(i));
    } else {
      expect_whole(read(0), copies);
    }
  }
  item_range read(std::uint64_t first) {
    const item_range copied = shared.ring.copy(first, copies.data());
    model_assert(copied.end <= Count && copied.first <= copied.end, "a range of what was written");
    return copied;
  }
  void after() override {
    const item_range all = read(0);
    expect_whole(all, copies);
    model_assert(all == item_range{Count < capacity ? 0 : Count - capacity + 1, Count},
                 "at rest nothing is missing but the oldest");
    model_assert(read(Count - 1) == item_range{Count - 1, Count}, "or what was not asked for");
  }
  std::array<item, capacity> copies{};
};

/// A ring that was one worker's is given to another, which fills it, while a reader looks for the
/// first one's records.
struct ring_that_changes_hands : scenario<2> {
  small_ring shared;
  filch::trace::basic_ownership<checked_sync> hold;
  static constexpr std::uint64_t first_owner = 1, second_owner = 2;
  ring_that_changes_hands() {
    hold.hand_to(first_owner, 0);
    shared.ring.push(made(0));
  }
  void thread(unsigned index) override {
    if (index == 0) {
      hold.hand_to(second_owner, 1);
      shared.ring.push(made(1));
    } else {
      std::array<item, capacity> copies{};
      const std::uint64_t owner = hold.owner();
      const item_range copied = hold.copy_of(owner, shared.ring, copies.data());
      expect_whole(copied, copies);
      for (std::uint64_t i = copied.first; i < copied.end; ++i) {
        model_assert(owner == (i == 0 ? first_owner : second_owner),
                     "a record is taken for its own writer's");
      }
    }
  }
};

/// The recorder builds a `ring_writer` and hands it over; the worker writes through it.
struct writer_handed_to_its_worker : scenario<2> {
  checked_sync::plain<int> ring_writer{0};
  filch::trace::basic_switch<checked_sync, checked_sync::plain<int>> active;
  void thread(unsigned index) override {
    if (index == 0) {
      ring_writer.write(1);
      active.on(ring_writer);
    } else if (const auto* const found = active.get()) {
      model_assert(found->read() == 1, "a worker that finds its ring writer finds it built");
      active.off();
    }
  }
};

}  // namespace

TEST(ring_model, a_reader_beside_a_writer_that_has_room) {
  EXPECT_TRUE(holds<read_while_it_wraps<1>>());
}
TEST(ring_model, a_reader_beside_a_writer_that_comes_round) {
  EXPECT_TRUE(holds<read_while_it_wraps<3>>());
}
TEST(ring_model, a_reader_beside_a_writer_that_comes_round_twice) {
  EXPECT_TRUE(holds<read_while_it_wraps<5>>());
}
TEST(ring_model, a_ring_changes_hands) { EXPECT_TRUE(holds<ring_that_changes_hands>()); }
TEST(ring_model, a_ring_writer_is_handed_to_its_worker) {
  EXPECT_TRUE(holds<writer_handed_to_its_worker>());
}

WITNESS(edge::publish, "what a reader keeps is one record, and the one it takes it for",
        read_while_it_wraps<3>, read_while_it_wraps<1>);
WITNESS(edge::overwrite, "what a reader keeps is one record, and the one it takes it for",
        read_while_it_wraps<3>);
WITNESS(edge::change_hands, "a record is taken for its own writer's", ring_that_changes_hands);
WITNESS(edge::switch_on, "a worker that finds its ring writer finds it built",
        writer_handed_to_its_worker);
