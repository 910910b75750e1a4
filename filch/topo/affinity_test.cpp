#include <filch/topo/affinity.hpp>

#include <filch/topo/cpu_list.hpp>
#include <filch/topo/cpu_mask.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

namespace filch::inline v0_2::topo {
namespace {

/// Runs `body`, which must throw, and returns the message of the error. On systems without affinity
/// every call throws.
template <class Body>
std::string error_of(Body&& body) {
  try {
    body();
  } catch (const std::system_error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

class affinity : public testing::Test {
 protected:
  affinity() {
    if (has_affinity()) {
      before = current_affinity();
    }
  }
  ~affinity() override {
    if (has_affinity()) {
      set_current_affinity(before);
    }
  }
  std::vector<unsigned> before;
};

TEST_F(affinity, a_pinned_thread_has_one_cpu_and_gets_the_others_back) {
  if (!has_affinity()) {
    EXPECT_THROW(pin_current_thread(0), std::system_error);
    return;
  }
  pin_current_thread(before.back());
  EXPECT_EQ(current_affinity(), std::vector<unsigned>{before.back()});
  set_current_affinity(before);
  EXPECT_EQ(current_affinity(), before);
}

TEST_F(affinity, a_cpu_that_does_not_exist_is_named) {
  const unsigned absent = max_cpu_number - 1;
  EXPECT_NE(error_of([&] { pin_current_thread(absent); }).find(std::to_string(absent)),
            std::string::npos);
}

TEST_F(affinity, a_cpu_number_beyond_all_kernels_is_named) {
  EXPECT_NE(error_of([] { pin_current_thread(4'000'000'000u); }).find("4000000000"),
            std::string::npos);
}

TEST_F(affinity, an_empty_set_is_refused) {
  EXPECT_THROW(set_current_affinity({}), std::system_error);
}

TEST_F(affinity, a_thread_that_is_not_ours_is_refused) {
  EXPECT_THROW(affinity_of({.number = 1 << 30}), std::system_error);
}

TEST_F(affinity, a_thread_that_has_the_number_of_one_that_has_ended_is_refused) {
  if (!has_affinity()) return;
  thread_id mine = current_thread();
  EXPECT_EQ(affinity_of(mine), before);
  --mine.start_ticks;
  EXPECT_THROW(affinity_of(mine), std::system_error);
}

TEST(cpu_mask, a_machine_of_more_than_1024_cpus_is_asked_again_with_more_room) {
  const std::vector<unsigned> allowed{0, 1023, 1024, 5000};
  cpu_mask mask;
  const int error = ask_with_room(mask, [&](cpu_mask& room) {
    const cpu_mask kernels = mask_of(allowed);
    if (room.size() < kernels.size()) {
      return EINVAL;
    }
    std::ranges::copy(kernels, room.begin());
    return 0;
  });
  EXPECT_EQ(error, 0);
  EXPECT_EQ(members_of(mask), allowed);
}

TEST(cpu_mask, a_kernel_that_is_never_content_is_not_asked_for_ever) {
  cpu_mask mask;
  EXPECT_EQ(ask_with_room(mask, [](cpu_mask&) { return EINVAL; }), EINVAL);
  EXPECT_LE(mask.size() * cpus_per_word, max_cpu_number);
}

TEST(cpu_mask, other_errors_are_handed_on_at_once) {
  int calls = 0;
  cpu_mask mask;
  const int error = ask_with_room(mask, [&](cpu_mask&) { return ++calls, EPERM; });
  EXPECT_EQ(error, EPERM);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace filch::topo
