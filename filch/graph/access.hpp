#pragma once
// What templates in headers do with the core of a graph.
#include <filch/algo/settings.hpp>
#include <filch/co/task.hpp>
#include <filch/graph/node_base.hpp>
#include <filch/graph/outcome.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace filch::inline v0_2 {
class graph_limit;
}  // namespace filch::inline v0_2

namespace filch::inline v0_2::graph {

/// The functions of `core`, for programs, which need not know what a graph is made of.
struct FILCH_EXPORT access {
  static core* make();
  static void destroy(core* of) noexcept;

  static void* allocate(core& in, std::size_t bytes, std::size_t alignment);
  static node_info& make_info(core& in, const char* name);
  static const char* copy(core& in, std::string_view name);
  /// Makes room for a node and so many edges. Throws: `std::bad_alloc`.
  static void reserve(core& in, std::size_t edges);
  /// These two need it.
  static void add(core& in, node_base& made) noexcept;
  static void connect(node_base& from, node_base& to, dependency kind,
                      std::uint32_t choice = 0) noexcept;
  /// For nodes that a program connects. Throws: `std::logic_error`, `std::bad_alloc`.
  static void connect_checked(node_base& from, node_base& to, dependency kind,
                              std::uint32_t choice = 0);
  /// Throws: `std::logic_error` if it runs; `what` would change it.
  static void check_idle(core& of, const char* what);
  /// The same; then it is planned again before it runs.
  static void change(core& of, const char* what);
  /// Throws: `std::logic_error` if `of` is a node of another graph.
  static void check_home(const node_base& of, const core& in);
  static void clear(core& of) noexcept;
  /// Throws: as `connect_checked`.
  static void limit(node_base& node, graph_limit& by);
  static void set_order(core& of, graph_order how);
  static void set_name(core& of, std::string_view name);
  static std::uint32_t size(const core& of) noexcept;

  static void run(core& of, const algo::settings& how);
  static task<> run_async(core& of, algo::settings how);
  static void run_inside(core& of, loop& on, node_base& outer);
  /// Begins `task`, of `node`, where the node belongs. `told` is notified of its end.
  /// Throws: as `filch::spawn`.
  static void spawn(const node_base& node, co::promise_base& task, std::coroutine_handle<> self,
                    co::waiter& told);
  static void end_later(node_base& node, std::exception_ptr thrown) noexcept;

  static node_result result_of(const node_base& node) noexcept;
  static std::uint64_t ns_of(const node_base& node) noexcept;
  static std::string name_of(const node_base& node);
  [[noreturn]] static void throw_no_result(const node_base& of);
  [[noreturn]] static void throw_not_set(const node_base& input);
};

/// Owns a core, or is empty.
class owned_core {
 public:
  owned_core() : core_{access::make()} {}
  owned_core(owned_core&& other) noexcept : core_{std::exchange(other.core_, nullptr)} {}
  owned_core& operator=(owned_core&& other) noexcept {
    std::swap(core_, other.core_);
    return *this;
  }
  ~owned_core() { access::destroy(core_); }
  core& operator*() const noexcept { return *core_; }

 private:
  core* core_;
};

}  // namespace filch::graph
