// The segment in shared memory: which users may read it, what is left of it after a crash, and how
// a reader treats other files.
#include <filch/trace/segment.hpp>

#include <filch/trace/collect.hpp>
#include <filch/trace/counted.hpp>
#include <filch/trace/job_log_test.hpp>
#include <filch/trace/tick_clock.hpp>
#include <filch/trace/traced_child_test.hpp>

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <thread>

namespace {

using filch::event::kind;
using filch::event::recording;
using filch::trace::child;
using filch::trace::own_file;
using filch::trace::segment_view;

std::string message_of(const std::string& path) {
  try {
    const segment_view view{path};
    return "";
  } catch (const std::exception& problem) {
    return problem.what();
  }
}

TEST(segment, is_for_its_owner_alone_and_goes_with_it) {
  const std::string path = filch::trace::segment_path(::getpid());
  {
    const filch::trace::own_segment made{path};
    struct stat about {};
    ASSERT_EQ(::stat(path.c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777, 0600u);
    EXPECT_EQ(about.st_uid, ::geteuid());
    const segment_view view{path};
    EXPECT_EQ(view.header().process_id, ::getpid());
    EXPECT_TRUE(view.is_alive());
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(segment, takes_the_place_of_one_that_a_dead_process_has_left) {
  const std::string path = filch::trace::segment_path(::getpid());
  std::ofstream{path} << "left by somebody";
  const filch::trace::own_segment made{path};
  EXPECT_EQ(message_of(path), "");
}

TEST(segment, errors_name_the_file) {
  EXPECT_NE(message_of("/dev/shm/filch.0").find("/dev/shm/filch.0"), std::string::npos);
  try {
    const filch::trace::own_segment made{"/no/such/folder/filch.1"};
    FAIL();
  } catch (const std::system_error& problem) {
    EXPECT_EQ(problem.code(), std::errc::no_such_file_or_directory);
    EXPECT_NE(std::string{problem.what()}.find("/no/such/folder/filch.1"), std::string::npos);
  }
}

TEST(segment, a_file_that_somebody_else_has_put_there_is_not_read) {
  const own_file ours{"filch_segment_test_"};
  std::string path = "/etc/passwd";  // root's, and readable by all users
  if (::geteuid() == 0) {
    std::ofstream{path = ours.path} << "short";
    ASSERT_EQ(::chown(path.c_str(), 54321, 54321), 0);
  }
  const std::string said = message_of(path), owner = ::geteuid() == 0 ? "user 54321" : "user 0";
  EXPECT_NE(said.find(path + " is not read: it belongs to " + owner), std::string::npos) << said;
}

TEST(segment, root_reads_that_of_a_process_only_if_it_is_of_the_user_who_runs_it) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
  std::array<int, 2> to_parent{}, to_child{};
  ASSERT_EQ(::pipe(to_parent.data()) + ::pipe(to_child.data()), 0);
  const pid_t number = ::fork();
  if (number == 0) {
    if (::setuid(54321) != 0) ::_exit(1);
    const filch::trace::own_segment made{filch::trace::segment_path(::getpid())};
    char byte = 0;
    const bool is_well = ::write(to_parent[1], &byte, 1) == 1 && ::read(to_child[0], &byte, 1) == 1;
    ::_exit(is_well ? 0 : 1);  // without removing the file
  }
  char byte = 0;
  ASSERT_EQ(::read(to_parent[0], &byte, 1), 1);
  const std::string path = filch::trace::segment_path(number);
  EXPECT_EQ(message_of(path), "");
  EXPECT_EQ(::chown(path.c_str(), 54322, 54322), 0);
  EXPECT_NE(message_of(path).find("belongs to user 54322"), std::string::npos);
  EXPECT_EQ(::write(to_child[1], &byte, 1), 1);
  ::waitpid(number, nullptr, 0);
  ::unlink(path.c_str());
  for (const int each : {to_parent[0], to_parent[1], to_child[0], to_child[1]}) ::close(each);
}

TEST(segment, a_pipe_in_its_place_holds_nobody_up) {
  const own_file file{"filch_segment_pipe_"};
  ASSERT_EQ(::mkfifo(file.path.c_str(), 0600), 0);
  EXPECT_NE(message_of(file.path), "");
}

/// A segment may be written while it is read, so a reader does not load again what it has checked.
TEST(segment, one_that_grows_beyond_itself_meanwhile_is_read_without_leaving_it) {
  const std::string path = filch::trace::segment_path(::getpid());
  filch::trace::own_segment made{path};
  made.set_ring_places(256);
  filch::trace::row& row = made.header().rows[0];
  ASSERT_TRUE(made.add_ring(row));
  row.hold.hand_to(filch::trace::row_owner{1, 0}.pack(), 0);
  row.head.store(std::uint64_t{1} << 20, filch::base::relaxed);
  made.header().row_count.store(1, filch::base::relaxed);
  std::atomic<bool> is_over{false};
  std::thread writer{[&] {
    while (!is_over) {
      for (const std::uint64_t places : {std::uint64_t{1} << 20, std::uint64_t{256}})
        row.ring_places.store(places, filch::base::relaxed);
    }
  }};
  const segment_view view{path};
  for (int i = 0; i < 3000; ++i) EXPECT_LE(filch::trace::collect(view).entries.size(), 256u);
  is_over = true;
  writer.join();
}

TEST(segment, what_is_none_is_refused) {
  const own_file file{"filch_segment_test_"};
  std::ofstream{file.path} << "short";
  EXPECT_NE(message_of(file.path).find("too short"), std::string::npos);
  std::filesystem::resize_file(file.path, sizeof(filch::trace::segment_header));
  EXPECT_NE(message_of(file.path).find("no recording process's segment"), std::string::npos);
}

TEST(segment, a_damaged_one_is_read_without_leaving_it) {
  const own_file file{"filch_segment_test_"};
  std::string bytes;
  {
    const child traced{"spin", "25", "/dev/null"};
    const std::string path = filch::trace::segment_path(traced.number());
    while (message_of(path) != "") std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::ifstream whole{path, std::ios::binary};
    bytes.assign(std::istreambuf_iterator<char>{whole}, {});
  }
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::string damaged = bytes;
    // The rows and the words before them; the first eight words say that it is a segment.
    constexpr std::size_t snapshot_begin =
        (sizeof(filch::trace::segment_header) + 65535) / 65536 * 65536;
    for (std::size_t at = snapshot_begin;
         at < std::min(bytes.size(), snapshot_begin + sizeof(filch::trace::counter_snapshot)); ++at)
      damaged[at] = static_cast<char>(seed * at);
    for (std::uint64_t i = 0; i < 40; ++i) {
      const std::size_t at =
          64 + (seed * 7919 + i * 104729) % (sizeof(filch::trace::segment_header) - 64);
      damaged[at] = static_cast<char>(seed + i * 31);
    }
    for (std::size_t at = sizeof(filch::trace::segment_header) + seed; at < damaged.size();
         at += 997)
      damaged[at] = static_cast<char>(seed + at);
    std::ofstream{file.path, std::ios::binary} << damaged;
    if (message_of(file.path) != "") continue;
    for (const auto& each : filch::trace::read_counted(segment_view{file.path}).workers) {
      ASSERT_LT(static_cast<std::size_t>(each.counters.doing()), filch::event::activity_count);
    }
    const recording read = filch::trace::collect(segment_view{file.path});
    for (const auto& each : read.entries) {
      ASSERT_LT(each.worker, read.workers.size());
      ASSERT_LE(each.at_ns, read.length_ns);
      ASSERT_LT(static_cast<std::size_t>(each.what.what), filch::event::kind_count);
      ASSERT_LT(static_cast<std::size_t>(each.what.doing), filch::event::activity_count);
      ASSERT_LT(static_cast<std::size_t>(each.what.ready), filch::event::ready_names.size());
    }
  }
}

TEST(segment, the_rings_of_a_process_that_was_killed_are_right_to_the_end) {
  child traced{"spin", "27", "/dev/null"};
  const auto collect = [&] {
    return filch::trace::collect(segment_view{filch::trace::segment_path(traced.number())});
  };
  recording before;
  do {  // a busy machine gives the child little time
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    before = collect();
  } while (before.entries.size() <= 50);
  ASSERT_EQ(traced.kill(), 1000 + SIGKILL);
  const recording after = collect();
  // A pause that reaches beyond the recording counts in part; the time of the read decides how
  // much.
  const auto is_real = [](const auto& each) {
    return each.what.what != kind::run_delayed && each.what.what != kind::slept_in_job;
  };
  const auto last = std::ranges::find_if(before.entries.rbegin(), before.entries.rend(), is_real);
  EXPECT_GT(after.length_ns, last->at_ns - 1'000'000)
      << "a dead process has lived as long as its last record says";
  // The last 100 ms that were seen during its life are there, event by event, after its death. The
  // two reads use two pairs of clock readings, so times differ by some nanoseconds, and events of
  // two workers may change places. So each worker's events are compared by themselves.
  for (std::size_t worker = 0; worker < before.workers.size(); ++worker) {
    const auto of_worker = [&](const recording& from, std::int64_t from_ns) {
      std::vector<filch::event::record> records;
      for (const auto& each : from.entries) {
        if (each.worker == worker && each.at_ns >= from_ns && is_real(each)) {
          records.push_back(each.what);
          // Sites are numbered as they are met, so a new one of another worker may move them all.
          if (each.what.what == kind::job_run)
            records.back().amount =
                static_cast<std::uint32_t>(from.sites[each.what.amount].address);
        }
      }
      return records;
    };
    const auto seen = of_worker(before, before.length_ns - 100'000'000), left = of_worker(after, 0);
    const auto first =
        std::ranges::find(left, seen.empty() ? filch::event::record{} : seen.front());
    if (seen.empty()) continue;
    ASSERT_GE(static_cast<std::size_t>(left.end() - first), seen.size()) << "worker " << worker;
    EXPECT_TRUE(std::equal(seen.begin(), seen.end(), first)) << "worker " << worker;
  }
}

/// A job in the program's log or in the recording; times of the monotonic clock.
struct told_job {
  std::string kind;
  /// The end is known to the program alone; 0: it was cut off.
  std::int64_t begin_ns = 0, end_ns = 0;
};

std::map<std::int64_t, std::vector<told_job>> jobs_by_thread(const filch::trace::job_log& log) {
  std::map<std::int64_t, std::vector<told_job>> made;
  constexpr const char* kinds[] = {"", "red", "green", "blue"};
  for (std::size_t i = 0; i < std::min(log.count(), filch::trace::job_log::most); ++i) {
    const filch::trace::logged_job& each = log[i];
    if (each.begin_ns == 0) continue;  // cut off before it had a time
    made[each.thread].push_back({kinds[each.kind], static_cast<std::int64_t>(each.begin_ns),
                                 static_cast<std::int64_t>(each.end_ns)});
  }
  return made;
}

/// Jobs that began as `begins` says: `job_run`, or run in place `job_changed`, where a change to
/// one less deep is an end.
std::map<std::int64_t, std::vector<told_job>> jobs_by_thread(const recording& all,
                                                             std::int64_t began_ns, kind begins) {
  std::map<std::int64_t, std::vector<told_job>> made;
  std::map<std::uint32_t, std::uint16_t> depth;
  for (const auto& each : all.entries) {
    if (each.what.what != begins) continue;
    const bool is_end = begins == kind::job_changed &&
                        each.what.other <= std::exchange(depth[each.worker], each.what.other);
    if (is_end) continue;
    const std::string& name = all.sites[each.what.amount].name;
    made[all.workers[each.worker].thread_id].push_back(
        {name.substr(0, name.find('(')), began_ns + each.at_ns});
  }
  return made;
}

/// When the recording of a segment began, on the monotonic clock.
std::int64_t beginning_of(const segment_view& segment) {
  const auto& header = segment.header();
  return static_cast<std::int64_t>(header.calibration_ns) +
         filch::trace::tick_clock{header}.between(header.calibration_ticks,
                                                  header.began_ticks.load(filch::base::relaxed));
}

/// The last jobs of `logged` are those of `recorded`: the same in the same order, each recorded
/// when it began. A job that the program was killed at the begin of may be recorded alone.
void expect_same_jobs(const std::vector<told_job>& logged, const std::vector<told_job>& recorded) {
  constexpr std::int64_t clocks_differ_ns = 1'000'000;
  ASSERT_GE(recorded.size(), logged.size()) << "a job that ran is not recorded";
  ASSERT_LE(recorded.size(), logged.size() + 1) << "a job is recorded that did not run";
  for (std::size_t i = 0; i < logged.size(); ++i) {
    EXPECT_NE(recorded[i].kind.find(logged[i].kind), std::string::npos)
        << "job " << i << ": " << recorded[i].kind;
    EXPECT_LE(recorded[i].begin_ns, logged[i].begin_ns + clocks_differ_ns)
        << "job " << i << " was recorded after its begin";
    if (i == 0) continue;
    EXPECT_NE(logged[i - 1].end_ns, 0) << "only the last job was cut off";
    EXPECT_GE(recorded[i].begin_ns, logged[i - 1].end_ns - clocks_differ_ns)
        << "job " << i << " was recorded before its time";
  }
}

/// A program that is killed in the middle of its jobs: its log compared with its segment.
void expect_all_jobs_after_a_kill(const char* mode, const char* trace, kind begins) {
  const own_file file{"filch_job_log_"};
  const filch::trace::job_log log{file.path};
  ASSERT_TRUE(log.is_open());
  child traced{mode, file.path.c_str(), trace};
  while (log.count() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const auto began = std::chrono::steady_clock::now();
  // Rings hold all that is recorded so far, so nothing may be missing from the first job on.
  while (log.count() < 1500 ||
         std::chrono::steady_clock::now() - began < std::chrono::milliseconds(250))
    std::this_thread::sleep_for(std::chrono::milliseconds(7));
  ASSERT_EQ(traced.kill(), 1000 + SIGKILL);
  const segment_view segment{filch::trace::segment_path(traced.number())};
  const recording left = filch::trace::collect(segment);
  const auto logged = jobs_by_thread(log),
             recorded = jobs_by_thread(left, beginning_of(segment), begins);
  for (const auto& each : left.workers) ASSERT_EQ(each.lost, 0u);
  std::int64_t last_ns = 0, first_ns = std::numeric_limits<std::int64_t>::max();
  for (const auto& [thread, jobs] : logged) {
    SCOPED_TRACE("thread " + std::to_string(thread));
    ASSERT_TRUE(recorded.contains(thread));
    expect_same_jobs(jobs, recorded.at(thread));
    first_ns = std::min(first_ns, jobs.front().begin_ns);
    last_ns = std::max(last_ns, jobs.back().begin_ns);
  }
  EXPECT_GT(last_ns - first_ns, 100'000'000)
      << "the last 100 ms were looked at, and what came before";
}

TEST(segment, of_a_process_that_was_killed_has_the_jobs_that_the_process_itself_has_logged) {
  expect_all_jobs_after_a_kill("log", "/dev/null", kind::job_run);
}

TEST(segment, of_a_process_that_was_killed_has_every_job_at_job_level) {
  expect_all_jobs_after_a_kill("log", "/dev/null:jobs", kind::job_run);
  expect_all_jobs_after_a_kill("fork", "/dev/null:jobs", kind::job_changed);
}

}  // namespace
