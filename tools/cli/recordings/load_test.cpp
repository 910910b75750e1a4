#include <filch/base/scratch_folder.hpp>
#include <filch/span/faulty_runs_test.hpp>
#include <filch/trace/file.hpp>
#include <gtest/gtest.h>
#include <tools/cli/recordings/load.hpp>

#include <fstream>
#include <system_error>

namespace {

using namespace filch::cli;
using filch::base::scratch_folder;
using namespace filch::span;
namespace event = filch::event;

const event::recording& some_recording() {
  static const event::recording made = runs::jobs_and_a_last_one(250 * runs::us);
  return made;
}

/// What loading a file with this content complains of.
std::string complaint_about(const std::string& content) {
  const scratch_folder folder;
  std::ofstream{folder / "a.filch"} << content;
  try {
    load_recording(folder / "a.filch");
    return "";
  } catch (const bad_recording& failure) {
    return failure.what();
  }
}

TEST(load, the_text_form_comes_back_as_it_was) {
  event::recording written = some_recording();
  written.fork_ps = 2500;
  written.reused_rings = 3;
  written.throttled_ns = 4;
  const auto back = from_text_form(to_text_form(written));
  EXPECT_EQ(to_text_form(back), to_text_form(written));
  EXPECT_EQ(back.fork_ps, 2500u);
  EXPECT_EQ(back.reused_rings, 3u);
  EXPECT_EQ(back.throttled_ns, 4u);
  ASSERT_EQ(back.entries.size(), some_recording().entries.size());
  for (std::size_t i = 0; i < back.entries.size(); ++i) {
    event::record expected = some_recording().entries[i].what;
    expected.ticks = 0;  // which is what the time was made of
    EXPECT_EQ(back.entries[i].what, expected);
  }
}

TEST(load, the_text_form_of_an_analysis_comes_back_number_by_number) {
  event::recording written = some_recording();
  filch::analysis::result& found = written.analyzed.emplace();
  found.work_ns = 1.5;
  found.strands = 7;
  found.costs.watched_side_ns = -3;
  filch::analysis::site& site = found.sites.emplace_back();
  site.where = {0x1234, "app", 0x34, "main"};
  site.longest_leaf_ns = 100;
  site.jobs.add(100);
  const nlohmann::json text = to_text_form(written);
  const event::recording back = from_text_form(text);
  ASSERT_TRUE(back.analyzed);
  EXPECT_EQ(to_text_form(back), text);
  EXPECT_EQ(back.analyzed->work_ns, 1.5);
  EXPECT_EQ(back.analyzed->strands, 7u);
  EXPECT_EQ(back.analyzed->costs.watched_side_ns, -3);
  ASSERT_EQ(back.analyzed->sites.size(), 1u);
  EXPECT_EQ(back.analyzed->sites[0].where.name, "main");
  EXPECT_EQ(back.analyzed->sites[0].jobs, site.jobs);
}

TEST(load, the_text_form_of_task_graphs_comes_back) {
  event::recording written = some_recording();
  written.graphs.resize(1);
  written.graphs[0].name = "frame";
  written.graphs[0].nodes = {{"a", filch::node_outcome::failed, 1, 20, 0, 10, {1}},
                             {"b", filch::node_outcome::skipped, ~std::uint64_t{0}, 0, 5, 20, {}}};
  const nlohmann::json text = to_text_form(written);
  const event::recording back = from_text_form(text);
  EXPECT_EQ(to_text_form(back), text);
  ASSERT_EQ(back.graphs.size(), 1u);
  EXPECT_EQ(back.graphs[0].nodes.at(0).outcome, filch::node_outcome::failed);
  EXPECT_EQ(back.graphs[0].nodes[1].worker, event::graph_run_node::no_worker);
  nlohmann::json wrong = text;
  wrong["graphs"][0]["nodes"][1]["successors"] = {1};
  EXPECT_NE(complaint_about(wrong.dump()).find("an edge that is none"), std::string::npos);
  wrong = text;
  wrong["graphs"][0]["nodes"][1]["outcome"] = "lost";
  EXPECT_NE(complaint_about(wrong.dump()).find("'lost' is not known"), std::string::npos);
}

TEST(load, takes_no_number_that_its_field_does_not_hold) {
  const auto complaint = [](const char* where, const nlohmann::json& number) {
    nlohmann::json text = to_text_form(some_recording());
    text[nlohmann::json::json_pointer{where}] = number;
    return complaint_about(text.dump());
  };
  EXPECT_EQ(complaint("/length_ns", 1'000'000'000), "");
  EXPECT_NE(complaint("/entries/0/5", 65'536).find("65536 is no whole number from 0 to 65535"),
            std::string::npos);
  EXPECT_NE(complaint("/entries/0/1", -1).find("-1 is no whole number"), std::string::npos);
  EXPECT_NE(complaint("/workers/0/thread_id", 6e30).find("6e+30 is no whole number"),
            std::string::npos);
  EXPECT_NE(complaint("/workers/0/pool", 0.5).find("0.5 is no whole number"), std::string::npos);
  EXPECT_NE(complaint("/length_ns", std::uint64_t{1} << 63)
                .find("9223372036854775808 is no whole number"),
            std::string::npos);
  EXPECT_NE(complaint("/analysis/forks", 1e300).find("1e+300 is no whole number"),
            std::string::npos);
  EXPECT_NE(complaint("/process_id", "one").find("must be number"), std::string::npos);
}

TEST(load, names_the_file_and_says_what_is_wrong_with_it) {
  EXPECT_NE(complaint_about("").find("a.filch: "), std::string::npos);
  EXPECT_NE(complaint_about("ELF").find("a.filch: "), std::string::npos);
  EXPECT_NE(complaint_about("{").find("a.filch: "), std::string::npos);
  EXPECT_NE(complaint_about("{}").find("program"), std::string::npos);
  nlohmann::json text = to_text_form(some_recording());
  text["entries"][0][2] = "steal_wom";
  EXPECT_NE(complaint_about(text.dump()).find("'steal_wom' is not known"), std::string::npos);
  text = to_text_form(some_recording());
  text["entries"][0][1] = 99;
  EXPECT_NE(complaint_about(text.dump()).find("a worker that is not listed"), std::string::npos);
  text = to_text_form(some_recording());
  text["analysis"]["work_ns"] = -1;
  EXPECT_NE(complaint_about(text.dump()).find("its analysis holds a time that is none"),
            std::string::npos);
  text = to_text_form(some_recording());
  text["fork_ps"] = 2'000'000'000;
  EXPECT_NE(complaint_about(text.dump()).find("says that a fork takes more than a millisecond"),
            std::string::npos);
}

TEST(load, reads_the_format_of_the_recorder) {
  const scratch_folder folder;
  filch::trace::write_file(some_recording(), (folder / "a.filch").string());
  EXPECT_EQ(to_text_form(load_recording(folder / "a.filch")), to_text_form(some_recording()));
}

TEST(load, reads_what_it_wrote_from_a_file) {
  EXPECT_EQ(complaint_about(to_text_form(some_recording()).dump()), "");
  EXPECT_THROW(load_recording("/no/such/file"), std::system_error);
  EXPECT_THROW(load_recording("/"), std::system_error);
}

}  // namespace
