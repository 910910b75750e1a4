// One program a property, which libFuzzer drives; see `filch_libfuzzer` in
// cmake/filch_targets.cmake.
#include <filch/base/text_property_fuzz.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const filch::base::text_property& property =
      filch::base::property_called(FILCH_FUZZ_PROPERTY);
  const std::string wrong = property.violation({reinterpret_cast<const char*>(data), size});
  if (!wrong.empty()) {
    std::fprintf(stderr, "%s: %s\n", FILCH_FUZZ_PROPERTY, wrong.c_str());
    std::abort();
  }
  return 0;
}
