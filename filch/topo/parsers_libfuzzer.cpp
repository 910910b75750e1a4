// One program a property, which libFuzzer drives; see FILCH_FUZZ in CMakeLists.txt.
#include <filch/topo/parsers_fuzz.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const filch::topo::parser_property* const property = filch::topo::find_parser_property(FILCH_FUZZ_TARGET);
  const std::string wrong = property->violation({reinterpret_cast<const char*>(data), size});
  if (!wrong.empty()) {
    std::fprintf(stderr, "%s: %s\n", FILCH_FUZZ_TARGET, wrong.c_str());
    std::abort();
  }
  return 0;
}
