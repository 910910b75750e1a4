// Give values to a slower part of the program, and keep what it has no room for in time.
#include <filch/filch.hpp>

#include <chrono>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

using namespace std::chrono_literals;

// [hand_over]
filch::task<std::vector<std::string>> hand_over(std::vector<std::string> letters,
                                                filch::channel<std::string>& to) {
  std::vector<std::string> kept;
  for (std::string& each : letters) {
    auto sent = co_await filch::with_timeout(to.send(std::move(each)), 1ms);
    if (!sent) kept.push_back(sent.take_back());  // no room in time: the letter is back
  }
  to.close();
  co_return kept;
}
// [hand_over]

int main() {
  filch::channel<std::string> box{2};
  const std::vector<std::string> kept = filch::block_on(hand_over({"a", "b", "c", "d"}, box));
  while (const auto letter = filch::wait(box.receive())) std::printf("sent %s\n", letter->c_str());
  for (const std::string& letter : kept) std::printf("kept %s\n", letter.c_str());
  return kept.size() == 2 ? 0 : 1;
}
