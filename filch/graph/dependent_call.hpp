#pragma once
// The function of a task of `spawn_after`.
#include <filch/base/exceptions.hpp>
#include <filch/co/spawn.hpp>
#include <filch/fork/outcome.hpp>
#include <filch/graph/dependent_inputs.hpp>
#include <filch/graph/returned.hpp>

#include <coroutine>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace filch::inline v0_2::graph {

template <class F, class Arguments>
inline constexpr bool is_callable_with = false;
template <class F, class... Arguments>
inline constexpr bool is_callable_with<F, std::tuple<Arguments...>> =
    std::is_invocable_v<F, Arguments...>;

template <class F, class Arguments>
struct call_of;
template <class F, class... Arguments>
struct call_of<F, std::tuple<Arguments...>> {
  using type = returned<std::invoke_result_t<F, Arguments...>>;
};

template <class... Inputs>
using arguments_of = decltype(std::tuple_cat(std::declval<typename Inputs::argument>()...));

/// With what `F` is called: with the results of the inputs, or if it takes no arguments, with none.
template <class F, class... Inputs>
using arguments_for = std::conditional_t<is_callable_with<F, arguments_of<Inputs...>>,
                                         arguments_of<Inputs...>, std::tuple<>>;

/// Stops the compiler if `F` cannot be called so.
template <class F, class... Inputs>
constexpr bool check_call() {
  constexpr bool is_callable = is_callable_with<F, arguments_for<F, Inputs...>>;
  static_assert(is_callable,
                "filch: spawn_after calls its function without arguments, or with the results of "
                "the tasks that it waits for, in their order: const T& of a handle of spawn_after, "
                "T&& of a join_handle, a span of handles of a range, and nothing of a task without "
                "a result");
  return is_callable;
}

/// Is told of the end of the coroutine by which a task ends.
struct coroutine_end : co::waiter {
  coroutine_end(decltype(co::waiter::notify) told, dependent& of) noexcept
      : co::waiter{told}, task{of} {}
  dependent& task;
};
struct no_coroutine {
  no_coroutine(decltype(co::waiter::notify), dependent&) noexcept {}
};

/// A task that calls an `F`.
template <class F, class... Inputs>
class dependent_call final
    : public dependent_of<typename call_of<F, arguments_for<F, Inputs...>>::type::type> {
  using what = typename call_of<F, arguments_for<F, Inputs...>>::type;
  using fate = sched::detached_job::fate;

 public:
  using result = typename what::type;

  template <class G, class... From>
  dependent_call(sched::scheduler& pool, priority how_urgent, G&& function, From&&... from)
      : dependent_of<result>{table, &begin_job, pool, how_urgent},
        told_{&coroutine_ended, *this},
        held_{std::forward<G>(function), std::tuple<Inputs...>(std::forward<From>(from)...)} {}
  dependent_call(const dependent_call&) = delete;
  dependent_call& operator=(const dependent_call&) = delete;
  ~dependent_call() {}  // `held_` is gone by now

  /// Begins to wait. The caller has a handle.
  void begin() noexcept {
    const auto listen = [this](Inputs&... each) {
      const std::uint32_t count = (0u + ... + each.count());
      this->begin_waiting(count);
      bool is_ready = count == 0;
      ((is_ready = each.listen(*this) || is_ready), ...);
      return is_ready;
    };
    if (std::apply(listen, held_.inputs)) this->submit();
  }

 private:
  struct held {
    [[no_unique_address]] F function;
    std::tuple<Inputs...> inputs;
  };

  static void begin_job(sched::detached_job* self, fate how) { dependent::run_as_job(self, how); }
  static void destroy(dependent& self) noexcept { delete static_cast<dependent_call*>(&self); }
  static bool run(dependent& self, fate how) noexcept {
    dependent_call& mine = static_cast<dependent_call&>(self);
    mine.tell_failures();
    if (mine.has_failed()) {
    } else if (how == fate::discard) {
      mine.fail_by_stop();
    } else {
      FILCH_TRY {
        if constexpr (what::is_coroutine) {
          mine.begin_task(mine.call());
          return false;  // the task may be gone
        } else {
          mine.put([&]() -> decltype(auto) { return mine.call(); });
        }
      }
      FILCH_CATCH_ALL { mine.fail(fork::handled_exception()); }
    }
    mine.drop();
    return true;
  }
  void tell_failures() noexcept {
    std::apply([&](const Inputs&... each) { (each.tell_failure(*this), ...); }, held_.inputs);
  }
  decltype(auto) call() {
    if constexpr (is_callable_with<F, arguments_of<Inputs...>>) {
      const auto arguments = [](Inputs&... each) { return std::tuple_cat(each.arguments()...); };
      return std::apply(std::move(held_.function), std::apply(arguments, held_.inputs));
    } else {
      return std::move(held_.function)();
    }
  }
  // Before the task ends: what follows it finds what the function had captured destroyed.
  void drop() noexcept { std::destroy_at(&held_); }

  template <class T>
  void begin_task(task<T> begun) noexcept {
    const std::coroutine_handle<co::promise<T>> root = co::detail::task_access::release(begun);
    this->begin_coroutine(root.promise(), root, told_);
  }
  static std::coroutine_handle<> coroutine_ended(co::waiter& self,
                                                 co::promise_base& ended) noexcept {
    if constexpr (what::is_coroutine) {
      dependent_call& mine = static_cast<dependent_call&>(static_cast<coroutine_end&>(self).task);
      if (ended.error()) {
        mine.fail(ended.error());
      } else {
        auto& root = static_cast<co::promise<typename what::promised>&>(ended);
        FILCH_TRY {
          mine.put([&]() -> decltype(auto) { return root.take(); });
        }
        FILCH_CATCH_ALL { mine.fail(fork::handled_exception()); }
      }
      ended.resumes.destroy();
      mine.drop();
      mine.end_later();
    }
    return nullptr;
  }
  static constexpr typename dependent::operations table{&run, &destroy};

  [[no_unique_address]] std::conditional_t<what::is_coroutine, coroutine_end, no_coroutine> told_;
  union {
    held held_;
  };
};

}  // namespace filch::graph
