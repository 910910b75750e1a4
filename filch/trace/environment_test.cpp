// Programs that are recorded because the environment says so.
#include <filch/trace/segment.hpp>

#include <filch/trace/file.hpp>
#include <filch/trace/options.hpp>
#include <filch/trace/traced_child_test.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace {

using filch::event::kind;
using filch::event::recording;
using filch::trace::child;
using filch::trace::own_file;

TEST(environment, a_program_writes_its_file_at_its_end_and_leaves_nothing_else) {
  const own_file file{"filch_traced_"};
  child traced{"fib", "27", file.path + ":steal"};
  EXPECT_EQ(traced.wait(), 0);
  const recording all = filch::trace::read_file(file.path);
  EXPECT_EQ(all.process_id, traced.number());
  EXPECT_NE(all.program.find("traced_program"), std::string::npos);
  EXPECT_FALSE(all.entries.empty());
  EXPECT_FALSE(std::filesystem::exists(filch::trace::segment_path(traced.number())));
}

TEST(environment, jobs_are_recorded_where_it_says_so) {
  const own_file file{"filch_jobs_"};
  child traced{"fib", "16", file.path + ":jobs"};
  EXPECT_EQ(traced.wait(), 0);
  const recording all = filch::trace::read_file(file.path);
  const auto is_begin_of_fib = [&](const filch::event::entry& e) {
    return e.what.what == kind::job_changed &&
           all.sites.at(e.what.amount).name.find("fib") != std::string::npos;
  };
  EXPECT_GT(std::ranges::count_if(all.entries, is_begin_of_fib), 500)
      << "fib(16) makes 1,596 forks";
}

TEST(environment,
     a_session_of_the_program_s_own_that_calibrates_begins_beside_the_one_it_asks_for) {
  for (const char* level : {":jobs", ":span", ":steal"}) {
    const own_file file{"filch_beside_"};
    child traced{"session", "16", file.path + level};
    EXPECT_EQ(traced.wait(), 0) << level;
    EXPECT_FALSE(filch::trace::read_file(file.path).entries.empty()) << level;
  }
}

TEST(environment, work_and_span_are_found_where_it_says_so) {
  const own_file file{"filch_span_"};
  child traced{"fib", "16", file.path + ":span"};
  EXPECT_EQ(traced.wait(), 0);
  const recording all = filch::trace::read_file(file.path);
  ASSERT_TRUE(all.analyzed);
  EXPECT_EQ(all.analyzed->forks, 1596u);
  EXPECT_GT(all.analyzed->watched_ns, 0);
  // Not less: of so short a run, watching takes more than the work does, and on a busy machine more
  // than it is taken to.
  EXPECT_LE(all.analyzed->span_ns, all.analyzed->work_ns);
}

TEST(environment, a_task_graph_is_recorded_with_its_names_at_every_level) {
  for (const char* level : {":steal", ":jobs", ":span"}) {
    const own_file file{"filch_graph_"};
    child traced{"graph", "20", file.path + level};
    EXPECT_EQ(traced.wait(), 0) << level;
    const recording all = filch::trace::read_file(file.path);
    ASSERT_EQ(all.graphs.size(), 1u) << level;
    const filch::event::graph_run& frame = all.graphs[0];
    EXPECT_EQ(frame.name, "frame") << level;
    EXPECT_EQ(frame.runs, 20u) << level;
    const std::vector<std::uint32_t> path = critical_path(frame);
    ASSERT_EQ(path.size(), 3u) << level;
    EXPECT_EQ(frame.nodes[path.front()].name, "input") << level;
    EXPECT_EQ(frame.nodes[path.back()].name, "present") << level;
    if (level == std::string_view{":jobs"}) {
      EXPECT_NE(std::ranges::find(all.sites, "physics", &filch::event::call_site::name),
                all.sites.end());
    }
  }
}

TEST(environment, a_value_that_makes_no_sense_leaves_the_program_alone) {
  for (const char* const value : {"out.filch:loud", ":steal", "/no/such/folder/out.filch"}) {
    child traced{"fib", "20", value};
    EXPECT_EQ(traced.wait(), 0) << value;
  }
}

TEST(options, say_file_and_level) {
  using filch::trace_level;
  using filch::trace::parse_request;
  EXPECT_EQ(parse_request("out.filch", 7).asked.file, "out.filch");
  EXPECT_EQ(parse_request("out.filch", 7).asked.level, trace_level::steal);
  EXPECT_EQ(parse_request("out.filch:steal", 7).asked.file, "out.filch");
  EXPECT_EQ(parse_request("out.filch:steal", 7).asked.level, trace_level::steal);
  EXPECT_EQ(parse_request("out.filch:jobs", 7).asked.file, "out.filch");
  EXPECT_EQ(parse_request("out.filch:jobs", 7).asked.level, trace_level::jobs);
  EXPECT_EQ(parse_request("out.filch:span", 7).asked.level, trace_level::span);
  EXPECT_EQ(parse_request("out.filch:JOBS", 7).asked.file, "out.filch") << "no file is called so";
  EXPECT_EQ(parse_request("out.filch:Jobs", 7).asked.level, trace_level::jobs);
  EXPECT_EQ(parse_request("out.filch:LOUD", 7).problem,
            "there is no level 'LOUD'; write FILE, FILE:steal, FILE:jobs or FILE:span");
  EXPECT_EQ(parse_request("/tmp/%p/%p.filch", 42).asked.file, "/tmp/42/42.filch");
  EXPECT_EQ(parse_request("c:/x:1", 7).asked.file, "c:/x:1") << "only a word is a level";
  EXPECT_EQ(parse_request("out.filch:loud", 7).problem,
            "there is no level 'loud'; write FILE, FILE:steal, FILE:jobs or FILE:span");
  EXPECT_NE(parse_request(":steal", 7).problem, "");
  EXPECT_NE(parse_request("", 7).problem, "");
}

}  // namespace
