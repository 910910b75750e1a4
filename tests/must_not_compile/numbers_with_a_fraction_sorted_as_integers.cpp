// expected: integer_sort sorts by integers
#include <filch/algo.hpp>

#include <vector>

int main() {
#ifdef ACCEPTED
  std::vector<int> keys{3, 1, 2};
#else
  std::vector<double> keys{3, 1, 2};
#endif
  filch::integer_sort(keys);
}
