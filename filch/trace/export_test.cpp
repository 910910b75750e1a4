// The formats of other programs, by a recording that was made by hand. tools/cli reads its own
// output back besides.
#include <filch/trace/export.hpp>

#include <filch/trace/bytes.hpp>
#include <filch/trace/file_fuzz.hpp>
#include <filch/trace/slices.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace {

using filch::event::activity;
using filch::event::kind;
using filch::event::ready_work;
using filch::event::record;
using filch::event::recording;
using filch::trace::slice;

/// Worker 1 searches, steals from worker 0, runs what it stole and sleeps; of worker 0 the first
/// microsecond is lost.
recording a_steal() {
  recording all;
  all.program = "/usr/bin/a \"program\"";
  all.process_id = 100;
  all.length_ns = 5000;
  all.pools = {{2}};
  all.workers = {{0, 0, 100, 1000, 3}, {0, 1, 101}};
  all.sites = {{}, {0x10, "/lib/x", 0x10, "f(int, int)"}};
  const auto at = [&](std::int64_t ns, std::uint32_t worker, record what) {
    all.entries.push_back({ns, worker, what});
  };
  at(0, 1, {0, kind::state_changed, activity::searching, ready_work::not_looked, 1});
  at(1000, 0, {0, kind::state_changed, activity::working, ready_work::not_looked, 0});
  at(1500, 1, {0, kind::steal_won, activity::searching, ready_work::not_looked, 1, 0});
  at(2000, 1, {0, kind::job_run, activity::working, ready_work::not_looked, 1, 0, 1});
  at(3000, 1, {0, kind::state_changed, activity::parked, ready_work::none});
  return all;
}

TEST(slices, cover_the_time_and_know_what_they_do_not_know) {
  const std::vector<slice> expected{{0, 0, 1000, false},
                                    {0, 1000, 5000, true, activity::working},
                                    {1, 0, 2000, true, activity::searching},
                                    {1, 2000, 3000, true, activity::working, 1},
                                    {1, 3000, 5000, true, activity::parked}};
  EXPECT_EQ(filch::trace::slices_of(a_steal()), expected);
}

/// Worker 0 runs two jobs of one site in place, one after the other, in the middle of one of
/// another site.
recording jobs_in_place() {
  recording all;
  all.program = "p";
  all.length_ns = 500;
  all.pools = {{1}};
  all.workers = {{0, 0, 100}};
  all.sites = {{}, {0x10, "/lib/x", 0x10, "f"}, {0x20, "/lib/x", 0x20, "g"}};
  const auto at = [&](std::int64_t ns, kind what, std::uint16_t other, std::uint32_t site) {
    all.entries.push_back(
        {ns, 0, {0, what, activity::working, ready_work::not_looked, 0, other, site}});
  };
  at(0, kind::job_run, record::nobody, 1);
  at(100, kind::job_changed, 2, 2);
  at(200, kind::job_changed, 1, 1);
  at(200, kind::job_changed, 2, 2);
  at(300, kind::job_changed, 1, 1);
  at(400, kind::job_changed, 0, 0);
  return all;
}

TEST(slices, show_jobs_run_in_place_each_by_itself) {
  const std::vector<slice> expected{{0, 0, 100, true, activity::working, 1},
                                    {0, 100, 200, true, activity::working, 2},
                                    {0, 200, 300, true, activity::working, 2},
                                    {0, 300, 400, true, activity::working, 1},
                                    {0, 400, 500, true, activity::working, 0}};
  EXPECT_EQ(filch::trace::slices_of(jobs_in_place()), expected);
}

TEST(folded, has_jobs_run_in_place) {
  EXPECT_EQ(filch::trace::to_folded(jobs_in_place()),
            "p;pool 0 worker 0;working 100\n"
            "p;pool 0 worker 0;working;f 200\n"
            "p;pool 0 worker 0;working;g 200\n");
}

TEST(chrome, has_a_slice_a_job) {
  const std::string text = filch::trace::to_chrome(jobs_in_place());
  std::size_t count = 0;
  for (std::size_t at = text.find("{\"site\":\"g\"}"); at != text.npos;
       at = text.find("{\"site\":\"g\"}", at + 1))
    ++count;
  EXPECT_EQ(count, 2u) << text;
  EXPECT_EQ(text.find("job_changes"), text.npos) << "the slices say it";
}

TEST(csv, says_how_deep_a_job_is_and_of_which_site) {
  EXPECT_NE(filch::trace::to_csv(jobs_in_place()).find("\n100,0,0,job_changes,working,,0,2,,g\n"),
            std::string::npos);
}

TEST(slices, of_any_recording_ascend_and_do_not_overlap) {
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    const std::vector<slice> slices =
        filch::trace::slices_of(filch::trace::some_recording(seed, 200));
    for (std::size_t i = 0; i < slices.size(); ++i) {
      EXPECT_LT(slices[i].begin_ns, slices[i].end_ns);
      if (i > 0 && slices[i].worker == slices[i - 1].worker) {
        EXPECT_GE(slices[i].begin_ns, slices[i - 1].end_ns);
      }
    }
  }
}

TEST(csv, has_a_line_an_event) {
  EXPECT_EQ(filch::trace::to_csv(a_steal()),
            "time_ns,pool,worker,event,activity,ready,slot,other,amount,site\n"
            "0,0,1,state_changes,searching,,1,,0,\n"
            "1000,0,0,state_changes,working,,0,,0,\n"
            "1500,0,1,steals_won,searching,,1,0,0,\n"
            "2000,0,1,jobs_run,working,,1,0,,\"f(int, int)\"\n"
            "3000,0,1,state_changes,parked,none,,,0,\n");
}

TEST(folded, adds_up_to_the_time_of_all_workers) {
  EXPECT_EQ(filch::trace::to_folded(a_steal()),
            "a \"program\";pool 0 worker 0;not recorded 1000\n"
            "a \"program\";pool 0 worker 0;working 4000\n"
            "a \"program\";pool 0 worker 1;parked 2000\n"
            "a \"program\";pool 0 worker 1;searching 2000\n"
            "a \"program\";pool 0 worker 1;working;f(int, int) 1000\n");
}

/// The fields of a message of protocol buffers: numbers as they are, the rest as bytes.
struct fields {
  std::multimap<std::uint64_t, std::uint64_t> numbers;
  std::multimap<std::uint64_t, std::string> texts;

  explicit fields(std::string_view bytes) {
    filch::trace::byte_reader in{bytes, "the message"};
    while (in.left() > 0) {
      const std::uint64_t tag = in.take();
      switch (tag & 7) {
        case 0: numbers.emplace(tag >> 3, in.take()); break;
        case 1:
          numbers.emplace(tag >> 3, static_cast<unsigned char>(in.take_bytes(8).front()));
          break;
        default: texts.emplace(tag >> 3, in.take_text()); break;
      }
    }
  }
  std::uint64_t number(std::uint64_t field) const {
    return numbers.contains(field) ? numbers.find(field)->second : 0;
  }
  std::string text(std::uint64_t field) const {
    return texts.contains(field) ? texts.find(field)->second : "";
  }
};

TEST(perfetto, slices_end_where_they_should_and_arrows_meet) {
  const fields trace{filch::trace::to_perfetto(a_steal())};
  std::multimap<std::uint64_t, std::string> slices;  // by track
  std::map<std::uint64_t, int> open;
  std::vector<std::uint64_t> flows;
  std::size_t tracks = 0;
  for (const auto& [field, bytes] : trace.texts) {
    ASSERT_EQ(field, 1u);
    const fields packet{bytes};
    EXPECT_EQ(packet.number(10), 1u);
    tracks += packet.texts.contains(60) ? 1 : 0;
    if (!packet.texts.contains(11)) continue;
    const fields event{packet.text(11)};
    const std::uint64_t track = event.number(11);
    if (event.number(9) == 1) {
      ++open[track];
      slices.emplace(track, event.text(23));
    } else if (event.number(9) == 2) {
      EXPECT_EQ(--open[track], 0);
    }
    for (const std::uint64_t kind_of_flow : {47, 48}) {
      if (event.numbers.contains(kind_of_flow)) flows.push_back(event.number(kind_of_flow));
    }
  }
  EXPECT_EQ(tracks, 3u) << "the process and two workers";
  EXPECT_EQ(slices.size(), 5u);
  EXPECT_EQ(slices.count(2), 2u);
  EXPECT_EQ(flows, (std::vector<std::uint64_t>{1, 1}));
}

TEST(chrome, has_an_arrow_a_steal_and_only_ascii) {
  const std::string json = filch::trace::to_chrome(a_steal());
  EXPECT_NE(json.find(R"("name":"steal","ph":"s","pid":100,"tid":1,"ts":1.500)"), json.npos);
  EXPECT_NE(json.find(R"("name":"steal","ph":"f","pid":100,"tid":2,"ts":1.500)"), json.npos);
  EXPECT_NE(json.find(R"("/usr/bin/a \"program\"")"), json.npos);
  EXPECT_TRUE(
      std::ranges::all_of(json, [](char c) { return (c >= ' ' && c < '\x7f') || c == '\n'; }));
}

}  // namespace
