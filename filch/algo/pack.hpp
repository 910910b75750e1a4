#pragma once
// Copies that select elements: `copy_if`, `pack`, `partition_copy`.
#include <filch/algo/braces.hpp>
#include <filch/algo/output.hpp>
#include <filch/algo/pack_words.hpp>
#include <filch/algo/single_pass_scan.hpp>

namespace filch::inline v0_2 {
namespace algo {

/// What a single-pass scan does for packing. The carry is the number of elements chosen before a
/// chunk.
///
/// Beyond the front the choices are kept as bits, so that no element is tested twice. `Sink` writes
/// a word of choices: `put(word, from, items, chosen before)`.
template <class Choice, class Sink>
struct pack_kernel {
  using carry = std::uint64_t;
  struct aggregate {
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
  aggregate ahead(std::uint64_t from, std::uint64_t to) {
    aggregate made{0, std::make_unique_for_overwrite<std::uint64_t[]>((to - from + word_items - 1) /
                                                                      word_items)};
    std::uint64_t* next = made.words.get();
    for_words(from, to, [&](std::uint64_t at, std::uint64_t items) {
      *next = choose(is_chosen, at, items);
      made.chosen += ones(*next++);
    });
    return made;
  }
  std::uint64_t past(std::uint64_t chosen, const aggregate& made) { return chosen + made.chosen; }
  void behind(std::uint64_t from, std::uint64_t to, std::uint64_t chosen, const aggregate& made) {
    const std::uint64_t* next = made.words.get();
    for_words(from, to, [&](std::uint64_t at, std::uint64_t items) {
      sink.put(*next, at, items, chosen);
      chosen += ones(*next++);
    });
  }

 private:
  static std::uint64_t ones(std::uint64_t word) noexcept {
    return static_cast<std::uint64_t>(std::popcount(word));
  }
};

/// Calls the sink for all of [0, count). Returns how many were chosen.
template <class Choice, class Sink>
std::uint64_t pack_all(const settings& how, std::uint64_t count, Choice is_chosen, Sink sink) {
  pack_kernel<Choice, Sink> kernel{is_chosen, sink};
  return single_pass_scan<pack_kernel<Choice, Sink>>(how, kernel).run(0, count, 0);
}

/// Copies the elements of the one bits of a word to consecutive places.
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

/// Removes from the word the elements that do not fit in `room` places, of which `chosen` were used
/// before. Sets `full` if the word has the first element that does not fit.
inline std::uint64_t cut_to_fit(std::uint64_t word, std::uint64_t from, std::uint64_t chosen,
                                std::uint64_t room, std::uint64_t& full) {
  if (chosen > room) return 0;
  std::uint64_t beyond = word;
  for (std::uint64_t fit = room - chosen; fit != 0 && beyond != 0; --fit) beyond &= beyond - 1;
  if (beyond != 0) full = from + static_cast<std::uint64_t>(std::countr_zero(beyond));
  return word ^ beyond;
}

/// As `chosen_to`, for at most `room` elements. Only one word has the first that does not fit, so
/// only one worker writes `full`.
template <class In, class Out>
struct chosen_within {
  In in;
  Out out;
  std::uint64_t room;
  std::uint64_t& full;

  void put(std::uint64_t word, std::uint64_t from, std::uint64_t, std::uint64_t chosen) {
    copy_ones(cut_to_fit(word, from, chosen, room, full), from, in,
              advance(out, (std::min)(chosen, room)));
  }
};

template <class In, class Yes, class No>
struct both_within {
  chosen_within<In, Yes> yes;
  chosen_within<In, No> no;

  void put(std::uint64_t word, std::uint64_t from, std::uint64_t items, std::uint64_t chosen) {
    yes.put(word, from, items, chosen);
    no.put(~word & low_bits(items), from, items, from - chosen);
  }
};

template <class Choice, class In, class Out>
std::ranges::in_out_result<In, Out> pack_within(const settings& how, In in, std::uint64_t count,
                                                Choice is_chosen, Out out, std::uint64_t room) {
  std::uint64_t full = count;
  const std::uint64_t chosen =
      pack_all(how, count, is_chosen, chosen_within<In, Out>{in, out, room, full});
  return {advance(in, full), advance(out, (std::min)(chosen, room))};
}

struct copy_if_fn : writer<copy_if_fn> {
  template <class In, std::random_access_iterator Out, class Pred, class Proj = std::identity>
  static std::ranges::in_out_result<In, Out> run(const settings& how, In in, std::uint64_t count,
                                                 Out out, Pred pred, Proj proj = {}) {
    check_writable<Out>();
    const std::uint64_t chosen =
        pack_all(how, count, choice_by(in, pred, proj), chosen_to<In, Out>{in, out});
    return {advance(in, count), advance(out, chosen)};
  }
  template <class In, class Out, class Pred, class Proj = std::identity>
  static auto run_within(const settings& how, In in, std::uint64_t count, Out out,
                         std::uint64_t room, Pred pred, Proj proj = {}) {
    if (room >= count) return run(how, in, count, out, std::move(pred), std::move(proj));
    check_writable<Out>();
    return pack_within(how, in, count, choice_by(in, pred, proj), out, room);
  }
};

struct pack_fn : writer_of_two<pack_fn> {
  template <class In, class Flags, std::random_access_iterator Out>
  static std::ranges::in_out_result<In, Out> run(const settings& how, In in, std::uint64_t count,
                                                 Flags flags, std::uint64_t flag_count, Out out) {
    check_writable<Out>();
    count = (std::min)(count, flag_count);
    const std::uint64_t chosen =
        pack_all(how, count, choice_of(flags), chosen_to<In, Out>{in, out});
    return {advance(in, count), advance(out, chosen)};
  }
  template <class In, class Flags, class Out>
  static auto run_two_within(const settings& how, In in, std::uint64_t count, Flags flags,
                             std::uint64_t flag_count, Out out, std::uint64_t room) {
    count = (std::min)(count, flag_count);
    if (room >= count) return run(how, in, count, flags, flag_count, out);
    check_writable<Out>();
    return pack_within(how, in, count, choice_of(flags), out, room);
  }

 private:
  template <class Flags>
  static auto choice_of(Flags flags) {
    return [flags](std::uint64_t at) -> bool {
      return flags[static_cast<std::iter_difference_t<Flags>>(at)];
    };
  }
};

struct partition_copy_fn : algorithm<partition_copy_fn> {
  using algorithm<partition_copy_fn>::operator();

  template <settings_like How, input_range R, output_range Yes, output_range No, class... Chosen>
  auto operator()(const How& given, R&& range, Yes&& yes, No&& no, Chosen&&... by) const {
    const settings& how = given;
    using result = std::ranges::partition_copy_result<std::ranges::borrowed_iterator_t<R>,
                                                      std::ranges::borrowed_iterator_t<Yes>,
                                                      std::ranges::borrowed_iterator_t<No>>;
    return static_cast<result>(run_in(how, [&] {
      return run_within(how, std::ranges::begin(range), count_of(range), std::ranges::begin(yes),
                        count_of(yes), std::ranges::begin(no), count_of(no),
                        std::forward<Chosen>(by)...);
    }));
  }
  template <input_range R, output_range Yes, output_range No, class... Chosen>
  auto operator()(R&& range, Yes&& yes, No&& no, Chosen&&... by) const {
    return (*this)(settings{}, std::forward<R>(range), std::forward<Yes>(yes), std::forward<No>(no),
                   std::forward<Chosen>(by)...);
  }

  template <class In, std::random_access_iterator Yes, std::random_access_iterator No, class Pred,
            class Proj = std::identity>
  static std::ranges::partition_copy_result<In, Yes, No> run(const settings& how, In in,
                                                             std::uint64_t count, Yes yes, No no,
                                                             Pred pred, Proj proj = {}) {
    check_writable<Yes, No>();
    const std::uint64_t chosen =
        pack_all(how, count, choice_by(in, pred, proj), both_to<In, Yes, No>{in, yes, no});
    return {advance(in, count), advance(yes, chosen), advance(no, count - chosen)};
  }
  template <class In, class Yes, class No, class Pred, class Proj = std::identity>
  static std::ranges::partition_copy_result<In, Yes, No> run_within(const settings& how, In in,
                                                                    std::uint64_t count, Yes yes,
                                                                    std::uint64_t yes_room, No no,
                                                                    std::uint64_t no_room,
                                                                    Pred pred, Proj proj = {}) {
    check_writable<Yes, No>();
    std::uint64_t yes_full = count, no_full = count;
    const both_within<In, Yes, No> sink{{in, yes, yes_room, yes_full}, {in, no, no_room, no_full}};
    std::uint64_t chosen = pack_all(how, count, choice_by(in, pred, proj), sink);
    if (yes_full < no_full) chosen = yes_room;
    if (no_full < yes_full) chosen = no_full - no_room;
    const std::uint64_t end = (std::min)(yes_full, no_full);
    return {advance(in, end), advance(yes, chosen), advance(no, end - chosen)};
  }
};

}  // namespace algo

/// `copy_if([how,] range or first, last, out, pred[, proj])`: copies the elements for which `pred`
/// holds, in order. Returns both ends.
///
/// `out` is random-access and must not overlap the input. Nothing is written to it except the
/// copies. It may be a range. If it becomes full, the returned end of the input is the first
/// element for which there was no room; elements behind it are tested nevertheless.
///
/// Cost: work n, each element tested once; span O(n / p + p) on p workers. One worker needs no
/// memory; otherwise each element that other workers test takes a bit while it waits. No branch
/// depends on a choice, so choices without a pattern cost the same as others.
/// Throws: what `pred`, `proj` and assignments throw; `out` then holds old or new values.
/// `stopped`.
inline constexpr algo::projecting<algo::copy_if_fn> copy_if;

/// `pack([how,] range, flags, out)`, or with first and last of both: copies the elements whose flag
/// is set. Ends with the shorter range. Otherwise as `copy_if`.
inline constexpr algo::explained<algo::pack_fn> pack;

/// `partition_copy([how,] range or first, last, yes, no, pred[, proj])`: copies each element to
/// `yes` or to `no`. Both may be ranges. The first element that does not fit ends the copy; the
/// other output may have been written beyond its returned end. Otherwise as `copy_if`.
inline constexpr algo::projecting<algo::partition_copy_fn> partition_copy;

}  // namespace filch
