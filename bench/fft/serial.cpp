#include <bench/fft/entry.hpp>

using namespace bench::fft;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("serial"));
  measure(me, [](const plan& how, const std::vector<number>& in, std::vector<number>& out) {
    return serial(how, in, out);
  });
  return me.exit_status();
}
