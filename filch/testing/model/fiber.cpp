#include <filch/testing/model/fiber.hpp>

#include <cxxabi.h>
#include <ucontext.h>

#include <cstdint>
#include <cstring>

namespace filch::inline v0_2::testing {

namespace {

/// The exceptions that are thrown or handled right now. The C++ runtime keeps one list for each
/// real thread; every fiber needs its own.
/// Source: Itanium C++ ABI, 2.2.2, which gives the list's layout.
class exceptions_in_flight {
 public:
  exceptions_in_flight() {
    std::memcpy(&mine_, abi::__cxa_get_globals(), sizeof mine_);
    std::memset(static_cast<void*>(abi::__cxa_get_globals()), 0, sizeof mine_);
  }
  void go_on() const {
    std::memcpy(static_cast<void*>(abi::__cxa_get_globals()), &mine_, sizeof mine_);
  }

 private:
  struct {
    void* caught;
    unsigned uncaught_count;
  } mine_;
};

}  // namespace

fiber::fiber() : stack_{std::make_unique_for_overwrite<std::byte[]>(stack_bytes)} {}
fiber::~fiber() = default;

void fiber::prepare(body run, void* argument) {
  run_ = run;
  argument_ = argument;
  has_started_ = false;
}

// Every run begins at the bottom of the stack, from which it never returns. makecontext passes ints
// only.
void fiber::enter(unsigned high, unsigned low) {
  auto* const self = reinterpret_cast<fiber*>(std::uintptr_t{high} << 32 | low);
  self->has_bottom_ = true;
  static_cast<void>(_setjmp(self->bottom_));
  self->run_(self->argument_);
}

// Costs a system call, two with getcontext's.
void fiber::enter_for_the_first_time() {
  ucontext_t start;
  getcontext(&start);
  start.uc_stack.ss_sp = stack_.get();
  start.uc_stack.ss_size = stack_bytes;
  start.uc_link = nullptr;
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&start, reinterpret_cast<void (*)()>(&enter), 2,
              static_cast<unsigned>(std::uint64_t{self} >> 32), static_cast<unsigned>(self));
  setcontext(&start);
}

void fiber::switch_from(std::jmp_buf& from) {
  const exceptions_in_flight others;
  if (_setjmp(from) != 0) return others.go_on();
  if (has_started_) _longjmp(place_, 1);
  has_started_ = true;
  if (has_bottom_) _longjmp(bottom_, 1);
  enter_for_the_first_time();
}

void fiber::pause(std::jmp_buf& to) {
  const exceptions_in_flight mine;
  if (_setjmp(place_) == 0) _longjmp(to, 1);
  mine.go_on();
}

}  // namespace filch::testing
