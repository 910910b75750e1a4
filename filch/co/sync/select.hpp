#pragma once
#include <filch/co/first_result.hpp>
#include <filch/co/sync/selection.hpp>

#include <array>
#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace filch {
namespace co::sync {

/// An operation that `select` may list beside others.
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
  /// In their order, too, or a case would never come whose object lets others go first while
  /// another one's does not.
  bool try_for_others() const noexcept { return is_for_others_; }
  bool try_or_list() noexcept FILCH_THREAD_ANNOTATION(no_thread_safety_analysis) {
    served_chain served;
    all_.lock();
    const bool is_interrupted = this->at == wait_link::stage::interrupted;
    const bool is_settled =
        is_interrupted || first_that([&](auto& each) { return each.try_locked(served); });
    if (!is_settled) {
      all_.join_cases();
      std::apply([&](auto&... each) { (each.list(served), ...); }, cases_);
      is_joined_ = true;
    }
    if (!is_interrupted)
      this->at = is_settled ? wait_link::stage::served : wait_link::stage::listed;
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
  /// Whether `tries` says yes to one of them, which then is chosen. Begins with any and goes on in
  /// order.
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
  /// The one that was chosen is done, and others are to get their turn.
  bool is_for_others_ = false;
  bool is_joined_ = false;  ///< The cases are, or were, in their lists.
};

}  // namespace co::sync

/// Does one of several operations: that which can be done first. `co_await select(a.receive(),
/// b.send(1), stop.wait())`, or `filch::wait(select(...))`. `index` of what it gives says which,
/// `value` holds what that one gave, at the same index; `std::monostate` for nothing.
///
/// None of the others has happened: it has taken no value, no permit, no lock, and sent nothing:
/// what was to be sent its operation still has (`take_back`), where that is kept. Of several that
/// can be done at once each is as likely to be the first that is tried. One that waits keeps its
/// place among others in each line, in order of arrival. Takes receives and sends of channels,
/// receives of `oneshot` and `broadcast`, waits for events and latches, and acquires a semaphore's
/// permit or a mutex. A closed channel's can be done: they give what they give otherwise. The same
/// channel may stand there more than once, to receive and to send as well; it does not receive from
/// itself. What is not to be tried in this turn is left out by the caller.
/// Cost: where one can be done, that of trying them up to it; else all their locks at once, a place
/// in each line, and after the wait each lock once more. No allocation. Blocks, throws: as the
/// operations; an await `co::cancelled`, and then none has happened.
/// Lifetime: refers to the operations: await it in the expression that made it, or keep the
/// operations as long.
/// Source: Go's select (its runtime takes all locks in the order of addresses, too). We differ: a
/// `default` is spelled with the `try_...` of an operation, a
///          deadline by `with_timeout`.
template <class... Operations>
requires(sizeof...(Operations) > 0 && (co::sync::selectable<std::remove_cvref_t<Operations>> &&
                                       ...)) auto select(Operations&&... of) noexcept {
  return co::sync::selecting<std::remove_cvref_t<Operations>...>{of...};
}

}  // namespace filch
