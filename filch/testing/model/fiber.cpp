#include <filch/testing/model/fiber.hpp>

#include <ucontext.h>

#include <cstdint>

namespace filch::testing {

fiber::fiber() : stack_{std::make_unique_for_overwrite<std::byte[]>(stack_bytes)} {}
fiber::~fiber() = default;

void fiber::prepare(body run, void* argument) {
  run_ = run;
  argument_ = argument;
  has_started_ = false;
}

// makecontext passes ints only.
void fiber::enter(unsigned high, unsigned low) {
  auto* const self = reinterpret_cast<fiber*>(std::uintptr_t{high} << 32 | low);
  self->run_(self->argument_);
}

void fiber::switch_from(std::jmp_buf& from) {
  if (_setjmp(from) != 0) return;
  if (has_started_) _longjmp(place_, 1);
  has_started_ = true;
  ucontext_t start;
  getcontext(&start);
  start.uc_stack.ss_sp = stack_.get();
  start.uc_stack.ss_size = stack_bytes;
  start.uc_link = nullptr;
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&start, reinterpret_cast<void (*)()>(&enter), 2, static_cast<unsigned>(std::uint64_t{self} >> 32), static_cast<unsigned>(self));
  setcontext(&start);
}

}  // namespace filch::testing
