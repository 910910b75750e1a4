#pragma once
// Recordings made by hand, for tests: each worker's records and their times.
#include <filch/base/sort_stably.hpp>
#include <filch/event/recording.hpp>

#include <algorithm>

namespace filch::inline v0_2::span {

/// The fields of a record beside time, worker, kind and state.
struct detail {
  std::uint16_t other = event::record::nobody;
  std::uint32_t amount = 0;
  event::ready_work ready = event::ready_work::not_looked;
};

/// A recording under construction. Records may be added in any order of workers; those of one
/// worker in order of time.
class scene {
 public:
  static constexpr std::uint16_t no_slot = event::record::nobody;

  /// One pool, its workers known from the beginning on.
  scene(std::uint32_t slots, std::uint32_t workers) { add_pool(slots, workers); }

  /// Returns the index of its first worker.
  std::uint32_t add_pool(std::uint32_t slots, std::uint32_t workers) {
    const auto first = static_cast<std::uint32_t>(made_.workers.size());
    made_.pools.push_back({slots});
    for (std::uint32_t i = 0; i < workers; ++i) {
      made_.workers.push_back(
          {.pool = static_cast<std::uint32_t>(made_.pools.size() - 1), .index = i});
    }
    return first;
  }

  scene& say(std::int64_t at_ns, std::uint32_t worker, event::kind what, event::activity doing,
             std::uint16_t slot = no_slot, detail more = {}) {
    event::record said{
        static_cast<std::uint64_t>(at_ns), what, doing, more.ready, slot, more.other, more.amount};
    made_.entries.push_back({at_ns, worker, said});
    return *this;
  }
  /// A change of state.
  scene& turn(std::int64_t at_ns, std::uint32_t worker, event::activity doing,
              std::uint16_t slot = no_slot,
              event::ready_work ready = event::ready_work::not_looked) {
    return say(at_ns, worker, event::kind::state_changed, doing, slot, {.ready = ready});
  }
  /// A job from begin to end, after which its worker searches.
  scene& job(std::int64_t begin_ns, std::int64_t end_ns, std::uint32_t worker, std::uint16_t slot,
             std::uint32_t site = 0, std::uint16_t from = event::record::nobody) {
    say(begin_ns, worker, event::kind::job_run, event::activity::working, slot,
        {.other = from, .amount = site});
    return turn(end_ns, worker, event::activity::searching, slot);
  }
  scene& site(std::string name) {
    if (made_.sites.empty()) made_.sites.push_back({});
    made_.sites.push_back({.address = 0x1000 + made_.sites.size(),
                           .module = "app",
                           .offset = made_.sites.size(),
                           .name = std::move(name)});
    return *this;
  }
  scene& lose_until(std::int64_t complete_from_ns, std::uint32_t worker, std::uint64_t lost = 1) {
    made_.workers[worker].complete_from_ns = complete_from_ns;
    made_.workers[worker].lost = lost;
    return *this;
  }

  event::recording end(std::int64_t length_ns) {
    made_.program = "scene";
    made_.length_ns = length_ns;
    if (made_.sites.empty()) made_.sites.push_back({});
    std::erase_if(made_.entries, [&](const event::entry& e) {
      return e.at_ns < made_.workers[e.worker].complete_from_ns;
    });
    base::sort_stably(made_.entries, {}, &event::entry::at_ns);
    return std::move(made_);
  }

 private:
  event::recording made_;
};

}  // namespace filch::span
