#pragma once
// Sorting numbers in their own order is compiled once, in the library. Such a call adds only the
// call itself.
#include <filch/algo/settings.hpp>
#include <filch/algo/sorting/order.hpp>

#include <concepts>
#include <cstdint>
#include <functional>

namespace filch::inline v0_2::algo::sorting {

template <class T>
concept usual_number = std::same_as<T, int> || std::same_as<T, unsigned> || std::same_as<T, long> ||
    std::same_as<T, unsigned long> || std::same_as<T, float> || std::same_as<T, double>;

/// Whether `Less` is the natural order of numbers.
template <class Less, class T>
inline constexpr bool is_usual_order = false;
template <class Comp, usual_number T>
inline constexpr bool is_usual_order<order<Comp, std::identity>, T> =
    std::same_as<std::remove_const_t<Comp>, std::ranges::less> ||
    std::same_as<std::remove_const_t<Comp>, std::less<>> ||
    std::same_as<std::remove_const_t<Comp>, std::less<T>>;

/// As `sort_unstably`, for a `usual_number`. Its parameter names no concept: clang since 18 would
/// make that a part of the symbol, and miss it in a library of another compiler.
template <class T>
FILCH_EXPORT void sort_numbers(const settings& how, T* first, std::uint64_t count);

}  // namespace filch::algo::sorting
