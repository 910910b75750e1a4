#pragma once
#include <filch/algo/ranges/stream.hpp>

#include <vector>

namespace filch::inline v0_2 {
namespace algo {

/// What the chunks of a stream gave, in order: a vector for each chunk.
template <class T>
using batches = std::vector<std::vector<T>>;

template <class T, class S>
batches<T> collect_batches(const settings& how, const S& from) {
  if (from.positions() == 0) return {};
  const auto leaf = [&from](std::uint64_t begin, std::uint64_t end) {
    batches<T> one(1);
    from.visit(begin, end, [&](auto&& each) {
      one.front().emplace_back(std::forward<decltype(each)>(each));
      return true;
    });
    return one;
  };
  return fold_chunks(how, from.positions(), leaf, [](batches<T> left, batches<T> right) {
    left.insert(left.end(), std::make_move_iterator(right.begin()),
                std::make_move_iterator(right.end()));
    return left;
  });
}

template <class T>
std::vector<T> concatenate(const settings& how, batches<T> all) {
  if (all.size() == 1) return std::move(all.front());
  std::size_t count = 0;
  for (const auto& one : all) count += one.size();
  std::vector<T> joined;
  joined.reserve(count);
  for (auto& one : all) {
    how.check_stop();
    joined.insert(joined.end(), std::make_move_iterator(one.begin()),
                  std::make_move_iterator(one.end()));
    one = std::vector<T>();  // its memory is freed before the next one is read
  }
  return joined;
}

template <template <class...> class Container, class From>
auto collect(const settings& how, From&& from) {
  const auto elements = as_stream(std::forward<From>(from));
  using value = stream_value<decltype(elements)>;
  std::vector<value> all =
      concatenate(how, run_in(how, [&] { return collect_batches<value>(how, elements); }));
  if constexpr (std::same_as<Container<value>, std::vector<value>>) {
    return all;
  } else {
    return Container<value>(std::make_move_iterator(all.begin()),
                            std::make_move_iterator(all.end()));
  }
}

}  // namespace algo

/// Puts the elements of a range or a chain of views into a container, in order:
/// `filch::to<std::vector>(chain)`, or at its end: `chain | filch::to<std::vector>()`.
///
/// Cost: the work of the chain, two moves for each element, space for both. Span: that of the
/// chain, and one move of each element.
/// Blocks, throws, threads: as `parallel_for`; also `std::bad_alloc`.
template <template <class...> class Container, algo::said_to_be_streamable From>
auto to(const algo::settings& how, From&& from) {
  if constexpr (algo::check_streamable<From>())
    return algo::collect<Container>(how, std::forward<From>(from));
}
template <template <class...> class Container, algo::said_to_be_streamable From>
auto to(From&& from) {
  return to<Container>(algo::settings{}, std::forward<From>(from));
}
template <template <class...> class Container>
constexpr auto to() {
  return algo::view_closure{
      []<class S>(S chain) { return algo::collect<Container>({}, std::move(chain)); }};
}

}  // namespace filch
