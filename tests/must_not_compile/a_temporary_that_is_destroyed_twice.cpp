// expected: give it a name
// By g++ 12, which destroys what it captures before the call and after it.
#include <filch/co.hpp>

#include <cstddef>
#include <string>

filch::task<std::size_t> length_of(std::string text) {
#ifdef ACCEPTED
  const auto measure = [text] { return text.size(); };
  co_return co_await filch::co::blocking(measure);
#else
  co_return co_await filch::co::blocking([text] { return text.size(); });
#endif
}
