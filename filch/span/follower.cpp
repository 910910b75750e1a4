#include <filch/span/follower.hpp>

#include <algorithm>
#include <utility>

namespace filch::inline v0_2::span {

using event::activity;
using event::kind;

void follower::see(const event::entry& seen, std::vector<job>& jobs) {
  const activity before = std::exchange(doing_, seen.what.doing);
  note_nesting(seen, jobs);
  find_site();
  note_steal(seen.what);
  what_ = judge(before);
}

void follower::note_steal(const event::record& seen) noexcept {
  const bool begins = seen.what == kind::steal_tried || seen.what == kind::steal_won;
  const bool ends = seen.what == kind::steal_lost || seen.what == kind::job_run ||
                    seen.what == kind::join_stalled;
  const bool may_go_on =
      doing_ == activity::working || doing_ == activity::searching || doing_ == activity::waiting;
  is_stealing_ = begins || (is_stealing_ && !ends && may_go_on);
}

// The end of a job writes no record; the worker's next record shows it. After a job that a wait
// took, the worker waits again; after others comes the next job or a search.
void follower::note_nesting(const event::entry& seen, std::vector<job>& jobs) {
  const bool changes = seen.what.what == kind::state_changed;
  if (seen.what.what == kind::job_changed) {
    note_job(seen, jobs);
  } else if (seen.what.what == kind::job_run) {
    while (in_job()) leave(seen.at_ns, jobs);
    begin({{seen.at_ns, seen.at_ns}, seen.worker, seen.what.amount, seen.what.other}, jobs);
  } else if (seen.what.what == kind::join_stalled) {
    frames_.push_back({a_wait});
  } else if (doing_ == activity::waiting) {
    const bool was_taken_in_wait =
        in_job() && frames_.size() >= 2 && frames_[frames_.size() - 2].job == a_wait;
    if (changes && was_taken_in_wait && what_ == state::working) leave(seen.at_ns, jobs);
  } else if (doing_ == activity::working) {
    if (changes && in_wait() && what_ == state::waiting) leave(seen.at_ns, jobs);
  } else if (doing_ != activity::blocked) {
    while (!frames_.empty()) leave(seen.at_ns, jobs);
  }
}

// One level deeper than before is a begin. A lower level is the end of the deeper jobs. In any
// other case records are lost.
void follower::note_job(const event::entry& seen, std::vector<job>& jobs) {
  const std::uint32_t depth = seen.what.other;
  if (depth == depth_ + 1)
    return begin({{seen.at_ns, seen.at_ns},
                  seen.worker,
                  seen.what.amount,
                  event::record::nobody,
                  false,
                  true},
                 jobs);
  while (in_job() && frames_.back().depth > depth) leave(seen.at_ns, jobs);
  const bool is_known = depth == 0 || (in_job() && frames_.back().depth == depth &&
                                       frames_.back().site == seen.what.amount);
  if (!is_known) frames_.push_back({unseen, seen.what.amount, depth});
  depth_ = depth;
}

void follower::begin(const job& begun, std::vector<job>& jobs) {
  frames_.push_back({jobs.size(), begun.site, ++depth_});
  jobs.push_back(begun);
}

void follower::leave(std::int64_t now_ns, std::vector<job>& jobs) {
  const frame left = frames_.back();
  frames_.pop_back();
  if (left.job == a_wait) return;
  depth_ = left.depth - 1;
  if (left.job == unseen) return;
  jobs[left.job].when.end_ns = now_ns;
  jobs[left.job].has_ended = true;
}

void follower::find_site() noexcept {
  const auto innermost = std::find_if(frames_.rbegin(), frames_.rend(),
                                      [](const frame& each) { return each.job != a_wait; });
  site_ = innermost == frames_.rend() ? 0 : innermost->site;
}

state follower::judge(event::activity before) const noexcept {
  if (is_stealing_) return state::stealing;
  switch (doing_) {
    case activity::working: return state::working;
    case activity::searching: return state::searching;
    case activity::waiting: return state::waiting;
    case activity::blocked:
      if (before == activity::blocked) return what_;
      return before == activity::waiting ? state::suspended : state::blocked;
    case activity::parked: return state::parked;
    case activity::away: return state::away;
  }
  return state::unknown;  // an activity that this reader does not know
}

}  // namespace filch::span
