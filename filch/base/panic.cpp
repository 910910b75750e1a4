#include <filch/base/panic.hpp>

#include <filch/base/simulation.hpp>

namespace filch::inline v0_2::base {

void panic(const char* file, int line, const char* condition, const char* message,
           panic_value values) noexcept {
  std::fprintf(stderr, "filch: %s:%d: %s\n  broken: %s\n", file, line, message, condition);
  if (values.count > 0) {
    std::fprintf(stderr, "  values: %s =", values.names);
    for (int i = 0; i < values.count; ++i) {
      std::fprintf(stderr, " %lld", values.values[i]);
    }
    std::fputc('\n', stderr);
  }
  if (simulation* const sim = current_simulation()) sim->last_words();
  std::abort();
}

void last_words(const char* message) noexcept { std::fprintf(stderr, "filch: %s\n", message); }

}  // namespace filch::base
