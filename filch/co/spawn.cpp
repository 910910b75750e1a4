#include <filch/co/spawn.hpp>

namespace filch::inline v0_2::co::detail {

waiter detached_waiter{[](waiter&, promise_base& finished) noexcept -> std::coroutine_handle<> {
  finished.destroy_unobserved();
  return nullptr;
}};

std::coroutine_handle<> awaiting_coroutine::go_on(waiter& self, promise_base&) noexcept {
  const awaiting_coroutine& mine = static_cast<awaiting_coroutine&>(self);
  return mine.own == nullptr ? mine.handle : wake(*mine.own);
}

}  // namespace filch::co::detail
