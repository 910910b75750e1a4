#include <filch/span/follower.hpp>

#include <algorithm>
#include <utility>

namespace filch::span {

using event::activity;
using event::kind;

void follower::see(const event::entry& seen, std::vector<job>& jobs) {
  const activity before = std::exchange(doing_, seen.what.doing);
  note_nesting(seen, jobs);
  find_site(jobs);
  note_steal(seen.what);
  what_ = judge(before);
}

void follower::note_steal(const event::record& seen) noexcept {
  const bool begins = seen.what == kind::steal_tried || seen.what == kind::steal_won;
  const bool ends = seen.what == kind::steal_lost || seen.what == kind::job_run || seen.what == kind::join_stalled;
  const bool may_go_on = doing_ == activity::working || doing_ == activity::searching || doing_ == activity::waiting;
  is_stealing_ = begins || (is_stealing_ && !ends && may_go_on);
}

// A job that ends writes nothing: what its worker does next tells. After a job that a wait took, the worker waits again; the others
// are followed by the next job or by a search.
void follower::note_nesting(const event::entry& seen, std::vector<job>& jobs) {
  const bool in_job = !frames_.empty() && frames_.back() != a_wait;
  const bool in_wait = !frames_.empty() && frames_.back() == a_wait;
  const bool changes = seen.what.what == kind::state_changed;
  if (seen.what.what == kind::job_run) {
    if (in_job) leave(seen.at_ns, jobs);
    frames_.push_back(jobs.size());
    jobs.push_back({{seen.at_ns, seen.at_ns}, seen.worker, seen.what.amount, seen.what.other, false});
  } else if (seen.what.what == kind::join_stalled) {
    frames_.push_back(a_wait);
  } else if (doing_ == activity::waiting) {
    const bool was_taken_in_wait = in_job && frames_.size() >= 2 && frames_[frames_.size() - 2] == a_wait;
    if (changes && was_taken_in_wait && what_ == state::working) leave(seen.at_ns, jobs);
  } else if (doing_ == activity::working) {
    if (changes && in_wait && what_ == state::waiting) leave(seen.at_ns, jobs);
  } else if (doing_ != activity::blocked) {
    while (!frames_.empty()) leave(seen.at_ns, jobs);
  }
}

void follower::leave(std::int64_t now_ns, std::vector<job>& jobs) {
  if (frames_.back() != a_wait) {
    jobs[frames_.back()].when.end_ns = now_ns;
    jobs[frames_.back()].has_ended = true;
  }
  frames_.pop_back();
}

void follower::find_site(const std::vector<job>& jobs) noexcept {
  const auto innermost = std::find_if(frames_.rbegin(), frames_.rend(), [](std::size_t frame) { return frame != a_wait; });
  site_ = innermost == frames_.rend() ? 0 : jobs[*innermost].site;
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
