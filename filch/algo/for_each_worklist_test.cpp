#include <filch/algo/algo_test.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <stdexcept>
#include <thread>

namespace filch::inline v0_2::algo {
namespace {

class while_each_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, while_each_on, widths);

TEST_P(while_each_on, runs_what_is_there_and_what_is_added_exactly_once) {
  on_all_sizes([](std::size_t n, draw& random) {
    std::vector<std::atomic<int>> seen(n);
    // Item i adds 2i + 1 and 2i + 2: a heap's tree. Some of it is there from the beginning, with
    // all below it.
    std::vector<std::size_t> roots;
    const std::size_t first = random(5);
    for (std::size_t i = first; i <= 2 * first && i < n; ++i) roots.push_back(i);
    for_each_worklist(roots, [&](std::size_t i, feeder<std::size_t>& more) {
      ++seen[i];
      for (const std::size_t child : {2 * i + 1, 2 * i + 2}) {
        if (child < n) more.add(child);
      }
    });
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(seen[i], i >= first ? 1 : 0) << i << " of " << n;
  });
}

TEST_P(while_each_on, follows_long_chains_with_something_beside_them) {
  repeatedly([](draw& random) {
    const int length = 2'000 + static_cast<int>(random(500));
    std::atomic<int> links{0}, beside{0};
    for_each_worklist(std::vector<int>{1}, [&](int i, feeder<int>& more) {
      if (i < 0) {
        ++beside;
        return;
      }
      ++links;
      if (i == length) return;
      more.add(i % 2 == 0 ? i + 1 : -i);
      more.add(i % 2 == 0 ? -i : i + 1);
    });
    EXPECT_EQ(links, length);
    EXPECT_EQ(beside, length - 1);
  });
}

TEST_P(while_each_on, moves_items_that_cannot_be_copied) {
  repeatedly([](draw&) {
    std::vector<std::unique_ptr<int>> roots;
    for (int i = 0; i < 10; ++i) roots.push_back(std::make_unique<int>(i));
    std::atomic<int> sum{0};
    for_each_worklist(std::move(roots),
                      [&](std::unique_ptr<int> item, feeder<std::unique_ptr<int>>& more) {
                        sum += *item;
                        if (*item > 0) more.add(std::make_unique<int>(*item - 1));
                      });
    EXPECT_EQ(sum, 165);
  });
}

TEST_P(while_each_on, rethrows) {
  repeatedly([](draw&) {
    std::atomic<bool> has_thrown{false};
    EXPECT_THROW(for_each_worklist(std::vector<int>{0},
                                   [&](int i, feeder<int>& more) {
                                     if (i == 20)
                                       has_thrown = true, throw std::runtime_error("enough");
                                     if (i < 19) more.add(i + 1), more.add(i + 1000);
                                     if (i == 19) more.add(1'000), more.add(20), more.add(1'000);
                                     // Without end, but not before it comes to 20
                                     if (i == 1'000 && has_thrown) more.add(i);
                                   }),
                 std::runtime_error);
  });
}

/// Throws when it is copied outside a body, as lists grow; once.
struct heavy {
  int depth;
  static inline std::atomic<bool> has_thrown{false};
  static inline thread_local bool is_in_body = false;

  explicit heavy(int d) : depth{d} {}
  heavy(const heavy& other) : depth{other.depth} {
    if (depth > 41 && !is_in_body && !has_thrown.exchange(true)) throw std::bad_alloc();
  }
  heavy& operator=(const heavy&) = default;
};

TEST_P(while_each_on, ends_when_putting_lists_together_throws) {
  repeatedly([](draw&) {
    heavy::has_thrown = false;
    std::atomic<int> begun_after{0};
    const auto body = [&](const heavy& item, feeder<heavy>& more) {
      heavy::is_in_body = true;
      if (heavy::has_thrown) {
        ++begun_after;
        // The thread that threw may have lost its processor just then
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      }
      // Wide enough to need all levels, and without end. It ends nevertheless if the exception is
      // not noticed.
      for (int width = item.depth < 36 ? 2 : 1; width > 0 && begun_after < 10'000; --width)
        more.add(heavy(item.depth + 1));
      heavy::is_in_body = false;
    };
    EXPECT_THROW(for_each_worklist(std::vector<heavy>(2, heavy(0)), body), std::bad_alloc);
    EXPECT_LT(begun_after, 10'000);
  });
}

TEST_P(while_each_on, can_be_stopped_though_it_has_no_end) {
  repeatedly([](draw& random) {
    std::stop_source source;
    const int width = 1 + static_cast<int>(random(3)), last = static_cast<int>(random(100));
    EXPECT_THROW(for_each_worklist(with(source.get_token()),
                                   std::vector<int>(static_cast<std::size_t>(width)),
                                   [&](int i, feeder<int>& more) {
                                     more.add(i + 1);
                                     if (i == last) source.request_stop();
                                   }),
                 stopped);
  });
}

}  // namespace
}  // namespace filch::algo
