// What the page is given: that its parts add up to what the report says, and that what is packed
// reads back.
#include <filch/span/faulty_runs_test.hpp>
#include <filch/trace/bytes.hpp>
#include <gtest/gtest.h>
#include <tools/cli/recordings/page/json.hpp>
#include <tools/cli/recordings/page/packed.hpp>
#include <tools/cli/recordings/show.hpp>

#include <map>
#include <numeric>

namespace {

using namespace filch::span;
using namespace filch::cli;
using filch::event::activity;
using filch::event::kind;
using filch::trace::byte_reader;

/// Every run of the tests of the verdict, and one that has it all: carved intervals, lost records,
/// handed-over slots.
std::vector<filch::event::recording> all_scenes() {
  std::vector<filch::event::recording> made;
  for (faulty_run& each : runs::all()) {
    made.push_back(each.must.recorded);
    made.push_back(each.must_not.recorded);
  }
  scene mixed{2, 4};
  mixed.site("one").site("two").lose_until(700, 3, 5);
  mixed.job(0, 1000, 0, 0, 1).job(150, 950, 1, 1, 2, 0);
  mixed.say(1100, 0, kind::run_delayed, activity::searching, 0, {.amount = 1});
  mixed.turn(1500, 1, activity::blocked)
      .turn(1600, 2, activity::working, 1)
      .turn(3000, 2, activity::parked);
  made.push_back(mixed.end(5000));
  scene forking{1, 1};
  forking.site("in place").turn(0, 0, activity::working, 0);
  for (std::int64_t at = 100; at < 900; at += 37) {
    forking.say(at, 0, kind::job_changed, activity::working, 0, {.other = 1, .amount = 1});
    forking.say(at + 11, 0, kind::job_changed, activity::working, 0, {.other = 0});
  }
  made.push_back(forking.end(1000));
  made.back().fork_ps = 7300;
  return made;
}

budget sum_of(const std::vector<lane>& lanes, const grid& by, std::size_t first, std::size_t last) {
  budget made{{by.part(first).begin_ns, by.part(last - 1).end_ns}, 0, {}};
  for (const lane& each : lanes) {
    for (std::size_t part = first; part < last; ++part) {
      for (std::size_t i = 0; i < use_count; ++i) made.spent_ns[i] += each[part][i];
    }
  }
  return made;
}

TEST(report_page, any_row_of_parts_adds_up_to_its_account) {
  for (const filch::event::recording& each : all_scenes()) {
    const timeline laid_out = lay_out(each, 0);
    const grid by =
        grid::fitting(laid_out.length_ns, laid_out.intervals.size(), each.workers.size());
    const std::vector<lane> lanes = lanes_of(laid_out, each.workers.size(), by);
    for (std::size_t first = 0; first < by.parts(); first = 2 * first + 1) {
      for (std::size_t last = by.parts(); last > first; last = (last + first) / 2) {
        const budget sum = sum_of(lanes, by, first, last);
        EXPECT_EQ(sum.spent_ns, account_of(laid_out, sum.when).spent_ns) << first << ".." << last;
      }
    }
  }
}

TEST(report_page, a_workers_parts_are_as_long_as_they_say) {
  for (const filch::event::recording& each : all_scenes()) {
    const grid by = grid::fitting(each.length_ns, 1000, each.workers.size());
    const std::vector<lane> lanes = lanes_of(lay_out(each, 0), each.workers.size(), by);
    for (std::size_t worker = 0; worker < each.workers.size(); ++worker) {
      for (std::size_t part = 0; part < by.parts(); ++part) {
        const spent_time& cell = lanes[worker][part];
        EXPECT_EQ(std::accumulate(cell.begin(), cell.end(), std::int64_t{0}),
                  by.part(part).length_ns());
      }
    }
  }
}

TEST(report_page, the_grid_is_bounded_however_long_the_recording) {
  EXPECT_EQ(grid::fitting(0, 0, 1).parts(), 0u);
  EXPECT_EQ(grid::fitting(10, 5, 1).parts(), 10u);
  for (const std::size_t workers : {1, 16, 300, 1000}) {
    const std::size_t parts = grid::fitting(3'600'000'000'000, 50'000'000, workers).parts();
    EXPECT_LE(parts, 8192u);
    EXPECT_GE(parts, 200u) << workers;
  }
  const grid odd = grid::fitting(1'000'003, 1000, 2);
  EXPECT_EQ(odd.part(odd.parts() - 1).end_ns, 1'000'003);
}

TEST(report_page, packed_cells_read_back) {
  lane cells(2);
  cells[0][static_cast<std::size_t>(use::working)] = 300;
  cells[0][static_cast<std::size_t>(occupation::lost)] = 7;
  const std::string bytes = pack(cells);
  byte_reader read{bytes, "the cells"};
  EXPECT_EQ(read.take(), 1u | 1u << 14);
  EXPECT_EQ(read.take(), 300u);
  EXPECT_EQ(read.take(), 7u);
  EXPECT_EQ(read.take(), 0u) << "an empty part";
  EXPECT_EQ(read.left(), 0u);
}

TEST(report_page, packed_intervals_read_back) {
  for (const filch::event::recording& each : all_scenes()) {
    const timeline laid_out = lay_out(each, 0);
    site_numbers sites(each.sites.size());
    std::iota(sites.begin(), sites.end(), 0u);
    const std::vector<std::string> packed = pack_intervals(laid_out, each.workers.size(), sites);
    std::vector<byte_reader> readers;
    for (const std::string& bytes : packed) readers.emplace_back(bytes, "the intervals");
    for (const interval& s : laid_out.intervals) {
      byte_reader& read = readers[s.worker];
      EXPECT_EQ(read.take(), static_cast<std::uint64_t>(s.when.length_ns()));
      const std::uint64_t code = read.take();
      EXPECT_EQ(code & 15, occupation_of(s));
      EXPECT_EQ(code >> 5, s.site);
      const bool is_carved = (code & 16) != 0;
      EXPECT_EQ(is_carved ? read.take() : 0, static_cast<std::uint64_t>(s.run_delay_ns));
      EXPECT_EQ(is_carved ? read.take() : 0, static_cast<std::uint64_t>(s.slept_ns));
      EXPECT_EQ(is_carved ? read.take() : 0, static_cast<std::uint64_t>(s.forking_ns));
    }
    for (const byte_reader& read : readers) EXPECT_EQ(read.left(), 0u);
  }
}

TEST(report_page, packed_vacancies_read_back) {
  const std::vector<vacancy> free{
      {.when = {0, 300}, .woken_for = 1, .neglected = 2, .starved = 3, .unknown = 4}};
  const std::string bytes = pack(free);
  byte_reader read{bytes, "the vacancies"};
  for (const std::uint64_t expected : {300u, 3u, 3u, 4u}) EXPECT_EQ(read.take(), expected);
  EXPECT_EQ(read.left(), 0u);
}

TEST(report_page, packed_jobs_read_back) {
  const std::vector<job> jobs{{{5, 105}, 1, 2, 0, true},
                              {{200, 250}, 0, 1, filch::event::record::nobody, false, true}};
  const std::vector<std::uint32_t> lanes{4, 3};
  const std::string bytes = pack(jobs, {0, 7, 9}, lanes);
  byte_reader read{bytes, "the jobs"};
  for (const std::uint64_t expected :
       {5u, 100u, 1u + 2u + 9u * 8u, 3u, 195u, 50u, 4u + 7u * 8u, 4u})
    EXPECT_EQ(read.take(), expected);
  EXPECT_EQ(read.left(), 0u);
}

TEST(report_page, steals_are_those_of_the_matrix_and_know_their_site) {
  scene made{2, 2};
  made.site("first").site("second");
  made.say(10, 1, kind::steal_won, activity::searching, 1, {.other = 0});
  made.job(20, 30, 1, 1, 2, 0);
  made.say(40, 1, kind::steal_won, activity::searching, 1, {.other = 0});
  const std::vector<steal> found = steals_of(made.end(100), 0);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].at_ns, 10);
  EXPECT_EQ(found[0].site, 2u);
  EXPECT_EQ(found[1].site, 0u) << "nobody saw what became of it";
  for (const filch::event::recording& each : all_scenes()) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> counts;
    for (const steal& s : steals_of(each, 0)) ++counts[{s.thief, s.victim}];
    for (const steals& pair : observe(each, 0).seen.matrix) {
      EXPECT_EQ((counts[{pair.thief, pair.victim}]), pair.count);
      counts.erase({pair.thief, pair.victim});
    }
    EXPECT_TRUE(counts.empty());
  }
}

TEST(report_page, looks_at_queues_are_booked_on_the_worker_that_was_looked_at) {
  scene made{2, 3};
  const auto look = [](std::uint32_t jobs) {
    return detail{.amount = filch::event::seen_takeable(jobs)};
  };
  made.say(10, 0, kind::state_changed, activity::working, 0, look(5));
  made.say(20, 1, kind::steal_won, activity::searching, 1,
           {.other = 0, .amount = filch::event::seen_takeable(0)});
  // As programs of before tell it
  made.say(30, 1, kind::steal_won, activity::searching, 1, {.other = 0});
  made.say(40, 1, kind::steal_won, activity::searching, 1,
           {.other = 7, .amount = filch::event::seen_takeable(3)});
  made.say(50, 1, kind::fork_exposed, activity::working, 1, {.amount = 9});
  const std::vector<depths> seen = depths_of(made.end(100), 0);
  ASSERT_EQ(seen.size(), 3u);
  ASSERT_EQ(seen[0].size(), 2u);
  EXPECT_EQ(seen[0][0].at_ns, 10);
  EXPECT_EQ(seen[0][0].jobs, 5u);
  EXPECT_EQ(seen[0][1].at_ns, 20);
  EXPECT_EQ(seen[0][1].jobs, 0u);
  EXPECT_TRUE(seen[1].empty());
  EXPECT_TRUE(seen[2].empty());
}

TEST(report_page, looks_of_another_pool_are_not_ours) {
  scene made{2, 2};
  const std::uint32_t other = made.add_pool(2, 2);
  made.say(10, other, kind::steal_won, activity::searching, 0,
           {.other = 1, .amount = filch::event::seen_takeable(4)});
  const filch::event::recording both = made.end(100);
  EXPECT_TRUE(depths_of(both, 0)[1].empty());
  EXPECT_EQ(depths_of(both, 1)[other + 1].size(), 1u);
}

TEST(report_page, a_part_has_the_most_that_was_seen_in_it) {
  const grid by{.length_ns = 95, .part_ns = 10};
  const std::vector<std::uint32_t> most =
      most_by_part({{0, 2}, {9, 7}, {9, 1}, {10, 0}, {95, 3}}, by);
  EXPECT_EQ(most, (std::vector<std::uint32_t>{8, 1, 0, 0, 0, 0, 0, 0, 0, 4}));
  EXPECT_TRUE(most_by_part({{0, 2}}, grid{}).empty());
}

TEST(report_page, packed_looks_read_back) {
  const std::string bytes = pack(depths{{5, 300}, {7, 0}});
  byte_reader read{bytes, "the looks"};
  for (const std::uint64_t expected : {5u, 300u, 2u, 0u}) EXPECT_EQ(read.take(), expected);
  EXPECT_EQ(read.left(), 0u);
}

TEST(report_page, letters_for_bytes_are_those_of_the_standard) {
  EXPECT_EQ(to_base64(""), "");
  EXPECT_EQ(to_base64("f"), "Zg==");
  EXPECT_EQ(to_base64("fo"), "Zm8=");
  EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(to_base64("\xff\xfe"), "//4=");
}

TEST(report_page, says_what_the_report_says) {
  for (const filch::event::recording& each : all_scenes()) {
    const observation seen = observe(each, 0);
    const verdict judged = judge(each, seen);
    const nlohmann::json page = page_json(each, seen, judged);
    EXPECT_EQ(page["report"], to_json(each, seen, judged));
    EXPECT_EQ(page["workers"].size(), each.workers.size());
    EXPECT_EQ(page["occupations"].size(), occupation_count);
    EXPECT_EQ(page["alone"], nullptr);
    EXPECT_EQ(page_json(each, seen, judged, {&seen})["alone"]["length_ns"], each.length_ns);
  }
}

TEST(report_page, a_watched_run_on_one_worker_counts_without_what_watching_took) {
  scene made{1, 1};
  made.site("one").job(1000, 9000, 0, 0, 1);
  const filch::event::recording recorded = made.end(10'000);
  const observation seen = observe(recorded, 0);
  const verdict judged = judge(recorded, seen);
  filch::analysis::result watched;
  watched.work_ns = 3000;
  watched.span_ns = 1000;
  const nlohmann::json alone = page_json(recorded, seen, judged, {&seen, &watched})["alone"];
  EXPECT_EQ(alone["length_ns"], 10'000 - 8000 + 3000);
  EXPECT_FALSE(alone["analysis"]["predictions"].empty());
  EXPECT_EQ(page_json(recorded, seen, judged, {&seen})["alone"]["analysis"], nullptr);
  watched.work_ns = 1e6;  // of roots that no worker was seen at
  EXPECT_EQ(page_json(recorded, seen, judged, {&seen, &watched})["alone"]["length_ns"], 10'000);
}

TEST(report_page, leaves_out_single_intervals_where_they_are_too_many) {
  const filch::event::recording recorded = runs::steals_of(1000);
  const observation seen = observe(recorded, 0);
  const nlohmann::json page = page_json(recorded, seen, judge(recorded, seen), {}, 10);
  EXPECT_EQ(page["workers"][1]["intervals"], nullptr);
  EXPECT_EQ(page["jobs"], nullptr);
  EXPECT_NE(page["workers"][1]["cells"], "");
}

}  // namespace
