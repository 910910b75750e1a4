#pragma once
// One harness for what an exception leaves: repeats a call, with a later step failing each time.
#include <filch/algo/algo_test.hpp>
#include <filch/base/atomic.hpp>

#include <algorithm>
#include <functional>
#include <new>
#include <string>
#include <vector>

namespace filch::inline v0_2::algo {

/// Which step of a call fails. `stop`: nothing throws, but a function that is called asks for a
/// stop.
enum class step { call, projection, copy, move, allocation, stop };
inline constexpr const char* names_of_steps[] = {"call", "projection", "copy",
                                                 "move", "allocation", "stop"};

/// Thrown by a step that fails.
struct broken {};

/// Counts the steps of one kind, and makes one of them fail.
class faults {
 public:
  static void happens(step kind) {
    const bool asks_for_stop = armed_.load(base::relaxed) == step::stop && kind <= step::copy;
    if (!asks_for_stop && kind != armed_.load(base::relaxed)) return;
    if (left_.fetch_sub(1, base::relaxed) != 0) return;
    if (asks_for_stop) return void(stop_.request_stop());
    if (kind == step::allocation) throw std::bad_alloc();
    throw broken();
  }
  /// Calls `f(token)`, in which the step after `quiet` others of this kind fails. Returns whether
  /// there were that many.
  template <class F>
  static bool strike(step kind, std::int64_t quiet, F&& f) {
    stop_ = std::stop_source();
    left_.store(quiet, base::relaxed);
    armed_.store(kind, base::relaxed);
    const std::stop_token token = kind == step::stop ? stop_.get_token() : std::stop_token();
    try {
      f(token);
    } catch (const broken&) {
    } catch (const std::bad_alloc&) {
      EXPECT_EQ(kind, step::allocation);
    } catch (const stopped&) {
      EXPECT_EQ(kind, step::stop);
    }
    return left_.exchange(never, base::relaxed) < 0;
  }

 private:
  static constexpr std::int64_t never = std::int64_t{1} << 60;
  static inline base::atomic<std::int64_t> left_{never};
  static inline base::atomic<step> armed_{step::call};
  static inline std::stop_source stop_;
};

/// What an algorithm writes has numbers from here on.
inline constexpr int first_new_number = 1'000'000'000;
inline constexpr int moved_from = -1;

/// How many elements live, and what was done to one that does not or has been moved from.
struct element_count {
  static inline base::atomic<std::int64_t> living{0}, misused{0};
  static void expect(bool is_fine) {
    if (!is_fine) misused.fetch_add(1, base::relaxed);
  }
};

/// An element that knows whether it lives. Its number tells it from all others; its key is what it
/// is sorted by.
template <bool MovesThrow>
class whole_element {
 public:
  whole_element(int new_key, int new_number) : key{new_key}, number{new_number} { begin(); }
  whole_element(const whole_element& other) : key{other.key}, number{other.number} {
    other.is_read();
    faults::happens(step::copy);
    begin();
  }
  whole_element(whole_element&& other) noexcept(!MovesThrow)
      : key{other.key}, number{other.number} {
    other.is_read();
    if constexpr (MovesThrow) faults::happens(step::move);
    begin();
    other.number = moved_from;
  }
  whole_element& operator=(const whole_element& other) {
    other.is_read();
    is_read();
    faults::happens(step::copy);
    key = other.key;
    number = other.number;
    return *this;
  }
  whole_element& operator=(whole_element&& other) noexcept(!MovesThrow) {
    other.is_read();
    is_read();
    if constexpr (MovesThrow) faults::happens(step::move);
    key = other.key;
    number = this == &other ? number : std::exchange(other.number, moved_from);
    return *this;
  }
  ~whole_element() {
    is_read();
    state_ = dead;
    element_count::living.fetch_sub(1, base::relaxed);
  }
  friend bool operator==(const whole_element& a, const whole_element& b) { return a.key == b.key; }
  friend auto operator<=>(const whole_element& a, const whole_element& b) {
    return a.key <=> b.key;
  }

  int key;
  int number;

 private:
  static constexpr unsigned alive = 0xa11fe, dead = 0xdead;

  void begin() noexcept {
    state_ = alive;
    element_count::living.fetch_add(1, base::relaxed);
  }
  void is_read() const noexcept { element_count::expect(state_ == alive); }

  /// Written in the destructor, too: a compiler must not leave that out.
  volatile unsigned state_ = alive;
};

/// So plain that algorithms move it as bytes, and by kernels of their own.
struct plain_element {
  int key;
  int number;
  friend bool operator==(const plain_element& a, const plain_element& b) { return a.key == b.key; }
  friend auto operator<=>(const plain_element& a, const plain_element& b) {
    return a.key <=> b.key;
  }
};

// What algorithms are given to call. Each sees elements, so none that has been moved from.
inline constexpr auto key_of = [](const auto& element) {
  element_count::expect(element.number != moved_from);
  faults::happens(step::projection);
  return element.key;
};
inline constexpr auto is_less = [](int a, int b) {
  faults::happens(step::call);
  return a < b;
};
inline constexpr auto is_same = [](int a, int b) {
  faults::happens(step::call);
  return a == b;
};
inline constexpr auto is_odd = [](int key) {
  faults::happens(step::call);
  return key % 2 != 0;
};

/// The data to work on. If `in` is long, there is nothing else.
template <class T>
struct elements {
  static constexpr std::size_t longest_beside_others = 10'000;
  static constexpr int first_of_other = 100'000'000, first_of_out = 200'000'000;
  std::vector<T> in;     ///< Numbered 0, 1, ...; as many as were asked for.
  std::vector<T> other;  ///< Half as many, sorted, with numbers of their own.
  std::vector<T> out;    ///< Twice as many, with numbers of their own.
};

/// What an algorithm leaves of `in`, however it ends.
enum class left {
  all,  ///< Every element, in some order; but one whose move has thrown.
  /// Of what it does not remove every element, in order, none twice; but one whose move has thrown.
  what_stays,
  old_or_new,  ///< In each place the old element, or one that it made.
  unchanged,   ///< Everything. It works on copies, or only reads.
};

/// How the keys of `in` are arranged.
enum class keys { at_random, ascending, nearly_ascending, descending };

template <class T>
struct algorithm_row {
  const char* name;
  left leaves;
  std::function<void(const settings&, elements<T>&)> run;
  std::function<bool(const std::vector<T>&, std::size_t)>
      stays{};  ///< For `what_stays`: whether element `i` of the original does.
  keys arranged = keys::at_random;
};

/// Returns an empty text if the elements of `in` are still whole.
template <class T>
std::string what_is_wrong(const algorithm_row<T>& row, const std::vector<T>& before,
                          const std::vector<T>& after, step failed) {
  const std::size_t n = before.size();
  if (after.size() != n) return "another length";
  if (row.leaves == left::unchanged || row.leaves == left::old_or_new) {
    for (std::size_t i = 0; i != n; ++i) {
      const bool is_new = after[i].number >= first_new_number;
      if (after[i].number == before[i].number && after[i].key == before[i].key) continue;
      if (row.leaves == left::unchanged || !is_new)
        return "element " + std::to_string(i) + " is " + std::to_string(after[i].number);
    }
    return {};
  }
  std::vector<int> times(n);
  std::vector<std::size_t> order;
  for (const T& each : after) {
    if (each.number == moved_from) continue;
    if (each.number < 0 || static_cast<std::size_t>(each.number) >= n)
      return "a number that was not there";
    if (each.key != before[static_cast<std::size_t>(each.number)].key)
      return "a key that has changed";
    order.push_back(static_cast<std::size_t>(each.number));
    if (++times[order.back()] > 1 && !std::is_trivially_copyable_v<T>)
      return std::to_string(each.number) + " twice";
  }
  std::size_t lost = 0, last = 0;
  for (std::size_t i = 0; i != n; ++i)
    lost += times[i] == 0 && (row.leaves == left::all || row.stays(before, i)) ? 1 : 0;
  if (lost > (failed == step::move ? 1 : 0)) return std::to_string(lost) + " lost";
  if (row.leaves == left::all) return {};
  std::vector<bool> is_seen(n);
  for (const std::size_t each : order) {
    if (!row.stays(before, each) || is_seen[each]) continue;
    if (each < last) return "what stays out of order";
    last = each;
    is_seen[each] = true;
  }
  return {};
}

/// Each place of an output has its old element, or a copy or a new one, but none that was moved
/// from.
template <class T>
bool is_old_or_written(const std::vector<T>& before, const std::vector<T>& after) {
  for (std::size_t i = 0; i != before.size(); ++i) {
    const bool is_old = after[i].number == before[i].number;
    const bool is_copied = after[i].number >= 0 && after[i].number < elements<T>::first_of_out;
    if (!is_old && !is_copied && after[i].number < first_new_number) return false;
  }
  return true;
}

/// Tries the rows of one type of elements on a pool with that many workers.
template <class T>
class trials {
 public:
  explicit trials(unsigned workers) : workers_{workers}, pool_({.workers = workers}) {}

  /// Tries `n` elements. Each kind of step fails as the first, second, third, and then later by
  /// this factor each time.
  void of(const algorithm_row<T>& row, std::size_t n, grain_items grain, std::vector<step> kinds,
          double factor) {
    draw random(n + first_seed());
    elements<T> made = some(n, random, row.arranged);
    for (const step kind : kinds) {
      std::int64_t quiet = 0;
      while (one(row, made, grain, kind, quiet)) {
        quiet = quiet < 3 ? quiet + 1
                          : static_cast<std::int64_t>(static_cast<double>(quiet) * factor) + 1;
        if (::testing::Test::HasFailure()) return;
      }
    }
  }

 private:
  static elements<T> some(std::size_t n, draw& random, keys arranged) {
    elements<T> made;
    const auto fill = [](std::vector<T>& all, const std::vector<int>& numbers, int first) {
      all.reserve(numbers.size());
      for (const int key : numbers) all.push_back(T{key, first + static_cast<int>(all.size())});
    };
    const auto bound = static_cast<int>(n / 2 + 2);
    std::vector<int> numbers = random.numbers(n, bound), others = random.numbers(n / 2, bound);
    if (arranged != keys::at_random) std::sort(numbers.begin(), numbers.end());
    if (arranged == keys::descending) std::reverse(numbers.begin(), numbers.end());
    for (std::size_t i = 0; arranged == keys::nearly_ascending && i < n / 100; ++i)
      numbers[random(n)] = numbers[random(n)];
    std::sort(others.begin(), others.end());
    fill(made.in, numbers, 0);
    if (n > elements<T>::longest_beside_others) return made;
    fill(made.other, others, elements<T>::first_of_other);
    fill(made.out, std::vector<int>(2 * n), elements<T>::first_of_out);
    return made;
  }

  /// Returns whether the step came.
  bool one(const algorithm_row<T>& row, const elements<T>& made, grain_items grain, step kind,
           std::int64_t quiet) {
    elements<T> tried = made;
    const std::int64_t living = element_count::living.load(base::relaxed);
    bool has_struck = false;
    pool_.run([&] {
      has_struck = faults::strike(kind, quiet, [&](const std::stop_token& token) {
        settings how;
        how.grain = grain.count;
        how.stop.token = token;
        row.run(how, tried);
      });
    });
    const std::string wrong = what_is_wrong(row, made.in, tried.in, kind);
    EXPECT_TRUE(is_old_or_written(made.out, tried.out)) << place(row, made, kind, quiet);
    EXPECT_EQ(wrong, "") << place(row, made, kind, quiet);
    EXPECT_EQ(element_count::living.load(base::relaxed), living)
        << "leaked, or destroyed twice; " << place(row, made, kind, quiet);
    EXPECT_EQ(element_count::misused.exchange(0, base::relaxed), 0)
        << "used when dead or moved from; " << place(row, made, kind, quiet);
    return has_struck && !::testing::Test::HasFailure();
  }
  std::string place(const algorithm_row<T>& row, const elements<T>& made, step kind,
                    std::int64_t quiet) const {
    return std::string(row.name) + " of " + std::to_string(made.in.size()) + ", " +
           names_of_steps[static_cast<int>(kind)] + " " + std::to_string(quiet) + " fails, " +
           std::to_string(workers_) + " workers; " + replay();
  }

  unsigned workers_;
  thread_pool pool_;
};

/// Tries all rows with ranges of some length: short ones in tiny leaves, and as they come.
template <class T>
void try_short_ranges(const std::vector<algorithm_row<T>>& rows, unsigned workers,
                      const std::vector<step>& kinds) {
  trials<T> on(workers);
  for (const algorithm_row<T>& row : rows) {
    on.of(row, 1, grain_items{1}, kinds, 1.3);
    on.of(row, 60, grain_items{4}, kinds, 1.3);
    on.of(row, 1'500, grain_items{0}, kinds, 2.3);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace filch::algo
