#include <filch/span/root_session.hpp>

#include <filch/base/exceptions.hpp>
#include <filch/base/mutex.hpp>
#include <filch/base/sort_stably.hpp>
#include <filch/sched/worker/roots.hpp>
#include <filch/span/add_analyses.hpp>
#include <filch/span/site_names.hpp>
#include <filch/trace/process_files.hpp>

#include <pthread.h>

#include <functional>

namespace filch::inline v0_2::span {

/// The one watcher of roots of the process: the sessions that want them reported.
class root_watch final : public sched::root_watcher {
 public:
  static root_watch& instance();

  void add(root_session& session) {
    base::lock_guard guard{lock_};
    open_.push_back(&session);
    session.began_ = strand_analyzer::next_number();
    sched::watch_roots(this);
  }
  void remove(root_session& session) noexcept {
    base::lock_guard guard{lock_};
    std::erase(open_, &session);
    if (open_.empty()) sched::watch_roots(nullptr);
  }

  void begin_root() noexcept override {
    analysis::costs costs;
    strand_analyzer::clock ticks = nullptr;
    {
      base::lock_guard guard{lock_};
      if (open_.empty()) return;
      costs = open_.front()->costs_;
      ticks = open_.front()->ticks_;
    }
    // `end_root` finds it as this thread's observer
    FILCH_TRY { new strand_analyzer(costs, ticks); }
    // No memory: the root runs unwatched
    FILCH_CATCH_ALL {}
  }
  void end_root() noexcept override {
    if (sched::current_observer == nullptr) return;
    FILCH_TRY {
      const std::unique_ptr<strand_analyzer> mine{
          static_cast<strand_analyzer*>(sched::current_observer)};
      const analysis::result root = mine->finish();
      base::lock_guard guard{lock_};
      for (root_session* const each : open_) {
        if (each->began_ < mine->number()) each->add(root, trace::own_thread_id());
      }
    }
    FILCH_CATCH_ALL {}  // no memory: the root is missing
  }
  void submit() noexcept override {
    base::lock_guard guard{lock_};
    for (root_session* const each : open_) ++each->submitted_;
  }

 private:
  root_watch() { ::pthread_atfork(before_fork, in_parent, in_child); }
  static void before_fork() noexcept FILCH_THREAD_ANNOTATION(no_thread_safety_analysis) {
    instance().lock_.lock();
  }
  static void in_parent() noexcept FILCH_THREAD_ANNOTATION(no_thread_safety_analysis) {
    instance().lock_.unlock();
  }
  // The sessions are the parent's. The watch of a root under way stays: the thread that forked in
  // that root returns to it.
  static void in_child() noexcept FILCH_THREAD_ANNOTATION(no_thread_safety_analysis) {
    instance().open_.clear();
    instance().lock_.unlock();
  }

  base::mutex lock_;
  std::vector<root_session*> open_ FILCH_GUARDED_BY(lock_);
};

// Outside of its class: g++ has all plugins of a process share what an inline function keeps.
root_watch& root_watch::instance() {
  // Never destroyed: roots end after sessions, and threads after static objects
  static auto* const one = new root_watch;
  return *one;
}

root_session::root_session(const analysis::costs& costs, strand_analyzer::clock ticks)
    : costs_{costs}, ticks_{ticks} {
  root_watch::instance().add(*this);
}

root_session::~root_session() { root_watch::instance().remove(*this); }

void root_session::add(const analysis::result& root, std::int64_t thread) {
  add_behind(of_thread_[thread], root);
}

analysis::result root_session::end() {
  root_watch::instance().remove(*this);
  analysis::result all;
  all.costs = costs_;
  all.submitted = submitted_;
  for (const auto& [thread, found] : of_thread_) add_beside(all, found);
  base::sort_stably(all.sites, std::greater{}, &analysis::site::work_ns);
  name_sites(all.sites);
  return all;
}

}  // namespace filch::span

namespace filch::inline v0_2::trace {

// While a session lives, every root is watched, which would make forks cost more than they do.
std::unique_ptr<span_level> begin_span_level() {
  unstolen_fork_ps();
  return std::make_unique<span::root_session>();
}

}  // namespace filch::trace
