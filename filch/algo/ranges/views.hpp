#pragma once
#include <filch/algo/ranges/stream.hpp>

#include <functional>
#include <tuple>

namespace filch {
namespace algo {

template <stream S, class F>
class transform_stream : public stream_base {
 public:
  using element = std::invoke_result_t<const F&, element_of<S>>;
  using value = std::remove_cvref_t<element>;

  constexpr transform_stream(S base, F f) : base_{std::move(base)}, f_{std::move(f)} {}
  constexpr std::uint64_t positions() const { return base_.positions(); }
  template <class Sink>
  constexpr bool visit(std::uint64_t from, std::uint64_t to, Sink&& sink) const {
    return base_.visit(from, to, [&](auto&& each) { return sink(std::invoke(f_, std::forward<decltype(each)>(each))); });
  }

 private:
  S base_;
  F f_;
};

template <stream S, class P>
class filter_stream : public stream_base {
 public:
  using element = element_of<S>;
  using value = stream_value<S>;

  constexpr filter_stream(S base, P predicate) : base_{std::move(base)}, predicate_{std::move(predicate)} {}
  constexpr std::uint64_t positions() const { return base_.positions(); }
  template <class Sink>
  constexpr bool visit(std::uint64_t from, std::uint64_t to, Sink&& sink) const {
    return base_.visit(from, to, [&](auto&& each) {
      return !std::invoke(predicate_, std::as_const(each)) || sink(std::forward<decltype(each)>(each));
    });
  }

 private:
  S base_;
  P predicate_;
};

template <stream S, class F>
class flat_map_stream : public stream_base {
  using inner = std::invoke_result_t<const F&, element_of<S>>;

 public:
  using element = std::ranges::range_reference_t<inner>;
  using value = std::ranges::range_value_t<inner>;

  constexpr flat_map_stream(S base, F f) : base_{std::move(base)}, f_{std::move(f)} {}
  constexpr std::uint64_t positions() const { return base_.positions(); }
  template <class Sink>
  constexpr bool visit(std::uint64_t from, std::uint64_t to, Sink&& sink) const {
    return base_.visit(from, to, [&](auto&& each) {
      for (auto&& part : std::invoke(f_, std::forward<decltype(each)>(each))) {
        if (!sink(std::forward<decltype(part)>(part))) return false;
      }
      return true;
    });
  }

 private:
  S base_;
  F f_;
};

/// Several ranges side by side, as far as the shortest of them goes.
template <class... Rs>
class zip_stream : public stream_base {
 public:
  using element = std::tuple<std::ranges::range_reference_t<Rs>...>;
  using value = std::tuple<std::ranges::range_value_t<Rs>...>;

  constexpr explicit zip_stream(Rs&... ranges) : firsts_{std::ranges::begin(ranges)...}, count_{std::min({count_of(ranges)...})} {}
  constexpr std::uint64_t positions() const { return count_; }
  template <class Sink>
  constexpr bool visit(std::uint64_t from, std::uint64_t to, Sink&& sink) const {
    return std::apply(
        [&](const auto&... first) {
          for (; from != to; ++from) {
            if (!sink(element(*advance(first, from)...))) return false;
          }
          return true;
        },
        firsts_);
  }

 private:
  std::tuple<std::ranges::iterator_t<Rs>...> firsts_;
  std::uint64_t count_;
};

template <class R>
class enumerate_stream : public stream_base {
 public:
  using element = std::tuple<std::uint64_t, std::ranges::range_reference_t<R>>;
  using value = std::tuple<std::uint64_t, std::ranges::range_value_t<R>>;

  constexpr explicit enumerate_stream(R& range) : first_{std::ranges::begin(range)}, count_{count_of(range)} {}
  constexpr std::uint64_t positions() const { return count_; }
  template <class Sink>
  constexpr bool visit(std::uint64_t from, std::uint64_t to, Sink&& sink) const {
    for (auto at = advance(first_, from); from != to; ++from, ++at) {
      if (!sink(element(from, *at))) return false;
    }
    return true;
  }

 private:
  std::ranges::iterator_t<R> first_;
  std::uint64_t count_;
};

template <class R>
class chunk_stream : public stream_base {
 public:
  using element = iterator_range<std::ranges::iterator_t<R>>;
  using value = element;

  constexpr chunk_stream(R& range, std::uint64_t length)
      : first_{std::ranges::begin(range)}, count_{count_of(range)}, length_{std::max<std::uint64_t>(length, 1)} {}
  constexpr std::uint64_t positions() const { return count_ / length_ + (count_ % length_ != 0); }
  template <class Sink>
  constexpr bool visit(std::uint64_t from, std::uint64_t to, Sink&& sink) const {
    for (; from != to; ++from) {
      const std::uint64_t begin = from * length_;
      if (!sink(element(advance(first_, begin), advance(first_, std::min(count_, begin + length_))))) return false;
    }
    return true;
  }

 private:
  std::ranges::iterator_t<R> first_;
  std::uint64_t count_;
  std::uint64_t length_;
};

/// A range that a view refers to: one with a name, or one whose iterators outlive it.
template <class R>
concept referable = input_range<R> && std::ranges::borrowed_range<R>;

}  // namespace algo

/// Views for parallel algorithms: a chain of them is one pass over its source. What stands left of `|` is a sized random-access range, or a
/// chain. Functions are called at once by several workers, as const; elements keep their order.
namespace views {

/// Each element `f` is given, in place of it. (std::views::transform does the same and leaves a range, which can be sorted or cut.)
template <class F>
constexpr auto transform(F f) {
  return algo::view_closure{[f = std::move(f)]<class S>(S base) { return algo::transform_stream<S, F>(std::move(base), f); }};
}
/// The elements for which `predicate` holds.
template <class P>
constexpr auto filter(P predicate) {
  return algo::view_closure{
      [predicate = std::move(predicate)]<class S>(S base) { return algo::filter_stream<S, P>(std::move(base), predicate); }};
}
/// The elements of each range that `f` makes of an element.
template <class F>
constexpr auto flat_map(F f) {
  return algo::view_closure{[f = std::move(f)]<class S>(S base) { return algo::flat_map_stream<S, F>(std::move(base), f); }};
}

/// A tuple of references for each place, as far as the shortest range goes. The ranges outlive the view; so below.
template <algo::referable... Rs>
constexpr auto zip(Rs&&... ranges) {
  return algo::zip_stream<std::remove_reference_t<Rs>...>(ranges...);
}
/// Each element with its offset, a std::uint64_t, before it.
template <algo::referable R>
constexpr auto enumerate(R&& range) {
  return algo::enumerate_stream<std::remove_reference_t<R>>(range);
}
/// Pieces of so many neighbours (a length of 0 counts as 1), the last one perhaps shorter.
template <algo::referable R>
constexpr auto chunk(R&& range, std::uint64_t length) {
  return algo::chunk_stream<std::remove_reference_t<R>>(range, length);
}

}  // namespace views
}  // namespace filch
