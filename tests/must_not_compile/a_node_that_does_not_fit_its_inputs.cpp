// expected: filch: the function of a node is called with the results of the nodes
// Each row with REFUSED is refused in that sentence alone.
#include <filch/graph.hpp>

#include <string>

#ifdef ACCEPTED
#define REFUSED(...)
#else
#define REFUSED(...) __VA_ARGS__
#endif

struct left_alone {};

void build(filch::task_graph& graph) {
  const auto number = graph.emplace([] { return 1; });
  const auto text = graph.emplace([] { return std::string{"one"}; });
  const auto nothing = graph.emplace([] {});

  graph.emplace([](int, const std::string&) {}, number, text);
  REFUSED(graph.emplace([](const std::string&, int) {}, number, text));  // in the other order
  REFUSED(graph.emplace([](int) {}, number, text));                      // one too few
  REFUSED(graph.emplace([](int, std::string, left_alone) {}, number, text));

  graph.emplace([] {}, nothing);
  REFUSED(graph.emplace([](int) {}, nothing));  // it only comes before
  REFUSED(graph.emplace([](int) {}));

  graph.emplace([](const std::string& seen) { return seen.size(); }, text);
  REFUSED(graph.emplace([](std::string& changed) { changed.clear(); }, text));

  graph.emplace([](const int* seen) { return seen == nullptr; }, number.optional());
  REFUSED(graph.emplace([](long seen) { return seen; }, number.optional()));
  REFUSED(graph.emplace([](int* changed) { *changed = 2; }, number.optional()));

  graph.emplace([](filch::subgraph&, int) {}, number);
  REFUSED(graph.emplace([](int, filch::subgraph&) {}, number));  // it comes first
}
