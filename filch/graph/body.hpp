#pragma once
// The function of a node, and how it is called with the results of other nodes.
#include <filch/co/task.hpp>
#include <filch/fork/outcome.hpp>
#include <filch/graph/access.hpp>
#include <filch/graph/returned.hpp>

#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace filch::inline v0_2 {

template <class T>
class graph_node;
class subgraph;
class task_graph;

namespace graph {

/// A node with a result of type `T`, or void.
template <class T>
class node_of : public node_base {
 public:
  using node_base::node_base;

  template <class F>
  void put(F&& made) {
    if constexpr (std::is_void_v<T>) {
      std::forward<F>(made)();
    } else {
      value_.emplace(std::forward<F>(made)());
      has_result = true;
    }
  }
  bool is_set() const noexcept { return value_.has_value(); }
  const auto& value() const noexcept { return *value_; }
  auto&& take() noexcept {
    has_result = false;
    return std::move(*value_);
  }

 private:
  using stored = std::conditional_t<std::is_void_v<T>, char, T>;
  std::optional<stored> value_;
};

template <class Node>
void destroy_node(node_base& self) noexcept {
  static_cast<Node&>(self).~Node();
}

/// What a node depends on: a node, or one that may be skipped.
template <class T>
struct input {
  using type = T;
  static constexpr bool is_optional = false;
  static constexpr dependency kind = std::is_void_v<T> ? dependency::order : dependency::value;
  node_of<T>* from;
};
template <class T>
struct optional_input {
  using type = T;
  static constexpr bool is_optional = true;
  static constexpr dependency kind = dependency::optional_value;
  node_of<T>* from;
};

/// The types with which a function is called, each input taken or only looked at.
template <class Input, bool takes>
using argument_of = std::conditional_t<
    Input::is_optional, const typename Input::type*,
    std::conditional_t<takes, typename Input::type&&, const typename Input::type&>>;

template <class F, class First, unsigned takes, class Indices, class... Inputs>
inline constexpr bool is_called_so = false;
template <class F, class... First, unsigned takes, std::size_t... I, class... Inputs>
inline constexpr bool
    is_called_so<F, std::tuple<First...>, takes, std::index_sequence<I...>, Inputs...> =
        std::is_invocable_v<F&, First..., argument_of<Inputs, (takes >> I & 1) != 0>...>;

/// How `F` is called with the results of `Inputs`, after arguments of the types `First`.
template <class F, class First, class... Inputs>
struct call_plan {
  using indices = std::index_sequence_for<Inputs...>;
  template <unsigned takes>
  static constexpr bool works = is_called_so<F, First, takes, indices, Inputs...>;
  static constexpr unsigned all = (1u << sizeof...(Inputs)) - 1;

  template <unsigned takes, std::size_t i>
  static constexpr unsigned without() {
    if constexpr (i == sizeof...(Inputs)) {
      return takes;
    } else if constexpr (works<takes & ~(1u << i)>) {
      return without<takes & ~(1u << i), i + 1>();
    } else {
      return without<takes, i + 1>();
    }
  }

  static constexpr bool can_take_all = works<all>;
  static constexpr bool is_possible = can_take_all || works<0>;
  /// The inputs that it takes in any case, as bits.
  static constexpr unsigned must_take = works<0> ? 0 : can_take_all ? without<all, 0>() : 0;
};

/// The inputs with a result; the others only come before.
template <class... Inputs>
auto results_in(Inputs... inputs) noexcept {
  [[maybe_unused]] const auto one = [](auto input) {
    if constexpr (std::is_void_v<typename decltype(input)::type>) {
      return std::tuple<>{};
    } else {
      return std::tuple{input};
    }
  };
  return std::tuple_cat(one(inputs)...);
}
template <class... Inputs>
struct with_results {
  using type = decltype(results_in(std::declval<Inputs>()...));
};

template <class F, class First, class Inputs>
inline constexpr bool is_callable = false;
template <class F, class First, class... Inputs>
inline constexpr bool is_callable<F, First, std::tuple<Inputs...>> =
    call_plan<F, First, Inputs...>::is_possible;

template <class F, class First, class Inputs>
class body;

/// Common to all functions of nodes.
template <class F, class... First, class... Inputs>
class body<F, std::tuple<First...>, std::tuple<Inputs...>> {
 public:
  using how = call_plan<F, std::tuple<First...>, Inputs...>;
  using given = std::tuple<First...>;
  static constexpr auto returned_type() {
    if constexpr (how::must_take != 0 ||
                  !is_called_so<F, std::tuple<First...>, 0, std::index_sequence_for<Inputs...>,
                                Inputs...>) {
      return std::type_identity<std::invoke_result_t<F&, First..., argument_of<Inputs, true>...>>{};
    } else {
      return std::type_identity<
          std::invoke_result_t<F&, First..., argument_of<Inputs, false>...>>{};
    }
  }
  using returned_by = typename decltype(returned_type())::type;
  using result = typename returned<returned_by>::type;
  static constexpr bool is_coroutine = returned<returned_by>::is_coroutine;

  template <class G>
  body(G&& function, std::tuple<Inputs...> from)
      : function_(std::forward<G>(function)), from_{from} {}

  /// Throws: what the function throws.
  returned_by call(First... first) {
    if constexpr (how::can_take_all) {
      if (may_take_all()) return call_so<~0u>(std::index_sequence_for<Inputs...>{}, first...);
    }
    return call_so<how::must_take>(std::index_sequence_for<Inputs...>{}, first...);
  }

 private:
  bool may_take_all() const noexcept {
    return std::apply(
        [](const auto&... each) {
          return (... && (each.is_optional || each.from->may_be_taken()));
        },
        from_);
  }
  template <unsigned takes, std::size_t... I>
  returned_by call_so(std::index_sequence<I...>, First... first) {
    return function_(first..., pass<(takes >> I & 1) != 0>(std::get<I>(from_))...);
  }
  template <bool takes, class Input>
  static decltype(auto) pass(const Input& input) noexcept {
    if constexpr (Input::is_optional) {
      return input.from->has_result ? &input.from->value() : nullptr;
    } else if constexpr (takes) {
      return input.from->take();
    } else {
      return input.from->value();
    }
  }

  F function_;
  std::tuple<Inputs...> from_;
};

/// Waits for the task of a node, which ends with it: also if a pool that stops drops the task.
template <class T>
class task_end : public co::waiter {
 public:
  explicit task_end(node_of<T>& of) noexcept : co::waiter{&ended}, node_{of} {}
  /// Throws: as `spawn`; the node has then not begun.
  void begin(task<T> runs) {
    const std::coroutine_handle<co::promise<T>> frame = co::detail::task_access::frame_of(runs);
    access::spawn(node_, frame.promise(), frame, *this);
    co::detail::task_access::release(runs);
  }

 private:
  static std::coroutine_handle<> ended(co::waiter& self, co::promise_base& finished) noexcept {
    node_of<T>& node = static_cast<task_end&>(self).node_;
    std::exception_ptr thrown;
    FILCH_TRY {
      node.put([&]() -> T { return static_cast<co::promise<T>&>(finished).take(); });
    }
    FILCH_CATCH_ALL { thrown = fork::handled_exception(); }
    finished.resumes.destroy();
    access::end_later(node, std::move(thrown));
    return nullptr;
  }
  node_of<T>& node_;
};
struct no_task_end {
  explicit no_task_end(node_base&) noexcept {}
};

/// A node that calls a function.
template <class Body>
class function_node final : public node_of<typename Body::result> {
 public:
  using result = typename Body::result;
  template <class... Args>
  explicit function_node(core& of, node_info& about, Args&&... args)
      : node_of<result>{operations, of, about}, body_(std::forward<Args>(args)...) {
    about.takes_results = Body::how::must_take != 0;
  }

 private:
  static progress run(node_base& self, loop&) {
    function_node& mine = static_cast<function_node&>(self);
    if constexpr (Body::is_coroutine) {
      mine.end_.begin(mine.body_.call());
      return progress::later;
    } else {
      mine.put([&]() -> decltype(auto) { return mine.body_.call(); });
      return progress::ended;
    }
  }
  static constexpr node_operations operations{&run, &destroy_node<function_node>,
                                              Body::is_coroutine};
  Body body_;
  [[no_unique_address]] std::conditional_t<Body::is_coroutine, task_end<result>, no_task_end> end_{
      *this};
};

inline progress run_inside(core& other, loop& on, node_base& outer) {
  if (access::size(other) == 0) return progress::ended;
  access::run_inside(other, on, outer);
  return progress::later;
}

/// A node whose function adds nodes, which run before its successors.
template <class Body>
class subgraph_node final : public node_of<typename Body::result> {
 public:
  using result = typename Body::result;
  template <class... Args>
  explicit subgraph_node(core& of, node_info& about, Args&&... args)
      : node_of<typename Body::result>{operations, of, about}, body_(std::forward<Args>(args)...) {
    about.takes_results = Body::how::must_take != 0;
  }

 private:
  static progress run(node_base& self, loop& on) {
    subgraph_node& mine = static_cast<subgraph_node&>(self);
    access::clear(*mine.inner_);
    std::remove_reference_t<std::tuple_element_t<0, typename Body::given>> adds{*mine.inner_};
    mine.put([&]() -> decltype(auto) { return mine.body_.call(adds); });
    return run_inside(*mine.inner_, on, mine);
  }
  static constexpr node_operations operations{&run, &destroy_node<subgraph_node>, true};
  owned_core inner_;
  Body body_;
};

/// A node that is another graph.
class graph_as_node final : public node_of<void> {
 public:
  graph_as_node(core& of, node_info& about, core& other)
      : node_of<void>{operations, of, about}, other_{other} {}

 private:
  static progress run(node_base& self, loop& on) {
    return run_inside(static_cast<graph_as_node&>(self).other_, on, self);
  }
  static constexpr node_operations operations{&run, &destroy_node<graph_as_node>, true};
  core& other_;
};

/// A node that chooses which of its successors runs.
template <class Body>
class branch_node final : public node_of<void> {
 public:
  template <class... Args>
  explicit branch_node(core& of, node_info& about, Args&&... args)
      : node_of<void>{operations, of, about}, body_(std::forward<Args>(args)...) {
    about.is_branch = true;
    about.takes_results = Body::how::must_take != 0;
  }

 private:
  static progress run(node_base& self, loop&) {
    branch_node& mine = static_cast<branch_node&>(self);
    mine.info->chosen = static_cast<std::uint32_t>(mine.body_.call());
    mine.put([] {});
    return progress::ended;
  }
  static constexpr node_operations operations{&run, &destroy_node<branch_node>, false};
  Body body_;
};

/// A node whose result is given from outside.
template <class T>
class input_node final : public node_of<T> {
 public:
  input_node(core& of, node_info& about) : node_of<T>{operations, of, about} {
    about.keeps_result = true;
  }

 private:
  static progress run(node_base& self, loop&) {
    if (!static_cast<input_node&>(self).is_set()) access::throw_not_set(self);
    self.has_result = true;
    return progress::ended;
  }
  static constexpr node_operations operations{&run, &destroy_node<input_node>, false};
};

}  // namespace graph
}  // namespace filch
