#pragma once
// Prefix sums: `inclusive_scan`, `exclusive_scan`, and both over what a function makes of the
// elements.
#include <filch/algo/output.hpp>
#include <filch/algo/plain_memory.hpp>
#include <filch/algo/single_pass_scan.hpp>

#include <functional>

namespace filch::inline v0_2 {
namespace algo {

template <class Op, template <class> class Standard, class T>
concept is_operation = std::same_as<Op, Standard<void>> || std::same_as<Op, Standard<T>>;

/// Sums whose bracketing does not change the result.
template <class T, class Op>
concept exactly_associative = std::integral<T> &&
    (is_operation<Op, std::plus, T> || is_operation<Op, std::multiplies, T> ||
     is_operation<Op, std::bit_and, T> || is_operation<Op, std::bit_or, T> ||
     is_operation<Op, std::bit_xor, T>);

/// Sums in which each addition only waits for the one before. Additional sums pay if only every
/// fourth then has to wait.
template <class T, class Op, class Map>
concept latency_bound = std::floating_point<T> && std::same_as<Map, std::identity> &&
    (is_operation<Op, std::plus, T> || is_operation<Op, std::multiplies, T>);

/// Sums of unchanged numbers: the cost of one is known.
template <class T, class Op, class Map>
concept calls_nobody = std::same_as<Map, std::identity> &&
    (exactly_associative<T, Op> || latency_bound<T, Op, Map>);

/// The size of a chunk of plain numbers. A chunk is read twice. Until then it stays, with its
/// output, in an L2 cache of a megabyte. Shorter chunks cost more in memory, since two workers that
/// write in turn disturb each other's streams.
inline constexpr std::uint64_t scan_chunk_bytes = 4 * plain_leaf_bytes;

/// What a single-pass scan does for prefix sums. The carry is the sum of all before a chunk, the
/// aggregate (`aggregate`) the sum of the chunk.
template <bool IsInclusive, class T, class In, class Out, class Op, class Map>
class scan_kernel {
 public:
  using carry = T;
  using aggregate = T;

  /// If brackets show in the result.
  static constexpr std::uint64_t longest_chunk =
      calls_nobody<T, Op, Map> ? scan_chunk_bytes / sizeof(T) : 4096;

  scan_kernel(In in, Out out, Op& op, Map& map, bool is_deterministic)
      : in_{in},
        out_{out},
        op_{op},
        map_{map},
        is_bracketed_{is_deterministic && !exactly_associative<T, Op>} {}

  /// Whether each carry must be made of whole chunks, whether or not they were at the front.
  bool is_bracketed() const noexcept { return is_bracketed_; }

  T through(std::uint64_t from, std::uint64_t to, T sum) {
    if (!is_bracketed_) return scan_blocks(from, to, std::move(sum));
    // The sum behind a chunk must not depend on which worker was at the front. So it is always made
    // of the sum before and the sum of the chunk.
    T before(sum);
    T whole = fold_blocks(from, to, [&](std::uint64_t first, std::uint64_t last) {
      auto [after, sum_of_block] = scan_and_sum_block(first, last, std::move(sum));
      sum = std::move(after);
      return std::move(sum_of_block);
    });
    return op_(std::move(before), std::move(whole));
  }
  T ahead(std::uint64_t from, std::uint64_t to) {
    return fold_blocks(
        from, to, [&](std::uint64_t first, std::uint64_t last) { return block_sum(first, last); });
  }
  T past(T& before, T& whole) { return op_(T(before), T(whole)); }
  void behind(std::uint64_t from, std::uint64_t to, T before, T&) {
    scan_blocks(from, to, std::move(before));
  }

 private:
  /// Short enough for the L1 cache, from which it is read a second time.
  static constexpr std::uint64_t block_items = 256;
  static constexpr bool in_fours = latency_bound<T, Op, Map>;

  static std::uint64_t block_end(std::uint64_t from, std::uint64_t to) noexcept {
    return from + (std::min)(block_items, to - from);
  }

  /// The sum of all blocks of a chunk; `sum_of` gives the sum of one block.
  template <class SumOf>
  T fold_blocks(std::uint64_t from, std::uint64_t to, SumOf sum_of) {
    std::uint64_t end = block_end(from, to);
    T sum = sum_of(from, end);
    while (end != to) {
      from = std::exchange(end, block_end(end, to));
      sum = op_(std::move(sum), sum_of(from, end));
    }
    return sum;
  }
  T scan_blocks(std::uint64_t from, std::uint64_t to, T sum) {
    for (std::uint64_t end = from; from != to; from = end) {
      end = block_end(from, to);
      sum = scan_block(from, end, std::move(sum));
    }
    return sum;
  }

  T block_sum(std::uint64_t from, std::uint64_t to) {
    T sum = first_of(from, to);
    if constexpr (in_fours) {
      for (; to - from >= 4; from += 4) sum = op_(sum, four(from));
    }
    for (; from != to; ++from) sum = op_(std::move(sum), mapped(from));
    return sum;
  }
  T first_of(std::uint64_t& from, std::uint64_t to) {
    if constexpr (in_fours) {
      if (to - from >= 4) return four(std::exchange(from, from + 4));
    }
    return mapped(from++);
  }
  T scan_block(std::uint64_t from, std::uint64_t to, T sum) {
    if constexpr (in_fours) {
      for (; to - from >= 4; from += 4) put_four(from, sum);
    }
    for (; from != to; ++from) put(from, sum);
    return sum;
  }
  /// Does `scan_block` and `block_sum`, in one pass if possible: neither sum waits for anything
  /// that the other does not wait for.
  std::pair<T, T> scan_and_sum_block(std::uint64_t from, std::uint64_t to, T sum) {
    if constexpr (in_fours) {
      if (to - from >= 4) {
        T whole = put_four(from, sum);
        for (from += 4; to - from >= 4; from += 4) whole = op_(whole, put_four(from, sum));
        for (; from != to; ++from) {
          whole = op_(whole, mapped(from));
          put(from, sum);
        }
        return {sum, whole};
      }
    }
    T whole = block_sum(from, to);
    return {scan_block(from, to, std::move(sum)), std::move(whole)};
  }

  T mapped(std::uint64_t at) {
    return std::invoke(map_, in_[static_cast<std::iter_difference_t<In>>(at)]);
  }

  auto out_at(std::uint64_t at) const {
    return out_ + static_cast<std::iter_difference_t<Out>>(at);
  }

  /// Writes element `at` and adds it to `sum`, which is the sum of all before it. `out` may be
  /// `in`.
  [[gnu::always_inline]] void put(std::uint64_t at, T& sum) {
    if constexpr (IsInclusive) {
      sum = op_(std::move(sum), mapped(at));
      *out_at(at) = sum;
    } else {
      T after = op_(T(sum), mapped(at));
      *out_at(at) = std::exchange(sum, std::move(after));
    }
  }
  /// The same for four elements. Their own sum is ready before `sum` is, and is returned:
  /// `four(at)`.
  [[gnu::always_inline]] T put_four(std::uint64_t at, T& sum) {
    const T a = mapped(at), c = mapped(at + 2), ab = op_(a, mapped(at + 1)), abc = op_(ab, c),
            abcd = op_(ab, op_(c, mapped(at + 3)));
    const T after = op_(sum, abcd);
    const auto out = out_at(at);
    out[0] = IsInclusive ? op_(sum, a) : sum;
    out[1] = op_(sum, IsInclusive ? ab : a);
    out[2] = op_(sum, IsInclusive ? abc : ab);
    out[3] = IsInclusive ? after : op_(sum, abc);
    sum = after;
    return abcd;
  }
  [[gnu::always_inline]] T four(std::uint64_t at) {
    return op_(op_(mapped(at), mapped(at + 1)), op_(mapped(at + 2), mapped(at + 3)));
  }

  const In in_;
  const Out out_;
  Op& op_;
  Map& map_;
  const bool is_bracketed_;
};

/// Scans [from, count); `start` is the sum of all before.
template <bool IsInclusive, class T, class In, class Out, class Op, class Map>
std::ranges::in_out_result<In, Out> scan(const settings& how, In in, std::uint64_t from,
                                         std::uint64_t count, Out out, Op& op, Map& map, T start) {
  scan_kernel<IsInclusive, T, In, Out, Op, Map> kernel{in, out, op, map, how.is_deterministic};
  const settings paced = calls_nobody<T, Op, Map> && !kernel.is_bracketed()
                             ? at_known_cost<In, Out>(how, scan_chunk_bytes)
                             : how.with_same_limit();
  single_pass_scan<decltype(kernel)>(paced, kernel).run(from, count, std::move(start));
  return {advance(in, count), advance(out, count)};
}

/// The type that a scan without a start adds up: the elements, or what `Map` makes of them.
template <class In, class Map>
struct summand {
  using type = std::remove_cvref_t<std::invoke_result_t<Map&, std::iter_reference_t<In>>>;
};
template <class In>
struct summand<In, std::identity> {
  using type = std::iter_value_t<In>;
};

struct transform_inclusive_scan_fn : writer<transform_inclusive_scan_fn> {
  template <class In, std::random_access_iterator Out, class Op, class Map, class T>
  static auto run(const settings& how, In in, std::uint64_t count, Out out, Op op, Map map,
                  T start) {
    check_writable<Out>();
    return scan<true>(how, in, 0, count, out, op, map, std::move(start));
  }
  template <class In, std::random_access_iterator Out, class Op, class Map>
  static auto run(const settings& how, In in, std::uint64_t count, Out out, Op op, Map map) {
    check_writable<Out>();
    if (count == 0) return std::ranges::in_out_result<In, Out>{in, out};
    typename summand<In, Map>::type start(std::invoke(map, *in));
    *out = start;
    return scan<true>(how, in, 1, count, out, op, map, std::move(start));
  }
};

struct transform_exclusive_scan_fn : writer<transform_exclusive_scan_fn> {
  template <class In, std::random_access_iterator Out, class T, class Op, class Map>
  static auto run(const settings& how, In in, std::uint64_t count, Out out, T start, Op op,
                  Map map) {
    check_writable<Out>();
    return scan<false>(how, in, 0, count, out, op, map, std::move(start));
  }
};

struct inclusive_scan_fn : writer<inclusive_scan_fn> {
  template <class In, std::random_access_iterator Out, class Op = std::plus<>, class... Start>
  static auto run(const settings& how, In in, std::uint64_t count, Out out, Op op = {},
                  Start... start) {
    check_writable<Out>();
    return transform_inclusive_scan_fn::run(how, in, count, out, std::move(op), std::identity{},
                                            std::move(start)...);
  }
};

struct exclusive_scan_fn : writer<exclusive_scan_fn> {
  template <class In, std::random_access_iterator Out, class T, class Op = std::plus<>>
  static auto run(const settings& how, In in, std::uint64_t count, Out out, T start, Op op = {}) {
    check_writable<Out>();
    return transform_exclusive_scan_fn::run(how, in, count, out, std::move(start), std::move(op),
                                            std::identity{});
  }
};

}  // namespace algo

/// `inclusive_scan([how,] range or first, last, out[, op[, start]])`: writes the sum of elements 0
/// to i to `out[i]`. Returns both ends.
///
/// `op` must be associative; it need not be commutative. `out` is random-access. It may be the
/// input; otherwise it must not overlap it. If it is a range, its end ends the scan. Sums have the
/// type of `start`, which comes first, or else of the elements. The bracketing depends on timing.
/// On one worker it is the serial one, except that floating-point sums and products go in fours.
/// With `deterministic` it follows from the number of elements.
///
/// Cost: work n calls of `op` on one worker, up to 2 n + O(n / chunk) if others help and with
/// `deterministic`. Span O(n / p + p) on p workers, each of which writes what it has just read. One
/// worker needs no memory, more need some words for each chunk.
/// Throws: what `op` and assignments throw; `out` then holds old or new values. `stopped`.
/// Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
/// We differ: no worker waits for the sum of all before its chunk. The worker that has this sum
/// adds what others have summed up meanwhile, and hands the result on.
inline constexpr algo::explained<algo::inclusive_scan_fn> inclusive_scan;

/// `exclusive_scan([how,] range or first, last, out, start[, op])`: writes the sum of `start` and
/// all elements before i to `out[i]`. Otherwise as `inclusive_scan`.
inline constexpr algo::explained<algo::exclusive_scan_fn> exclusive_scan;

/// `transform_inclusive_scan([how,] range or first, last, out, op, map[, start])`: as
/// `inclusive_scan` of `map(element)`. If other workers help, `map` is called twice for some
/// elements.
inline constexpr algo::explained<algo::transform_inclusive_scan_fn> transform_inclusive_scan;

/// `transform_exclusive_scan([how,] range or first, last, out, start, op, map)`: as
/// `exclusive_scan` of `map(element)`.
inline constexpr algo::explained<algo::transform_exclusive_scan_fn> transform_exclusive_scan;

}  // namespace filch
