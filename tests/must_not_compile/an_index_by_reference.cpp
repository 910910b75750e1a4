// expected: an index is a value
#include <filch/algo.hpp>

int main() {
#ifdef ACCEPTED
  filch::parallel_for(0, 10, [](auto i) { static_cast<void>(i); });
#else
  filch::parallel_for(0, 10, [](auto& i) { static_cast<void>(i); });
#endif
}
