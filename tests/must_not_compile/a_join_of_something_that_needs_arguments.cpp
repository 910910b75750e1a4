// expected: without arguments
#include <filch/filch.hpp>

int main() {
#ifdef ACCEPTED
  filch::join([] { return 1; }, [] { return 2; });
#else
  filch::join([] { return 1; }, [](int x) { return x; });
#endif
}
