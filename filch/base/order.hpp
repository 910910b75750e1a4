#pragma once
// Memory orders with names. A non-relaxed order is written `release<edge::publish>`. The enumerator
// says why the order is there. A model build can weaken exactly that edge to relaxed, so that its
// witness test must fail.
#include <filch/base/language.hpp>

#include <atomic>
#include <type_traits>

namespace filch::inline v0_2::base {

#if defined(FILCH_MODEL)
/// The edge that this model run weakens. The address identifies edge and enumerator; null weakens
/// nothing.
inline const void* weakened_edge = nullptr;
template <auto Edge>
inline constexpr char edge_identity = 0;
/// Weakens `Edge` to relaxed, and a fence on it to nothing, until the next call.
template <auto Edge>
void weaken() noexcept {
  weakened_edge = &edge_identity<Edge>;
}
inline void weaken_nothing() noexcept { weakened_edge = nullptr; }
template <auto Edge>
bool is_weakened() noexcept {
  return weakened_edge == &edge_identity<Edge>;
}
#else
template <auto Edge>
constexpr bool is_weakened() noexcept {
  return false;
}
#endif

/// One side of the edge `Edge`: converts to `Order`, or to relaxed if a model build weakens the
/// edge.
template <auto Edge, std::memory_order Order>
struct edge_order {
  static_assert(std::is_enum_v<decltype(Edge)>, "an order names its edge: release<edge::publish>");
  constexpr operator std::memory_order() const noexcept {
    return is_weakened<Edge>() ? std::memory_order_relaxed : Order;
  }
};

template <auto Edge>
inline constexpr edge_order<Edge, std::memory_order_release> release{};
template <auto Edge>
inline constexpr edge_order<Edge, std::memory_order_acquire> acquire{};
template <auto Edge>
inline constexpr edge_order<Edge, std::memory_order_acq_rel> acq_rel{};
template <auto Edge>
inline constexpr edge_order<Edge, std::memory_order_seq_cst> seq_cst{};
/// No ordering. If another thread writes the variable, a comment at the use says why none is
/// needed.
inline constexpr std::memory_order relaxed = std::memory_order_relaxed;

}  // namespace filch::base
