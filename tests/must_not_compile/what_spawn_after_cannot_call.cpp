// expected: filch: spawn_after
// Each row with REFUSED is refused in one sentence. Their types differ, as the compiler says the
// same only once.
#include <filch/co.hpp>
#include <filch/graph/spawn_after.hpp>

#include <memory>
#include <vector>

#ifdef ACCEPTED
#define REFUSED(...)
#else
#define REFUSED(...) __VA_ARGS__
#endif

filch::task<int> give() { co_return 1; }

void call(filch::join_handle<int> spawned) {
  using filch::spawn_after;
  auto one = spawn_after([] { return 1; });
  auto moved = spawn_after([] { return std::make_unique<int>(1); });
  auto nothing = spawn_after([] {});

  spawn_after([](int) {}, one);
  spawn_after([](const int&, long) {}, one, one);
  REFUSED(spawn_after([](int&) {}, one));
  REFUSED(spawn_after([](int, int) {}, one));
  REFUSED(spawn_after([](int) {}, nothing));

  spawn_after([](const std::unique_ptr<int>&) {}, moved);
  REFUSED(spawn_after([](std::unique_ptr<int>) {}, moved));

  spawn_after([] {}, one, moved);
  REFUSED(spawn_after([] {}, 1));
  REFUSED(spawn_after([] {}, give()));
  REFUSED(spawn_after([] {}, std::vector<int>{}));

  REFUSED(spawn_after([](int) {}, spawned));
  spawn_after([](int) {}, std::move(spawned));
}

int main() {}
