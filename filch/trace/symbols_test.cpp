// Names of code in files, and that reading any file is safe.
#include <filch/trace/symbols.hpp>

#include <filch/trace/process_files.hpp>
#include <filch/trace/site_names.hpp>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <string>
#include <vector>

namespace {

using filch::trace::function_at;

int somewhere() { return 1; }

/// The site of `somewhere`, named, after an unknown one.
std::vector<filch::event::call_site> sites_of_this_program() {
  std::vector<filch::event::call_site> sites(2);
  sites[0].address = 16;
  sites[1].address = reinterpret_cast<std::uintptr_t>(&somewhere);
  filch::trace::name_sites(sites, filch::trace::executable_lines(::getpid()));
  return sites;
}

std::string this_program() {
  std::ifstream own{"/proc/self/exe", std::ios::binary};
  return {std::istreambuf_iterator<char>{own}, {}};
}

TEST(symbols, a_function_is_found_by_where_it_lies) {
  const auto site = sites_of_this_program()[1];
  EXPECT_EQ(site.name, "somewhere");
  EXPECT_NE(site.module.find("symbols_test"), std::string::npos) << site.module;
  const std::string whole = function_at(this_program(), site.offset);
  EXPECT_EQ(whole, "(anonymous namespace)::somewhere()");
}

TEST(symbols, the_namespace_of_the_version_is_left_out) {
  std::vector<filch::event::call_site> sites(1);
  sites[0].address = reinterpret_cast<std::uintptr_t>(&filch::trace::executable_lines);
  filch::trace::name_sites(sites, filch::trace::executable_lines(::getpid()));
  const std::string whole = function_at(this_program(), sites[0].offset);
  EXPECT_TRUE(whole.starts_with("filch::trace::executable_lines")) << whole;
}

TEST(symbols, of_an_address_in_no_module_nothing_is_said) {
  const auto site = sites_of_this_program()[0];
  EXPECT_EQ(site.name, "");
  EXPECT_EQ(site.module, "");
}

/// Any process that can write a segment may have written its list of mapped files.
TEST(symbols, a_pipe_that_is_named_as_a_module_holds_nobody_up) {
  const std::string pipe = (std::filesystem::temp_directory_path() /
                            ("filch_symbols_test_" + std::to_string(::getpid())))
                               .string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  auto named = std::async(std::launch::async, [&] {
    std::vector<filch::event::call_site> sites(1);
    sites[0].address = 0x1800;
    filch::trace::name_sites(sites, "1000-2000 r-xp 00000000 08:01 42 " + pipe + "\n");
    return sites[0].module;
  });
  EXPECT_EQ(named.wait_for(std::chrono::seconds(10)), std::future_status::ready)
      << "it waits for somebody to write to the pipe";
  const int writer = ::open(pipe.c_str(), O_WRONLY | O_NONBLOCK);  // now nobody waits any more
  EXPECT_EQ(named.get(), pipe);
  if (writer >= 0) ::close(writer);
  std::filesystem::remove(pipe);
}

TEST(symbols, a_damaged_file_is_harmless) {
  const std::uint64_t offset = sites_of_this_program()[1].offset;
  const std::string file = this_program();
  for (std::size_t at = 0; at < 64; ++at) {
    std::string damaged = file;
    damaged[at] = static_cast<char>(0xff);
    const std::string name = function_at(damaged, offset);
    EXPECT_LT(name.size(), 1000u) << "byte " << at;
  }
}

TEST(symbols, a_file_that_was_cut_off_names_nothing) {
  const std::uint64_t offset = sites_of_this_program()[1].offset;
  const std::string file = this_program();  // its sections are listed at the end
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{3}, std::size_t{63}, std::size_t{64}, file.size() / 2}) {
    for (const std::size_t broken : {0u, 16u, 32u, 40u, 54u, 60u}) {
      std::string bytes = file.substr(0, length);
      for (std::size_t i = broken; i < broken + 8 && i < bytes.size(); ++i)
        bytes[i] = static_cast<char>(0xee);
      EXPECT_EQ(function_at(bytes, offset), "") << "cut to " << length << ", broken at " << broken;
    }
  }
  EXPECT_EQ(function_at("no ELF file", 5), "");
}

}  // namespace
