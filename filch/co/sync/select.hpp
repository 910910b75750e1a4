#pragma once
#include <filch/co/first_result.hpp>
#include <filch/co/sync/selection.hpp>

#include <array>
#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace filch::inline v0_2 {
namespace co::sync {

/// An operation that `select` accepts.
template <class Operation>
concept selectable = std::derived_from<Operation, wait_node> &&
    requires(Operation& of, served_chain& served) {
  { of.try_at_once() } -> std::same_as<bool>;
  { of.try_for_others() } -> std::same_as<bool>;
  { of.try_locked(served) } -> std::same_as<bool>;
  of.list(served);
};

template <selectable... Operations>
class [[nodiscard]] selecting : public waiting<selecting<Operations...>> {
  template <class Operation>
  using result_of = std::decay_t<decltype(std::declval<Operation&>().result())>;
  template <class Operation>
  using brought_by = std::conditional_t<std::is_void_v<result_of<Operation>>, std::monostate,
                                        result_of<Operation>>;

 public:
  using value_type = std::variant<brought_by<Operations>...>;

  explicit selecting(Operations&... of) noexcept
      : cases_{of...}, nodes_{&of...}, all_{*this, nodes_.data(), locks_.data(), nodes_.size()} {
    this->waits_at(all_.first_lock());
  }
  ~selecting() {
    if (is_joined_) [[unlikely]]
      all_.part_cases();
    this->leave();
  }

  bool try_at_once() {
    all_.begin();
    is_for_others_ = false;
    return first_that([this](auto& each) {
             return each.try_at_once() || (is_for_others_ = each.try_for_others());
           }) &&
           !is_for_others_;
  }
  /// A case that must yield first is tried in its order, too: else it would never be chosen while
  /// another one is ready.
  bool try_for_others() const noexcept { return is_for_others_; }
  bool try_or_list() noexcept FILCH_THREAD_ANNOTATION(no_thread_safety_analysis) {
    served_chain served;
    all_.lock();
    const bool is_interrupted = this->at == wait_link::state::interrupted;
    const bool is_settled =
        is_interrupted || first_that([&](auto& each) { return each.try_locked(served); });
    if (!is_settled) {
      all_.join_cases();
      std::apply([&](auto&... each) { (each.list(served), ...); }, cases_);
      is_joined_ = true;
    }
    if (!is_interrupted)
      this->at = is_settled ? wait_link::state::served : wait_link::state::listed;
    all_.unlock();
    wake_all(served);
    return is_settled;
  }
  void ended() noexcept {
    if (!is_joined_) return;
    is_joined_ = false;
    all_.part_cases();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i] == all_.ended_by()) chosen_ = i;
    }
  }
  static base::awaited awaited() noexcept { return {"one of several operations"}; }
  first_result<value_type> result() { return result_from<0>(); }

 private:
  /// True if `tries` returns true for a case, which then is chosen. Begins at a random case and
  /// goes on in order.
  template <class Try>
  bool first_that(Try tries) {
    const std::size_t begin = draw_below(nodes_.size());
    return first_between(begin, nodes_.size(), tries) || first_between(0, begin, tries);
  }
  template <class Try>
  bool first_between(std::size_t begin, std::size_t end, Try& tries) {
    std::size_t i = 0;
    const auto is_chosen = [&](auto& each) {
      if (i >= begin && i < end && tries(each)) {
        chosen_ = i;
        return true;
      }
      ++i;
      return false;
    };
    return std::apply([&](auto&... each) { return (is_chosen(each) || ...); }, cases_);
  }
  template <std::size_t Index>
  first_result<value_type> result_from() {
    if constexpr (Index + 1 < sizeof...(Operations)) {
      if (chosen_ != Index) return result_from<Index + 1>();
    }
    auto& chosen = std::get<Index>(cases_);
    if constexpr (std::is_void_v<decltype(chosen.result())>) {
      return {Index, value_type{std::in_place_index<Index>}};
    } else {
      return {Index, value_type{std::in_place_index<Index>, chosen.result()}};
    }
  }

  std::tuple<Operations&...> cases_;
  std::array<wait_node*, sizeof...(Operations)> nodes_;
  std::array<base::mutex*, sizeof...(Operations)> locks_;
  selection all_;
  std::size_t chosen_ = 0;
  /// The chosen operation is done, and the coroutine must yield.
  bool is_for_others_ = false;
  bool is_joined_ = false;  ///< The cases are, or were, in their lists.
};

}  // namespace co::sync

/// Does one of several operations: the first that can be done. `co_await select(a.receive(),
/// b.send(1), stop.wait())`, or `filch::wait(select(...))`. `index` of the result says which one,
/// `value` holds its result at the same index, or `std::monostate` if it has none.
///
/// None of the others happens: it takes no value, no permit, no lock, and sends nothing. An
/// operation that is kept still has the value that it was to send (`take_back`). If several can be
/// done at once, the first to be tried is random. A `select` that waits keeps its place in each
/// line, in order of arrival. It takes sends and receives of channels, receives of `oneshot` and
/// `broadcast`, waits for events and latches, and locks of a mutex or a semaphore. Not barriers, as
/// to arrive is to take part, and not shared locks, whose line is served several at a time. An
/// operation of a closed channel can be done, with its usual result. The same channel may stand
/// there more than once, even to send and to receive; it does not receive from itself.
/// Cost: if one can be done, that of trying them up to it; else all their locks at once, a place in
/// each line, and after the wait each lock once more. No allocation. Blocks, throws: as the
/// operations; an await `co::cancelled`, and then none has happened.
/// Lifetime: refers to the operations: await it in the expression that made it, or keep the
/// operations as long.
/// Source: Go's select (its runtime takes all locks in the order of addresses, too). We differ: use
/// the `try_...` of an operation for a `default`, and `with_timeout` for a deadline.
template <class... Operations>
requires(sizeof...(Operations) > 0 && (co::sync::selectable<std::remove_cvref_t<Operations>> &&
                                       ...)) auto select(Operations&&... of) noexcept {
  return co::sync::selecting<std::remove_cvref_t<Operations>...>{of...};
}

}  // namespace filch
