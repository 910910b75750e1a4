// Task graphs in recordings: what a process keeps of them, and what a file does.
#include <filch/trace/graph_log.hpp>

#include <filch/event/graph_run.hpp>
#include <filch/trace/bytes.hpp>
#include <filch/trace/fields.hpp>
#include <filch/trace/file.hpp>
#include <filch/trace/file_format.hpp>
#include <filch/trace/file_fuzz.hpp>
#include <filch/trace/graphs_part.hpp>
#include <filch/trace/layout.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

namespace event = filch::event;
using filch::trace::bad_file;
using filch::trace::graph_log;
using filch::trace::graph_report_entry;

graph_report_entry a_run(const std::string& name, std::uint64_t number, std::uint64_t wall_ns,
                         std::uint64_t began_ticks = 0) {
  graph_report_entry made;
  made.number = number;
  made.began_ticks = began_ticks;
  made.run.name = name;
  made.run.wall_ns = wall_ns;
  return made;
}

bool tell(graph_log& log, const graph_report_entry& told) {
  const bool is_kept = log.count_run({told.run.name, told.number}, told.run.wall_ns);
  if (is_kept) log.keep(told);
  return is_kept;
}

/// A diamond with a long left side: 0 > 1, 2 > 3.
event::graph_run diamond() {
  event::graph_run made;
  made.name = "frame";
  made.nodes.resize(4);
  made.nodes[0].successors = {1, 2};
  made.nodes[1].successors = {3};
  made.nodes[2].successors = {3};
  for (std::size_t i = 0; i != 4; ++i) {
    made.nodes[i].name = "node " + std::to_string(i);
    made.nodes[i].ns = i == 1 ? 50 : 10;
    made.nodes[i].outcome = filch::node_outcome::ran;
  }
  made.nodes[2].worker = 1;
  made.node_count = 4;
  return made;
}

TEST(graph_log, one_name_has_one_address_and_gives_it_to_sites) {
  graph_log log;
  const void* const decode = log.code_named("decode");
  EXPECT_EQ(log.code_named(std::string{"decode"}), decode);
  EXPECT_NE(log.code_named("encode"), decode);
  std::vector<event::call_site> sites(3);
  sites[1].address = reinterpret_cast<std::uintptr_t>(decode);
  sites[2].address = 1;
  log.name_sites(sites);
  EXPECT_EQ(sites[0].name, "");
  EXPECT_EQ(sites[1].name, "decode");
  EXPECT_EQ(sites[2].name, "");
}

TEST(graph_log, takes_as_many_names_as_there_is_room_for_sites) {
  graph_log log;
  for (std::size_t i = 0; i != filch::trace::most_sites; ++i)
    ASSERT_NE(log.code_named(std::to_string(i)), nullptr);
  EXPECT_EQ(log.code_named("one more"), nullptr);
  EXPECT_NE(log.code_named("7"), nullptr) << "known ones stay";
}

TEST(graph_log, keeps_the_longest_run_of_each_graph_and_counts_all) {
  graph_log log;
  EXPECT_TRUE(tell(log, a_run("frame", 0, 20, 1)));
  EXPECT_FALSE(tell(log, a_run("frame", 0, 10, 2)));
  EXPECT_TRUE(tell(log, a_run("frame", 0, 30, 3)));
  EXPECT_TRUE(tell(log, a_run("", 1, 40, 4)));
  EXPECT_TRUE(tell(log, a_run("", 2, 5, 5))) << "without a name it is another graph";
  const auto kept = log.kept_since(0);
  ASSERT_EQ(kept.size(), 3u);
  EXPECT_EQ(kept[0].run.wall_ns, 40u) << "the longest first";
  EXPECT_EQ(kept[1].run.name, "frame");
  EXPECT_EQ(kept[1].run.runs, 3u);
  EXPECT_EQ(kept[1].began_ticks, 3u);
  EXPECT_EQ(log.kept_since(4).size(), 2u) << "a session sees its own time";
  log.forget_runs();
  EXPECT_TRUE(log.kept_since(0).empty());
}

TEST(graph_log, of_many_graphs_the_longest_stay) {
  graph_log log;
  for (std::uint64_t i = 1; i <= event::most_graphs; ++i) tell(log, a_run("", i, 100 * i));
  EXPECT_FALSE(tell(log, a_run("", 99, 50)));
  EXPECT_TRUE(tell(log, a_run("", 98, 150)));
  const auto kept = log.kept_since(0);
  ASSERT_EQ(kept.size(), event::most_graphs);
  EXPECT_EQ(kept.back().run.wall_ns, 150u) << "instead of the one of 100";
}

TEST(graph_run, its_critical_path_is_the_longest_way) {
  EXPECT_EQ(critical_path(diamond()), (std::vector<std::uint32_t>{0, 1, 3}));
  EXPECT_TRUE(event::critical_path({}).empty());
}

TEST(graph_run, a_successor_must_come_later_and_be_there) {
  EXPECT_TRUE(is_sound(diamond()));
  for (const std::uint32_t wrong : {1u, 0u, 4u}) {
    event::graph_run made = diamond();
    made.nodes[1].successors = {wrong};
    EXPECT_FALSE(is_sound(made)) << wrong;
  }
  event::graph_run made = diamond();
  made.nodes[0].ns = ~std::uint64_t{0};
  EXPECT_FALSE(is_sound(made));
}

TEST(graphs_part, comes_back_and_an_older_reader_reads_the_rest) {
  event::recording written = filch::trace::some_recording(1, 30);
  written.graphs = {diamond(), {}};
  const std::string bytes = filch::trace::to_bytes(written);
  const event::recording read = filch::trace::from_bytes(bytes);
  EXPECT_EQ(filch::trace::difference(written, read), "");
  EXPECT_EQ(read.graphs.at(0).nodes.at(2).worker, 1u);
  EXPECT_EQ(read.graphs[0].nodes[1].worker, event::graph_run_node::no_worker);
  std::string renamed = bytes;
  renamed.replace(renamed.find("graphs"), 6, "grafts");
  event::recording without = filch::trace::from_bytes(renamed);
  EXPECT_TRUE(without.graphs.empty());
  without.graphs = written.graphs;
  EXPECT_EQ(filch::trace::difference(written, without), "");
}

TEST(graphs_part, a_graph_that_cannot_be_walked_is_refused) {
  event::recording written = filch::trace::some_recording(1, 1);
  written.graphs = {diamond()};
  written.graphs[0].nodes[3].successors = {3};
  EXPECT_THROW(filch::trace::from_bytes(filch::trace::to_bytes(written)), bad_file);
  written.graphs = {diamond()};
  written.graphs[0].nodes[0].slack_ns = ~std::uint64_t{0};
  EXPECT_THROW(filch::trace::from_bytes(filch::trace::to_bytes(written)), bad_file);
  written.graphs.assign(event::most_graphs + 1, diamond());
  EXPECT_THROW(filch::trace::from_bytes(filch::trace::to_bytes(written)), bad_file);
}

}  // namespace
