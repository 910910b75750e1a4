#pragma once
// Copies that choose: `copy_if`, `pack`, `partition_copy`.
#include <filch/algo/algorithm.hpp>
#include <filch/algo/carried_pass.hpp>
#include <filch/algo/pack_words.hpp>

namespace filch {
namespace algo {

/// What a carried pass does for packing: the carry is the number of elements chosen before a piece.
///
/// Beyond the front the choices are kept as bits, so that nobody is asked twice. `Sink` puts a word of them where they belong:
/// `put(word, from, items, chosen before)`.
template <class Choice, class Sink>
struct pack_kernel {
  using carry = std::uint64_t;
  struct digest {
    std::uint64_t chosen;
    std::unique_ptr<std::uint64_t[]> words;
  };

  Choice& is_chosen;
  Sink& sink;

  std::uint64_t through(std::uint64_t from, std::uint64_t to, std::uint64_t chosen) {
    for_words(from, to, [&](std::uint64_t at, std::uint64_t items) {
      const std::uint64_t word = choose(is_chosen, at, items);
      sink.put(word, at, items, chosen);
      chosen += ones(word);
    });
    return chosen;
  }
  digest ahead(std::uint64_t from, std::uint64_t to) {
    digest made{0, std::make_unique_for_overwrite<std::uint64_t[]>((to - from + word_items - 1) / word_items)};
    std::uint64_t* next = made.words.get();
    for_words(from, to, [&](std::uint64_t at, std::uint64_t items) {
      *next = choose(is_chosen, at, items);
      made.chosen += ones(*next++);
    });
    return made;
  }
  std::uint64_t past(std::uint64_t chosen, const digest& made) { return chosen + made.chosen; }
  void behind(std::uint64_t from, std::uint64_t to, std::uint64_t chosen, const digest& made) {
    const std::uint64_t* next = made.words.get();
    for_words(from, to, [&](std::uint64_t at, std::uint64_t items) {
      sink.put(*next, at, items, chosen);
      chosen += ones(*next++);
    });
  }

 private:
  static std::uint64_t ones(std::uint64_t word) noexcept { return static_cast<std::uint64_t>(std::popcount(word)); }
};

/// Calls the sink for all of [0, count). Returns how many were chosen.
template <class Choice, class Sink>
std::uint64_t pack_all(const settings& how, std::uint64_t count, Choice is_chosen, Sink sink) {
  pack_kernel<Choice, Sink> kernel{is_chosen, sink};
  return carried_pass<pack_kernel<Choice, Sink>>(how, kernel).run(0, count, 0);
}

/// Copies the ones of a word to consecutive places.
template <class In, class Out>
void copy_ones(std::uint64_t word, std::uint64_t from, In in, Out out) {
  if (word == low_bits(word_items)) {
    std::copy_n(advance(in, from), word_items, out);
  } else {
    for_ones(word, from, [&](std::uint64_t at) {
      *out = in[static_cast<std::iter_difference_t<In>>(at)];
      ++out;
    });
  }
}

template <class In, class Out>
struct chosen_to {
  In in;
  Out out;
  void put(std::uint64_t word, std::uint64_t from, std::uint64_t, std::uint64_t chosen) {
    copy_ones(word, from, in, advance(out, chosen));
  }
};

template <class In, class Yes, class No>
struct both_to {
  In in;
  Yes yes;
  No no;
  void put(std::uint64_t word, std::uint64_t from, std::uint64_t items, std::uint64_t chosen) {
    copy_ones(word, from, in, advance(yes, chosen));
    copy_ones(~word & low_bits(items), from, in, advance(no, from - chosen));
  }
};

struct copy_if_fn : algorithm<copy_if_fn> {
  template <class In, std::random_access_iterator Out, class Pred, class Proj = std::identity>
  static std::ranges::in_out_result<In, Out> run(const settings& how, In in, std::uint64_t count, Out out, Pred pred,
                                                 Proj proj = {}) {
    check_writable<Out>();
    const std::uint64_t chosen = pack_all(how, count, choice_by(in, pred, proj), chosen_to<In, Out>{in, out});
    return {advance(in, count), advance(out, chosen)};
  }
};

struct pack_fn : algorithm_of_two<pack_fn> {
  template <class In, class Flags, std::random_access_iterator Out>
  static std::ranges::in_out_result<In, Out> run(const settings& how, In in, std::uint64_t count, Flags flags,
                                                 std::uint64_t flag_count, Out out) {
    check_writable<Out>();
    count = std::min(count, flag_count);
    const auto is_flagged = [flags](std::uint64_t at) -> bool { return flags[static_cast<std::iter_difference_t<Flags>>(at)]; };
    const std::uint64_t chosen = pack_all(how, count, is_flagged, chosen_to<In, Out>{in, out});
    return {advance(in, count), advance(out, chosen)};
  }
};

struct partition_copy_fn : algorithm<partition_copy_fn> {
  template <class In, std::random_access_iterator Yes, std::random_access_iterator No, class Pred, class Proj = std::identity>
  static std::ranges::partition_copy_result<In, Yes, No> run(const settings& how, In in, std::uint64_t count, Yes yes, No no,
                                                             Pred pred, Proj proj = {}) {
    check_writable<Yes, No>();
    const std::uint64_t chosen = pack_all(how, count, choice_by(in, pred, proj), both_to<In, Yes, No>{in, yes, no});
    return {advance(in, count), advance(yes, chosen), advance(no, count - chosen)};
  }
};

}  // namespace algo

/// Copies the elements for which `pred` holds, in order: `copy_if([how,] range or first, last, out, pred[, proj])`. Returns both ends.
///
/// `out` is random-access, may not overlap the input, and is written only where something is copied to.
/// Cost:   work n, each element asked once; span O(n / p + p) on p workers. On one worker no memory, else a bit for each element that
///         others ask, while it waits. No branch depends on an answer: choices without a pattern cost what those with one do.
/// Throws: what `pred`, `proj` and assignments throw; `out` then holds old or new values. `stopped`.
inline constexpr algo::copy_if_fn copy_if;

/// Copies the elements whose flag is set: `pack([how,] range, flags, out)`, or with first and last of both. The shorter range decides how
/// many are looked at. Otherwise as `copy_if`.
inline constexpr algo::pack_fn pack;

/// Copies to `yes` or to `no`: `partition_copy([how,] range or first, last, yes, no, pred[, proj])`. Otherwise as `copy_if`.
inline constexpr algo::partition_copy_fn partition_copy;

}  // namespace filch
