#include <filch/base/thread_switch.hpp>

#include <filch/base/edges.hpp>
#include <filch/base/panic.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FILCH_FOLLOWS_THREADS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define FILCH_FOLLOWS_THREADS
#endif
#endif

#if defined(__linux__) && defined(__x86_64__) && !defined(FILCH_FOLLOWS_THREADS)
#include <linux/futex.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

// The callee-saved registers of the System V ABI, with the two control words of floating point. A
// new context begins in the second function, which calls r13 with r12.
asm(R"(
.text
.p2align 4
.hidden filch_switch_threads
.globl filch_switch_threads
.type filch_switch_threads,@function
filch_switch_threads:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  subq $8, %rsp
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movq %rsp, (%rdi)
  rdfsbase %rax
  movq %rax, 8(%rdi)
  movq 8(%rsi), %rax
  movq (%rsi), %rsp
  wrfsbase %rax
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  addq $8, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size filch_switch_threads,.-filch_switch_threads

.p2align 4
.hidden filch_begin_context
.globl filch_begin_context
.type filch_begin_context,@function
filch_begin_context:
  .cfi_startproc
  .cfi_undefined rip
  movq %r12, %rdi
  callq *%r13
  ud2
  .cfi_endproc
.size filch_begin_context,.-filch_begin_context
)");

extern "C" void filch_switch_threads(filch::base::thread_context* from,
                                     const filch::base::thread_context* to) noexcept;
extern "C" void filch_begin_context() noexcept;

namespace filch::inline v0_2::base {

bool can_switch_threads() noexcept {
  constexpr unsigned long may_set_fs = 2;  // HWCAP2_FSGSBASE of asm/hwcap2.h
  return (::getauxval(AT_HWCAP2) & may_set_fs) != 0;
}

namespace {

/// A context that runs `run(self)` on the stack of the calling thread below its present frames.
thread_context context_here(void (*run)(void*), void* self) noexcept {
  // As `filch_switch_threads` leaves a stack
  struct frame {
    std::uint32_t float_control = 0x1f80;  // as a thread begins
    std::uint16_t x87_control = 0x37f;
    void* r15 = nullptr;
    void* r14 = nullptr;
    void (*r13)(void*) = nullptr;
    void* r12 = nullptr;
    void* rbx = nullptr;
    void* rbp = nullptr;
    void (*returns_to)() noexcept = &filch_begin_context;
  };
  constexpr std::uintptr_t room = 4096;  // for the frames of `lend`
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  // Aligned as the ABI requires at a call, after the frame was taken off
  const std::uintptr_t top = (here - room) / 16 * 16;
  auto* const made = ::new (reinterpret_cast<void*>(top - sizeof(frame))) frame;
  made->r13 = run;
  made->r12 = self;
  void* locals;
  asm("rdfsbase %0" : "=r"(locals));
  return {made, locals};
}

/// A futex wait that touches no thread-local variable: not errno, and none of ours.
void sleep_untouched(const std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
  long result = SYS_futex;
  register const void* timeout asm("r10") = nullptr;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(&word), "S"(FUTEX_WAIT_PRIVATE), "d"(expected), "r"(timeout)
               : "rcx", "r11", "memory");
}

}  // namespace

// From the store on, another thread may use this thread's variables.
void lent_thread::lend(void (*run)(void*), void* self) noexcept {
  context = context_here(run, self);
  state_.store(lent, release<edge::token>);
  while (state_.load(acquire<edge::token>) == lent) sleep_untouched(state_, lent);
}

void lent_thread::await() const noexcept {
  while (state_.load(acquire<edge::token>) == own) std::this_thread::yield();
}

void lent_thread::take_back() noexcept {
  state_.store(returned, release<edge::token>);
  ::syscall(SYS_futex, &state_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

void switch_threads(thread_context& from, const thread_context& to) noexcept {
  filch_switch_threads(&from, &to);
}

}  // namespace filch::base
#else
namespace filch::inline v0_2::base {

bool can_switch_threads() noexcept { return false; }

void lent_thread::lend(void (*)(void*), void*) noexcept {
  FILCH_ASSERT(false, "a thread is lent where can_switch_threads() is false", 0);
}
void lent_thread::await() const noexcept {}
void lent_thread::take_back() noexcept {}

void switch_threads(thread_context&, const thread_context&) noexcept {
  FILCH_ASSERT(false, "switch_threads called where can_switch_threads() is false", 0);
}

}  // namespace filch::base
#endif
