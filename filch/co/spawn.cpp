#include <filch/co/spawn.hpp>

namespace filch::co {

std::coroutine_handle<> awaiting_coroutine::go_on(waiter& self, promise_base&) noexcept {
  const awaiting_coroutine& mine = static_cast<awaiting_coroutine&>(self);
  return mine.own == nullptr ? mine.handle : wake(*mine.own);
}

}  // namespace filch::co
