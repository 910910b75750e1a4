#include <filch/base/panic.hpp>
#include <filch/sim/picture.hpp>

#include <algorithm>
#include <numeric>

namespace filch::inline v0_2::sim {

namespace {

constexpr place::kind kinds_of_workers[] = {place::kind::queue, place::kind::hand,
                                            place::kind::finished};
constexpr std::size_t common_places = 2;

}  // namespace

picture::picture(std::uint32_t task_count, std::uint32_t worker_count)
    : places_(common_places + std::size(kinds_of_workers) * worker_count),
      activities_(worker_count, activity::idle) {
  places_[slot_of({place::kind::unborn})].resize(task_count);
  std::iota(places_.front().begin(), places_.front().end(), task_id{0});
}

std::size_t picture::slot_of(place where) const {
  if (where.what < place::kind::queue) return static_cast<std::size_t>(where.what);
  const std::size_t kind =
      static_cast<std::size_t>(where.what) - static_cast<std::size_t>(place::kind::queue);
  return common_places + kind * activities_.size() + where.worker;
}

place picture::where(task_id task) const {
  const auto holds = [&](place candidate) {
    return std::ranges::find(at(candidate), task) != at(candidate).end();
  };
  for (const place common : {place{place::kind::unborn}, place{place::kind::shared}}) {
    if (holds(common)) return common;
  }
  for (const place::kind kind : kinds_of_workers) {
    for (worker_index w = 0; w < worker_count(); ++w) {
      if (holds({kind, w})) return {kind, w};
    }
  }
  base::panic_with(__FILE__, __LINE__, "holds", "every task is somewhere", "task", task);
}

task_id picture::in_hand(worker_index worker) const {
  const auto& hand = at({place::kind::hand, worker});
  return hand.empty() ? no_task : hand.front();
}

void picture::carry(task_id task, place from, std::uint32_t from_index, place to,
                    std::uint32_t to_index) {
  auto& source = places_[slot_of(from)];
  FILCH_ASSERT(from_index < source.size() && source[from_index] == task,
               "a task moves from where it is", task, from_index);
  source.erase(source.begin() + from_index);
  auto& target = places_[slot_of(to)];
  FILCH_ASSERT(to_index <= target.size(), "a queue has no holes", task, to_index, target.size());
  target.insert(target.begin() + to_index, task);
}

}  // namespace filch::sim
