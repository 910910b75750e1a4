// The table of sites under every interleaving: an address has one number, a number one address, and
// a thread that is handed a number finds its address.
#include <filch/testing/model/witness.hpp>

#include <filch/trace/ring.hpp>
#include <filch/trace/sites.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace {

using filch::testing::checked_sync;
using filch::testing::holds;
using filch::testing::model_assert;
using filch::testing::scenario;
using filch::trace::item;
using filch::trace::item_range;

using word = checked_sync::atomic<std::uint64_t>;

// Their searches begin at the same place, as for all addresses whose product has the same upper
// half.
constexpr std::uint64_t one = 1 << 20, other = 2 << 20;

template <std::size_t Capacity>
struct small_table {
  std::array<word, Capacity> words{};
  filch::trace::basic_site_table<checked_sync> table{words.data(), Capacity};

  std::uint32_t add(std::uint64_t address) {
    const std::uint32_t number = table.number_of(address);
    model_assert(number == 0 || table.address_of(number) == address,
                 "a thread that got a number finds its address there");
    return number;
  }
};

/// Two threads meet an address at the same time.
struct same_address_twice : scenario<2> {
  small_table<2> shared;
  std::array<std::uint32_t, 2> numbers{};
  void thread(unsigned index) override { numbers[index] = shared.add(one); }
  void after() override {
    model_assert(numbers[0] != 0 && numbers[0] == numbers[1], "an address has one number");
    model_assert(shared.table.address_of(3 - numbers[0]) == 0, "and takes one place");
  }
};

/// Two threads meet two addresses in opposite orders. In a table of one place there is room for the
/// first only.
template <std::size_t Capacity>
struct two_addresses_crosswise : scenario<2> {
  small_table<Capacity> shared;
  std::array<std::array<std::uint32_t, 2>, 2> numbers{};
  void thread(unsigned index) override {
    numbers[index][index] = shared.add(index == 0 ? one : other);
    numbers[index][1 - index] = shared.add(index == 0 ? other : one);
  }
  void after() override {
    model_assert(numbers[0] == numbers[1], "an address has one number, and keeps it");
    model_assert(numbers[0][0] != numbers[0][1], "a number has one address");
    const auto without = std::ranges::count(numbers[0], 0U);
    model_assert(without == 2 - static_cast<std::ptrdiff_t>(Capacity),
                 "there is no number only where there is no room");
  }
};

/// The writer of a record may have found the address that another thread put there. The record's
/// reader finds it all the same, by the ring's order.
struct number_in_a_record : scenario<3> {
  small_table<2> shared;
  word head{0};
  std::array<word, 4> places{};
  filch::trace::basic_ring<checked_sync> ring{head, places.data(), 2};
  void thread(unsigned index) override {
    if (index == 2) return read();
    const std::uint32_t number = shared.add(one);
    if (index == 0) ring.push({number, 0});
  }
  void read() {
    std::array<item, 2> copies{};
    const item_range copied = ring.copy(0, copies.data());
    if (copied.end == 0) return;
    model_assert(shared.table.address_of(static_cast<std::uint32_t>(copies[0][0])) == one,
                 "a reader that is handed a number finds its address");
  }
};

}  // namespace

TEST(sites_model, an_address_that_two_meet_has_one_number) {
  EXPECT_TRUE(holds<same_address_twice>());
}
TEST(sites_model, two_addresses_have_two_numbers) {
  EXPECT_TRUE(holds<two_addresses_crosswise<2>>());
}
TEST(sites_model, a_full_table_gives_no_number_to_either) {
  EXPECT_TRUE(holds<two_addresses_crosswise<1>>());
}
TEST(sites_model, a_number_in_a_record_has_its_address) {
  EXPECT_TRUE(holds<number_in_a_record>());
}
