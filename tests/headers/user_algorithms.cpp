// A user's program that instantiates every loop and algorithm, for elements of several kinds.
// CMakeLists.txt compiles it with all warnings of the compiler.
#include <filch/filch.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

template <class T>
struct of {
  static T made(int from) { return static_cast<T>(from); }
};
template <>
struct of<std::string> {
  static std::string made(int from) { return std::to_string(from); }
};

template <class T>
void loops(std::vector<T>& v) {
  filch::parallel_for(v.begin(), v.end(), [](T& each) { each = of<T>::made(1); });
  filch::parallel_for(filch::with(filch::grain_items{10}), std::size_t{0}, v.size(),
                      [&v](std::size_t i) { v[i] = of<T>::made(static_cast<int>(i % 10)); });
  filch::parallel_for(0, 9, [](int) {});
  filch::parallel_for(filch::blocked_range(filch::index_range(0, 3), filch::index_range(0, 4)),
                      [](int, int) {});
  (void)filch::parallel_reduce(
      v.begin(), v.end(), of<T>::made(0), [](const T& each) { return each; },
      [](T a, T b) { return (std::max)(a, b); });
  filch::for_each(v, [](T&) {});
  filch::for_each_chunk(v, [](const auto&) {});
  filch::for_each_worklist(std::vector<T>(v), [](const T&, auto&) {});
  filch::reducer<long, std::plus<>> sum;
  sum.over(0, 10, [](int i, long& to) { to += i; });
  filch::worker_local<int> own;
  own.local() = 1;
}

template <class T>
void ways_through(std::vector<T>& v, std::vector<T>& out) {
  const auto is_large = [](const T& each) { return each > of<T>::made(4); };
  const auto same = [](const T& each) { return each; };
  filch::transform(v, out.begin(), same);
  filch::transform(v, v, out.begin(), [](const T& a, const T&) { return a; });
  filch::fill(out, of<T>::made(3));
  filch::generate(out, [] { return of<T>::made(5); });
  filch::copy(v, out.begin());
  filch::reverse(out);
  filch::rotate(out, out.begin() + 1);
  (void)filch::count(v, of<T>::made(1));
  (void)filch::count_if(v, is_large);
  (void)filch::find(v, of<T>::made(2));
  (void)filch::find_if(v, is_large);
  (void)filch::find_if_not(v, is_large);
  (void)(filch::all_of(v, is_large) || filch::any_of(v, is_large) || filch::none_of(v, is_large));
  (void)(filch::equal(v, out) || filch::lexicographical_compare(v, out));
  (void)filch::mismatch(v, out);
  (void)filch::min_element(v);
  (void)filch::max_element(v, {}, same);
  (void)filch::minmax_element(v);
  filch::copy_if(v, out.begin(), is_large);
  std::vector<T> other(v.size());
  filch::partition_copy(v, out.begin(), other.begin(), is_large);
  filch::stable_partition(out, is_large);
  filch::remove_if(out, is_large);
  filch::unique(out);
}

template <class T>
void orders(std::vector<T>& v, std::vector<T>& out) {
  const std::greater<> falling;
  filch::sort(v);
  filch::sort(v, falling);
  filch::stable_sort(v, {}, [](const T& each) { return each; });
  filch::nth_element(v, v.begin() + 3);
  filch::partial_sort(v, v.begin() + 3);
  (void)filch::top_k(v, 3);
  filch::random_shuffle(v, 42);
  filch::sort(v);
  (void)filch::is_sorted(v);
  (void)filch::is_sorted_until(v);
  (void)filch::sorted(v, falling);
  std::vector<T> both(2 * v.size());
  filch::merge(v, v, both.begin());
  filch::set_union(v, out, both.begin());
  filch::set_intersection(v, out, both.begin());
  filch::set_difference(v, out, both.begin());
  filch::set_symmetric_difference(v, out, both.begin());
  (void)filch::flatten(std::vector<std::vector<T>>{v, out});
  (void)filch::count_by_key(std::vector<std::pair<int, T>>{{2, of<T>::made(1)}},
                            [](const auto& each) { return each.first; });
  (void)filch::reduce_by_key(
      v, [](const T&) { return 1; }, [](const T& each) { return each; });
  (void)filch::group_by_key(std::vector<std::pair<T, int>>{{of<T>::made(1), 2}});
}

template <class T>
void sums(std::vector<T>& v, std::vector<T>& out) {
  const std::plus<> plus;
  const auto steady = filch::with(filch::deterministic);
  const auto same = [](const T& each) { return each; };
  (void)filch::reduce(v, of<T>::made(0), plus);
  (void)filch::transform_reduce(steady, v, of<T>::made(0), plus, same);
  filch::inclusive_scan(v, out.begin(), plus);
  filch::exclusive_scan(v, out.begin(), of<T>::made(0), plus);
  filch::transform_inclusive_scan(steady, v, out.begin(), plus, same);
  filch::transform_exclusive_scan(v, out.begin(), of<T>::made(0), plus, same);
  (void)(v | filch::views::transform(same) |
         filch::views::filter([](const T& x) { return x > T{}; }) | filch::to<std::vector>());
  (void)(v | filch::views::flat_map([](const T& x) {
           return std::vector<T>{x, x};
         }) |
         filch::to<std::vector>());
  (void)filch::tabulate(10, [](auto i) { return of<T>::made(static_cast<int>(i)); });
}

template <class T>
void everything() {
  std::vector<T> v(100), out(100);
  loops(v);
  ways_through(v, out);
  orders(v, out);
  // What `std::plus` makes of smaller ones is an int
  if constexpr (sizeof(T) >= sizeof(int)) sums(v, out);
}

void of_numbers() {
  std::vector<std::uint32_t> v(100), out(100);
  filch::iota(v, 0u);
  filch::integer_sort(v);
  filch::integer_sort(v, [](std::uint32_t each) { return static_cast<std::uint8_t>(each); });
  filch::adjacent_difference(v, out.begin());
  (void)filch::histogram(v, 128);
  for (const auto [at, each] : v | filch::views::enumerate) (void)(at + each);
  int made = 0;
  filch::pipeline(
      filch::items_in_flight{4},
      [&made]() -> std::optional<int> { return made < 3 ? std::optional(made++) : std::nullopt; },
      filch::parallel_stage([](int x) { return x + 1; }), filch::serial_in_order_stage([](int) {}));
}

}  // namespace

int main() {
  everything<int>();
  everything<std::uint8_t>();
  everything<float>();
  everything<std::string>();
  of_numbers();
}
