// Pictures are loaded, made smaller if they are large, and stored. The graph is built once.
// [task_graph]
#include <filch/graph.hpp>

#include <cstdio>
#include <vector>

struct picture {
  int width;
  std::vector<unsigned char> pixels;
};

picture load(int width) { return {width, std::vector<unsigned char>(width * width, 128)}; }

picture shrink(const picture& whole) {
  picture small{whole.width / 4, {}};
  for (int y = 0; y != small.width; ++y)
    for (int x = 0; x != small.width; ++x)
      small.pixels.push_back(whole.pixels[4 * (y * whole.width + x)]);
  return small;
}

// `small` is null if the picture was not shrunk
int store(const picture& whole, const picture* small) {
  return small != nullptr ? small->width : whole.width;
}

int main() {
  filch::task_graph graph;
  filch::graph_limit disk{1};  // one node at a time

  const auto width = graph.input<int>("width");
  const auto whole = graph.emplace("load", load, width);  // called with the result of `width`
  const auto small = graph.emplace("shrink", shrink, whole);
  const auto stored = graph.emplace("store", store, whole, small.optional());
  whole.limited_by(disk);
  stored.limited_by(disk);

  const auto is_large = graph.branch(
      "is it large?", [](const picture& all) { return all.width > 640; }, whole);
  is_large.choose(true, small);  // if it is not, `small` is skipped

  for (const int each : {1920, 320}) {
    width.set(each);
    graph.run();
    std::printf("%d pixels wide, stored %d\n", each, stored.get());
  }

  for (const auto& node : graph.last_run().nodes)
    std::printf("%-12s %s, %lld us\n", node.name.c_str(),
                node.outcome == filch::node_outcome::ran ? "ran" : "skipped",
                static_cast<long long>(node.time.count() / 1000));
  return stored.get() == 320 ? 0 : 1;
}
// [task_graph]
