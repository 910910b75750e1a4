// The reader of files, driven by libFuzzer; see FILCH_FUZZ in CMakeLists.txt.
#include <filch/trace/file_fuzz.hpp>

#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string wrong = filch::trace::violation_of_file({reinterpret_cast<const char*>(data), size});
  if (!wrong.empty()) {
    std::fprintf(stderr, "file: %s\n", wrong.c_str());
    std::abort();
  }
  return 0;
}
