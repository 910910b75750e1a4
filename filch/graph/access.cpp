#include <filch/graph/access.hpp>

#include <filch/graph/core.hpp>
#include <filch/graph/limit.hpp>

#include <stdexcept>

namespace filch::inline v0_2::graph {

core* access::make() { return new core; }
void access::destroy(core* of) noexcept { delete of; }

void* access::allocate(core& in, std::size_t bytes, std::size_t alignment) {
  return in.allocate(bytes, alignment);
}
node_info& access::make_info(core& in, const char* name) {
  auto& made = *new (in.allocate_apart(sizeof(node_info), alignof(node_info))) node_info;
  made.name = name;
  return made;
}
const char* access::copy(core& in, std::string_view name) {
  char* const kept = static_cast<char*>(in.allocate_apart(name.size() + 1, 1));
  *std::copy(name.begin(), name.end(), kept) = '\0';
  return kept;
}
void access::add(core& in, node_base& made) noexcept { in.add(made); }
void access::clear(core& of) noexcept { of.clear(); }
std::uint32_t access::size(const core& of) noexcept { return of.size(); }
void access::check_idle(core& of, const char* what) { of.check_idle(what); }

void access::change(core& of, const char* what) {
  of.check_idle(what);
  of.plan_again();
}

void access::check_home(const node_base& of, const core& in) {
  if (of.home != &in)
    throw std::logic_error(
        "filch: nodes of two task_graphs cannot depend on each other: " + graph::name_of(of) +
        ". To run a graph as a node of another one, use emplace(graph).");
}

void access::reserve(core& in, std::size_t edges) { in.reserve(edges); }

void access::connect(node_base& from, node_base& to, dependency kind,
                     std::uint32_t choice) noexcept {
  from.home->connect(*from.info, {from.info->number, to.info->number, choice, kind});
}

void access::connect_checked(node_base& from, node_base& to, dependency kind,
                             std::uint32_t choice) {
  check_home(to, *from.home);
  check_idle(*from.home, "a new dependency");
  reserve(*from.home, 1);
  connect(from, to, kind, choice);
}

void access::limit(node_base& node, graph_limit& by) {
  core& in = *node.home;
  change(in, "limited_by()");
  for (limit_use* each = node.info->limits; each != nullptr; each = each->next)
    if (each->of == &by) return;
  auto* const room =
      static_cast<limit_use*>(in.allocate_apart(sizeof(limit_use), alignof(limit_use)));
  node.info->limits = new (room) limit_use{&by, node.info, node.info->limits, nullptr};
}
void access::set_order(core& of, graph_order how) {
  of.check_idle("set()");
  of.set(how);
}
void access::set_name(core& of, std::string_view name) {
  of.check_idle("set_name()");
  of.set_name(name);
}

void access::run(core& of, const algo::settings& how) { of.run(how); }
task<> access::run_async(core& of, algo::settings how) { return of.run_async(std::move(how)); }
void access::run_inside(core& of, loop& on, node_base& outer) { of.run_inside(on, outer); }
void access::spawn(const node_base& node, co::promise_base& task, std::coroutine_handle<> self,
                   co::waiter& told) {
  task.spawn_on(node.home->pool_of(node), self, node.info->urgency, &told, &co::promise_base::run);
}
void access::end_later(node_base& node, std::exception_ptr thrown) noexcept {
  node.home->end_later(node, std::move(thrown));
}

node_result access::result_of(const node_base& node) noexcept { return node.home->result_of(node); }
std::uint64_t access::ns_of(const node_base& node) noexcept { return node.home->ns_of(node); }
std::string access::name_of(const node_base& node) { return graph::name_of(node); }

void access::throw_no_result(const node_base& of) {
  static constexpr const char* why[] = {"its graph has not run since it was changed",
                                        "its only reader took it as its own", "its function threw",
                                        "it was skipped", "it was cancelled"};
  throw std::logic_error("filch: there is no result of the node " + graph::name_of(of) + ": " +
                         why[static_cast<unsigned>(result_of(of).outcome)] + ".");
}

void access::throw_not_set(const node_base& input) {
  throw std::logic_error("filch: the input " + graph::name_of(input) +
                         " of a task_graph has no value. Call set() before run().");
}

}  // namespace filch::graph
