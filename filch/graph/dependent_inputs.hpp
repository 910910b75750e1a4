#pragma once
// What a task of `spawn_after` waits for, and is called with.
#include <filch/co/spawn.hpp>
#include <filch/graph/shared_join_handle.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace filch::inline v0_2::graph {

struct handle_access {
  template <class T>
  static shared_join_handle<T> handle_of(dependent_of<T>& made) noexcept {
    return shared_join_handle<T>{made};
  }
  template <class T>
  static dependent_of<T>* task_of(const shared_join_handle<T>& of) noexcept {
    return of.task();
  }
};

// Each has `count()`, the tasks that it waits for; `listen(by)`, which returns true if `by` is then
// ready; `tell_failure(to)`, once all have ended; and `arguments()`, a tuple.

/// A handle: the task is held until the function has returned.
template <class T>
class handle_input : successor {
 public:
  using argument = std::conditional_t<std::is_void_v<T>, std::tuple<>,
                                      std::tuple<std::add_lvalue_reference_t<const T>>>;

  explicit handle_input(shared_join_handle<T> from) noexcept : from_{std::move(from)} {}
  static constexpr std::uint32_t count() noexcept { return 1; }
  bool listen(dependent& by) noexcept {
    task = &by;
    dependent* const of = handle_access::task_of(from_);
    return (of == nullptr || !of->add(*this)) && by.arrive();
  }
  void tell_failure(dependent& to) const noexcept {
    dependent* const of = handle_access::task_of(from_);
    if (of != nullptr && of->has_failed()) to.inherit(*of);
  }
  argument arguments() const noexcept {
    if constexpr (std::is_void_v<T>) {
      return {};
    } else {
      return argument{handle_access::task_of(from_)->value()};
    }
  }

 private:
  shared_join_handle<T> from_;
};

/// A range of handles, of which the program knows the length when it spawns.
template <class T>
class range_input {
 public:
  using argument = std::conditional_t<std::is_void_v<T>, std::tuple<>,
                                      std::tuple<std::span<const shared_join_handle<T>>>>;

  explicit range_input(std::vector<shared_join_handle<T>>&& from)
      : from_{std::move(from)}, links_(from_.size()) {}
  template <class Range>
  explicit range_input(Range&& from) {
    for (auto&& each : from) from_.emplace_back(each);
    links_ = std::vector<successor>(from_.size());
  }
  std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(from_.size()); }
  bool listen(dependent& by) noexcept {
    bool is_ready = false;
    const std::size_t size = from_.size();  // it may be gone once the last one is added
    for (std::size_t i = 0; i != size; ++i) {
      links_[i].task = &by;
      dependent* const of = handle_access::task_of(from_[i]);
      is_ready = (of == nullptr || !of->add(links_[i])) && by.arrive();
    }
    return is_ready;
  }
  void tell_failure(dependent& to) const noexcept {
    for (const shared_join_handle<T>& each : from_) {
      dependent* const of = handle_access::task_of(each);
      if (of != nullptr && of->has_failed()) to.inherit(*of);
    }
  }
  argument arguments() const noexcept {
    if constexpr (std::is_void_v<T>) {
      return {};
    } else {
      return argument{from_};
    }
  }

 private:
  std::vector<shared_join_handle<T>> from_;
  std::vector<successor> links_;
};

/// A handle of `spawn`, which is consumed.
template <class T>
class join_input : co::waiter {
 public:
  using argument = std::conditional_t<std::is_void_v<T>, std::tuple<>,
                                      std::tuple<std::add_rvalue_reference_t<T>>>;

  explicit join_input(join_handle<T>&& from) noexcept
      : co::waiter{&ended}, from_{std::move(from)} {}
  join_input(const join_input&) = delete;
  join_input& operator=(const join_input&) = delete;
  ~join_input() {
    if (frame_) frame_.destroy();
  }
  static constexpr std::uint32_t count() noexcept { return 1; }
  bool listen(dependent& by) noexcept {
    waits_ = &by;
    frame_ = co::detail::task_access::release(from_);
    co::completion& done = frame_.promise().done();
    return (done.is_finished() || !done.leave_for_good(*this)) && by.arrive();
  }
  void tell_failure(dependent& to) const noexcept {
    const co::promise_base& ended = frame_.promise();
    if (ended.error()) to.inherit(ended.error(), !ended.has_begun);
  }
  /// Throws: what the move of the result throws.
  argument arguments() {
    if constexpr (std::is_void_v<T>) {
      return {};
    } else if constexpr (std::is_reference_v<T>) {
      return argument{frame_.promise().take()};
    } else {
      return argument{std::move(result_.emplace(frame_.promise().take()))};
    }
  }

 private:
  using stored = std::conditional_t<std::is_object_v<T>, T, char>;

  static std::coroutine_handle<> ended(co::waiter& self, co::promise_base&) noexcept {
    dependent& waits = *static_cast<join_input&>(self).waits_;
    if (waits.arrive()) waits.submit_from_anywhere();
    return nullptr;
  }

  join_handle<T> from_;  ///< Until `listen`: if this is dropped before, the spawned task runs on.
  std::coroutine_handle<co::promise<T>> frame_;
  dependent* waits_ = nullptr;
  std::optional<stored> result_;
};

template <class T>
struct input_for {
  using type = void;  ///< It is none.
};
template <class T>
struct input_for<shared_join_handle<T>> {
  using type = handle_input<T>;
};
template <class T>
struct input_for<join_handle<T>> {
  using type = join_input<T>;
};
template <class T>
struct handle_value {};
template <class T>
struct handle_value<shared_join_handle<T>> {
  using type = T;
};
template <class Range>
using value_in = typename handle_value<
    std::remove_cvref_t<decltype(*std::declval<const Range&>().begin())>>::type;
template <class Range>
requires requires { typename value_in<Range>; }
struct input_for<Range> {
  using type = range_input<value_in<Range>>;
};
template <class T>
using input_of = typename input_for<std::remove_cvref_t<T>>::type;

/// Whether `spawn_after` can wait for an argument of type `T`. Stops the compiler if it cannot.
template <class T>
constexpr bool check_input() {
  constexpr bool is_input = !std::is_void_v<input_of<T>>;
  static_assert(is_input,
                "filch: spawn_after(f, ...) waits for what spawn_after returned, for ranges of "
                "that, and for what spawn returned; spawn a task first");
  constexpr bool is_kept = std::is_constructible_v<input_of<T>, T>;
  static_assert(!is_input || is_kept,
                "filch: spawn_after takes a join_handle by std::move: it has one awaiter");
  return is_input && is_kept;
}

}  // namespace filch::graph
