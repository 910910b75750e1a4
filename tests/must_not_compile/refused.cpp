// Calls that the compiler must refuse, each a case that `-D` and its name compile. The line below
// the name is a regular expression that its error matches.

#ifdef a_zip_of_a_chain
// expected: .*views::zip refers to ranges
#include <filch/algo.hpp>

#include <vector>

int main() {
  std::vector<int> keys(1000), values(1000);
  const auto chain = values | filch::views::transform([](int each) { return each + 1; });
#ifdef ACCEPTED
  std::vector<int> made = filch::to<std::vector>(chain);
  filch::sort(filch::views::zip(keys, made));
#else
  filch::sort(filch::views::zip(keys, chain));
#endif
}
#endif

#ifdef an_order_without_an_edge
// expected: an order names its edge
#include <filch/base/order.hpp>

enum class edge { publish };

#ifdef ACCEPTED
std::memory_order order = filch::base::release<edge::publish>;
#else
std::memory_order order = filch::base::release<1>;
#endif
#endif

#ifdef a_copied_thread_pool
// expected: deleted
#include <filch/filch.hpp>

#ifdef ACCEPTED
filch::thread_pool& second(filch::thread_pool& first) { return first; }
#else
filch::thread_pool second(filch::thread_pool& first) { return first; }
#endif
#endif

#ifdef a_copied_task_group
// expected: deleted
#include <filch/filch.hpp>

#ifdef ACCEPTED
filch::task_group& second(filch::task_group& first) { return first; }
#else
filch::task_group second(filch::task_group& first) { return first; }
#endif
#endif

#ifdef a_join_of_something_that_needs_arguments
// expected: without arguments
#include <filch/filch.hpp>

int main() {
#ifdef ACCEPTED
  filch::join([] { return 1; }, [] { return 2; });
#else
  filch::join([] { return 1; }, [](int x) { return x; });
#endif
}
#endif

#ifdef a_job_of_a_group_that_needs_arguments
// expected: without arguments
#include <filch/filch.hpp>

int main() {
  filch::task_group group;
#ifdef ACCEPTED
  group.run([] {});
#else
  group.run([](int) {});
#endif
}
#endif

#ifdef a_loop_to_a_number_with_a_fraction
// expected: floating-point numbers
#include <filch/algo.hpp>

int main() {
#ifdef ACCEPTED
  filch::parallel_for(0, 10, [](int) {});
#else
  filch::parallel_for(0, 1e6, [](int) {});
#endif
}
#endif

#ifdef a_loop_from_a_pointer_to_a_number
// expected: the end of its range
#include <filch/algo.hpp>

int main() {
  int numbers[10] = {};
#ifdef ACCEPTED
  filch::parallel_for(numbers, numbers + 10, [](int) {});
#else
  filch::parallel_for(numbers, 10, [](int) {});
#endif
}
#endif

#ifdef a_loop_over_truth_values
// expected: truth values
#include <filch/algo.hpp>

int main() {
#ifdef ACCEPTED
  filch::parallel_reduce(
      0, 1, 0, [](int each) { return each; }, [](int a, int b) { return a + b; });
#else
  filch::parallel_reduce(
      false, true, 0, [](int each) { return each; }, [](int a, int b) { return a + b; });
#endif
}
#endif

#ifdef a_number_of_elements_with_a_fraction
// expected: a number of elements is an integer
#include <filch/algo.hpp>

int main() {
#ifdef ACCEPTED
  filch::tabulate(1000, [](auto i) { return i; });
#else
  filch::tabulate(1e3, [](auto i) { return i; });
#endif
}
#endif

#ifdef an_index_by_reference
// expected: an index is a value
#include <filch/algo.hpp>

int main() {
#ifdef ACCEPTED
  filch::parallel_for(0, 10, [](auto i) { static_cast<void>(i); });
#else
  filch::parallel_for(0, 10, [](auto& i) { static_cast<void>(i); });
#endif
}
#endif

#ifdef bits_that_a_body_could_write
// expected: the bits of a std::vector<bool> share words
#include <filch/algo.hpp>

#include <vector>

int main() {
#ifdef ACCEPTED
  const std::vector<bool> flags(1000);
#else
  std::vector<bool> flags(1000);
#endif
  filch::parallel_for(flags, [](auto&&) {});
}
#endif

#ifdef bits_that_several_threads_write
// expected: the bits of a std::vector<bool> share words
#include <filch/algo.hpp>

#include <vector>

int main() {
#ifdef ACCEPTED
  std::vector<char> flags(1000);
#else
  std::vector<bool> flags(1000);
#endif
  filch::fill(flags, true);
}
#endif

#ifdef bits_that_chunks_hold
// expected: the bits of a std::vector<bool> share words
#include <filch/algo.hpp>

#include <vector>

int main() {
#ifdef ACCEPTED
  const std::vector<bool> flags(1000);
#else
  std::vector<bool> flags(1000);
#endif
  filch::for_each(flags | filch::views::chunk(100), [](auto&&) {});
}
#endif

#ifdef numbers_of_what_a_filter_leaves
// expected: .*views::enumerate numbers places
#include <filch/algo.hpp>

#include <vector>

int main() {
  const std::vector<int> values(1000);
  const auto any = [](const auto&) { return true; };
#ifdef ACCEPTED
  const auto chain = values | filch::views::enumerate | filch::views::filter(any);
#else
  const auto chain = values | filch::views::filter(any) | filch::views::enumerate;
#endif
  return static_cast<int>(filch::count_if(chain, any));
}
#endif

#ifdef numbers_with_a_fraction_sorted_as_integers
// expected: integer_sort sorts by integers
#include <filch/algo.hpp>

#include <vector>

int main() {
#ifdef ACCEPTED
  std::vector<int> keys{3, 1, 2};
#else
  std::vector<double> keys{3, 1, 2};
#endif
  filch::integer_sort(keys);
}
#endif

#ifdef a_result_of_a_node_that_returns_nothing
// expected: filch: the function of this node returns nothing
#include <filch/graph.hpp>

int main() {
  filch::task_graph graph;
#ifdef ACCEPTED
  const auto node = graph.emplace([] { return 1; });
#else
  const auto node = graph.emplace([] {});
#endif
  graph.run();
  static_cast<void>(node.get());
}
#endif

#ifdef a_temporary_that_is_destroyed_twice
// expected: give it a name
// By g++ 12, which destroys what it captures before the call and after it.
#include <filch/co.hpp>

#include <cstddef>
#include <string>

filch::task<std::size_t> length_of(std::string text) {
#ifdef ACCEPTED
  const auto measure = [text] { return text.size(); };
  co_return co_await filch::co::blocking(measure);
#else
  co_return co_await filch::co::blocking([text] { return text.size(); });
#endif
}
#endif
