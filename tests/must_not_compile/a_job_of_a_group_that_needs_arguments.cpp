// expected: without arguments
#include <filch/filch.hpp>

int main() {
  filch::task_group group;
#ifdef ACCEPTED
  group.run([] {});
#else
  group.run([](int) {});
#endif
}
