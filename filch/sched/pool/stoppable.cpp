#include <filch/sched/pool/stoppable.hpp>

namespace filch::inline v0_2::sched {

void stoppables::add(stoppable& one, unsigned shelf_hint) noexcept {
  stoppable_shelf& shelf = shelves_[shelf_hint % shelves_.size()];
  one.shelf_ = &shelf;
  bool is_late = false;
  {
    base::lock_guard guard{shelf.lock};
    is_late = shelf.is_closing;
    one.insert_before(is_late ? shelf.asked : shelf.unasked);
  }
  if (is_late) std::stop_source{one.asks_}.request_stop();
}

void stoppables::remove(stoppable& one) noexcept {
  base::lock_guard guard{one.shelf_->lock};
  one.unlink();
}

void stoppables::ask_all() noexcept {
  for (stoppable_shelf& shelf : shelves_) {
    while (ask_one(shelf)) {
    }
  }
}

// By a stop source of its own: the task that is asked may end meanwhile.
bool stoppables::ask_one(stoppable_shelf& shelf) noexcept {
  std::stop_source asks{std::nostopstate};
  {
    base::lock_guard guard{shelf.lock};
    shelf.is_closing = true;
    if (shelf.unasked.next == &shelf.unasked) return false;
    auto& one = static_cast<stoppable&>(*shelf.unasked.next);
    asks = one.asks_;
    one.unlink();
    one.insert_before(shelf.asked);
  }
  asks.request_stop();
  return true;
}

}  // namespace filch::sched
