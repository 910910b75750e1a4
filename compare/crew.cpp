#include <compare/crew.hpp>

#include <algorithm>

namespace filch::compare {

crew::crew(unsigned workers, std::function<void(unsigned)> work) : crew{std::move(work), workers} {
  // The delegate has finished, so the destructor joins those already started if the system refuses
  // one here.
  for (unsigned index = 0; index < workers; ++index) {
    threads_.push_back(base::start_thread(index, [this, index] { live(index); }));
  }
}

crew::crew(std::function<void(unsigned)> work, unsigned beds)
    : work_{std::move(work)}, beds_(beds) {
  threads_.reserve(beds);
}

crew::~crew() {
  dismissed_ = true;
  for (unsigned index = 0; index < threads_.size(); ++index) {
    beds_[index].unpark();
    threads_[index].join();
  }
}

void crew::live(unsigned index) {
  for (;;) {
    beds_[index].park();
    if (dismissed_) return;
    work_(index);
    if (working_.fetch_sub(1, base::acq_rel<edge::round_end>) == 1) caller_.unpark();
  }
}

void crew::round() {
  // Nobody reads it before its `unpark`
  working_.store(static_cast<unsigned>(threads_.size()), base::relaxed);
  for (base::parker& bed : beds_) bed.unpark();
  caller_.park();
}

void lobby::open() {
  const base::lock_guard lock{mutex_};
  over_ = false;
  asleep_.clear();
  // The workers learn of the round later, through their `parker`
  sleepers_.store(0, base::relaxed);
}

void lobby::lie_down(unsigned index) {
  asleep_.push_back(index);
  if (asleep_.size() < beds_.size()) return;
  over_ = true;
  asleep_.pop_back();
  for (const unsigned other : asleep_) beds_[other].unpark();
}

void lobby::wake_last() {
  const base::lock_guard lock{mutex_};
  if (!asleep_.empty()) wake_locked(asleep_.end() - 1);
}

void lobby::wake_sleeper(unsigned index) {
  const base::lock_guard lock{mutex_};
  const auto sleeper = std::ranges::find(asleep_, index);
  if (sleeper != asleep_.end()) wake_locked(sleeper);
}

void lobby::wake_locked(std::vector<unsigned>::iterator sleeper) {
  const unsigned index = *sleeper;
  asleep_.erase(sleeper);
  // Lower than the pusher saw if another pusher has woken the sleeper
  sleepers_.store(asleep_.size(), base::relaxed);
  beds_[index].unpark();
}

bool lobby::is_over() {
  const base::lock_guard lock{mutex_};
  return over_;
}

}  // namespace filch::compare
