#pragma once
#include <filch/algo/ranges/stream.hpp>

#include <vector>

namespace filch {
namespace algo {

/// What the pieces of a stream gave, in order: a vector for each piece.
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
  return fold_pieces(how, from.positions(), leaf, [](batches<T> left, batches<T> right) {
    left.insert(left.end(), std::make_move_iterator(right.begin()),
                std::make_move_iterator(right.end()));
    return left;
  });
}

template <class T>
std::vector<T> concatenate(const settings& how, batches<T> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  std::size_t count = 0;
  for (const auto& part : parts) count += part.size();
  std::vector<T> all;
  all.reserve(count);
  for (auto& part : parts) {
    how.check_stop();
    all.insert(all.end(), std::make_move_iterator(part.begin()),
               std::make_move_iterator(part.end()));
    part = std::vector<T>();  // its memory is freed before the next one is read
  }
  return all;
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
