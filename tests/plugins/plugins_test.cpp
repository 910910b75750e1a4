// A host, without filch, of plugins that hold one each.
#include <gtest/gtest.h>

#include <dlfcn.h>
#include <link.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;
constexpr int n = 20'000;
constexpr int sum = n / 2 * (n - 1);

/// A shared object that was loaded by `dlopen`, for as long as this lives.
class plugin {
 public:
  explicit plugin(const fs::path& file) : handle_{::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)} {
    if (handle_ == nullptr) refusal_ = ::dlerror();
  }
  plugin(plugin&& other) noexcept
      : handle_{std::exchange(other.handle_, nullptr)}, refusal_{std::move(other.refusal_)} {}
  ~plugin() {
    if (handle_ != nullptr) ::dlclose(handle_);
  }

  const std::string& refusal() const noexcept { return refusal_; }
  template <class Function>
  Function* find(const char* name) const noexcept {
    return handle_ == nullptr ? nullptr : reinterpret_cast<Function*>(::dlsym(handle_, name));
  }
  int add_up() const {
    const auto call = find<int(int)>("filch_plugin_sum");
    return call == nullptr ? -1 : call(n);
  }

 private:
  void* handle_;
  std::string refusal_;
};

/// Copies of the plugin under other names: the loader takes each for another one.
class copies {
 public:
  explicit copies(int count) {
    const std::string pattern = (fs::temp_directory_path() / "filch_plugins.XXXXXX").string();
    std::vector<char> name(pattern.c_str(), pattern.c_str() + pattern.size() + 1);
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    folder_ = name.data();
    for (int i = 0; i < count; ++i) {
      files.push_back(folder_ / ("plugin_" + std::to_string(i) + ".so"));
      fs::copy_file(FILCH_PLUGIN, files.back());
    }
  }
  ~copies() { fs::remove_all(folder_); }
  std::vector<fs::path> files;

 private:
  fs::path folder_;
};

std::size_t thread_count() {
  const fs::directory_iterator all{"/proc/self/task"};
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

/// How many mappings of this process the kernel names so, and how long they are together.
struct mappings {
  std::size_t count = 0;
  std::size_t bytes = 0;
  friend bool operator==(const mappings&, const mappings&) = default;
};
mappings mappings_of(std::string_view name) {
  mappings found;
  std::ifstream maps{"/proc/self/maps"};
  for (std::string line; std::getline(maps, line);) {
    if (line.find(name) == line.npos) continue;
    char* rest = nullptr;
    const unsigned long begin = std::strtoul(line.c_str(), &rest, 16),
                        end = std::strtoul(rest + 1, nullptr, 16);
    ++found.count;
    found.bytes += end - begin;
  }
  return found;
}

TEST(plugins, ten_with_a_static_filch_each_work_in_one_process) {
  const copies all{10};
  std::vector<plugin> loaded;
  for (const fs::path& file : all.files) {
    loaded.emplace_back(file);
    ASSERT_EQ(loaded.back().refusal(), "") << "number " << loaded.size();
  }
  for (const plugin& each : loaded) EXPECT_EQ(each.add_up(), sum);
  loaded.clear();
  for (const fs::path& file : all.files) {
    loaded.emplace_back(file);
    EXPECT_EQ(loaded.back().add_up(), sum) << "loaded again";
  }
}

TEST(plugins, that_are_closed_and_loaded_again_leave_nothing_more_behind) {
  const copies one{1};
  EXPECT_EQ(plugin{one.files[0]}.add_up(), sum);
  const std::size_t threads = thread_count();
  const mappings code = mappings_of("plugin_0"), counters = mappings_of("/dev/shm/filch");
  EXPECT_GT(threads, 1u);
  EXPECT_GT(code.count, 0u) << "closed, but its threads run its code";
  for (int i = 0; i < 20; ++i) EXPECT_EQ(plugin{one.files[0]}.add_up(), sum);
  EXPECT_EQ(thread_count(), threads);
  EXPECT_EQ(mappings_of("plugin_0"), code);
  EXPECT_EQ(mappings_of("/dev/shm/filch"), counters);
}

TEST(plugins, whose_pool_started_no_thread_leave_nothing_more_behind) {
  const copies one{1};
  const auto load = [&] {
    const plugin loaded{one.files[0]};
    const auto call = loaded.find<unsigned()>("filch_plugin_capacity");
    return call == nullptr ? 0 : call();
  };
  EXPECT_GT(load(), 1u);
  const mappings code = mappings_of("plugin_0"), counters = mappings_of("/dev/shm/filch");
  EXPECT_GT(code.count, 0u) << "closed, and what it keeps for the process is lost";
  for (int i = 0; i < 20; ++i) EXPECT_GT(load(), 1u);
  EXPECT_EQ(mappings_of("plugin_0"), code);
  EXPECT_EQ(mappings_of("/dev/shm/filch"), counters);
}

TEST(plugins, may_be_closed_at_once_while_workers_fall_asleep) {
  const copies one{1};
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(plugin{one.files[0]}.add_up(), sum);
    std::this_thread::sleep_for(std::chrono::milliseconds(i));
  }
}

TEST(plugins, that_a_thread_has_used_are_closed_before_that_ends) {
  const copies one{1};
  std::thread{[&] { EXPECT_EQ(plugin{one.files[0]}.add_up(), sum); }}.join();
}

TEST(plugins_death_test, a_host_that_has_closed_its_plugin_ends_in_peace) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        {
          const copies one{1};
          if (plugin{one.files[0]}.add_up() != sum) std::_Exit(1);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));  // until its workers sleep
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}

// glibc keeps some 1,600 bytes for all objects that are loaded later and want theirs at a fixed
// distance. A plugin that has such a variable has all of its variables there.
TEST(plugins, take_64_bytes_of_what_the_loader_keeps_for_each_thread) {
  const copies one{1};
  const plugin loaded{one.files[0]};
  ASSERT_EQ(loaded.refusal(), "");
  std::size_t bytes = 0;
  ::dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* result) {
        if (std::string_view{object->dlpi_name}.find("plugin_0") == std::string_view::npos)
          return 0;
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const ElfW(Phdr)& each = object->dlpi_phdr[i];
          if (each.p_type == PT_TLS) *static_cast<std::size_t*>(result) += each.p_memsz;
        }
        return 1;
      },
      &bytes);
  EXPECT_GT(bytes, 0u) << "there is no such variable any more, or it is not found";
  EXPECT_LE(bytes, 64u);
  RecordProperty("thread_local_bytes", static_cast<int>(bytes));
}

}  // namespace
