// What the files of a process say.
#include <filch/base/process_stat.hpp>

#include <filch/trace/process_files.hpp>

#include <gtest/gtest.h>

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

namespace {

TEST(process_files, lines_of_mappings_that_are_none_are_left_out) {
  const auto modules = filch::trace::parse_mappings(
      "1000-2000 r-xp 00000100 08:01 42                         /usr/bin/a program\n"
      "2000-3000 rw-p 00001000 08:01 42                         /usr/bin/a program\n"
      "7000-8000 r-xp 00000000 00:00 0                          [vdso]\n"
      "garbage\n9000-8000 r-xp 0 0 0 /x\n");
  ASSERT_EQ(modules.size(), 1u);
  EXPECT_EQ(modules[0].begin, 0x1000u);
  EXPECT_EQ(modules[0].offset, 0x100u);
  EXPECT_EQ(modules[0].file, "/usr/bin/a program");
}

TEST(process_files, times_are_the_first_two_of_three_numbers) {
  using filch::trace::parse_times;
  EXPECT_EQ(parse_times("123 456 7\n").on_cpu_ns, 123u);
  EXPECT_EQ(parse_times("123 456 7\n").run_delay_ns, 456u);
  EXPECT_EQ(parse_times("123").on_cpu_ns, 0u) << "half a line says nothing";
  EXPECT_EQ(parse_times("").run_delay_ns, 0u);
}

TEST(process_files, the_living_have_a_start_and_the_dead_have_none) {
  EXPECT_GT(filch::trace::process_start(::getpid()), 0u);
  EXPECT_EQ(filch::trace::process_start(0), 0u);
  EXPECT_EQ(filch::trace::user_of(::getpid()), ::geteuid());
  EXPECT_EQ(filch::trace::user_of(0), std::nullopt);
}

#if defined(__linux__)
/// Whether a process is still known after its main thread has ended, and how it then ends.
[[noreturn]] void end_the_main_thread_first() {
  std::thread rest{[] {
    const std::string file = "/proc/" + std::to_string(::getpid()) + "/stat";
    while (filch::base::read_process_stat(file)->state != 'Z') std::this_thread::yield();
    const bool is_known = filch::trace::process_start(::getpid()) > 0 &&
                          !filch::trace::own_program().empty() &&
                          !filch::trace::executable_lines(::getpid()).empty();
    ::_exit(is_known ? 0 : 1);
  }};
  ::syscall(SYS_exit, 0);  // pthread_exit() unwinds what the test framework does not let go
  std::abort();
}
TEST(process_files, a_process_lives_whose_main_thread_has_ended) {
  EXPECT_EXIT(end_the_main_thread_first(), testing::ExitedWithCode(0), "");
}
#endif

}  // namespace
