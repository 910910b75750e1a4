#include <filch/algo/sorting/quicksort.hpp>

namespace filch::inline v0_2::algo::sorting {

template <class T>
void sort_numbers(const settings& how, T* first, std::uint64_t count) {
  std::ranges::less less;
  std::identity same;
  const order by_value(less, same);
  quicksort<T*, order<std::ranges::less, std::identity>>(how, by_value, count).sort(first, count);
}

template void sort_numbers(const settings&, int*, std::uint64_t);
template void sort_numbers(const settings&, unsigned*, std::uint64_t);
template void sort_numbers(const settings&, long*, std::uint64_t);
template void sort_numbers(const settings&, unsigned long*, std::uint64_t);
template void sort_numbers(const settings&, float*, std::uint64_t);
template void sort_numbers(const settings&, double*, std::uint64_t);

}  // namespace filch::algo::sorting
