#include <filch/trace/session.hpp>

#include <filch/base/atomic.hpp>
#include <filch/base/clock.hpp>
#include <filch/base/environment.hpp>
#include <filch/base/panic.hpp>
#include <filch/topo/throttling.hpp>
#include <filch/trace/file.hpp>
#include <filch/trace/options.hpp>
#include <filch/trace/process_files.hpp>
#include <filch/trace/recorder.hpp>
#include <filch/trace/span_level.hpp>

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <utility>

namespace filch::inline v0_2 {
namespace {

// Errors that are thrown name us, and so do last words.
void say(std::string_view problem) noexcept {
  constexpr std::string_view ours = "filch: ";
  if (problem.starts_with(ours)) problem.remove_prefix(ours.size());
  base::last_words(std::string{problem}.c_str());
}

}  // namespace

// Calibrate first, so that it is not recorded, unless a session lives already.
trace_session::trace_session(trace_options asked)
    : asked_{std::move(asked)},
      spans_{asked_.level == trace_level::span ? trace::begin_span_level() : nullptr} {
  const std::uint64_t fork_ps = asked_.level == trace_level::jobs ? trace::unstolen_fork_ps() : 0;
  throttled_before_ns_ = topo::throttled_ns(::getpid());  // may throw, so before the begin
  trace::recorder& all = trace::recorder::instance();
  all.begin(asked_.level, fork_ps, asked_.file);
  generation_ = all.generation();
  reused_before_ = all.reused_rings();
  const trace::process_use used = trace::own_use();
  user_before_ns_ = used.user_ns;
  kernel_before_ns_ = used.kernel_ns;
  faults_before_ = used.page_faults;
  began_ticks_ = base::ticks();
}

trace_session::~trace_session() {
  if (has_ended_) return;
  try {
    end();
  } catch (const std::exception& failure) {
    say(failure.what());
  }
}

bool trace_session::is_ours() const noexcept {
  return trace::recorder::instance().generation() == generation_;
}

event::recording trace_session::end() {
  if (std::exchange(has_ended_, true) || !is_ours()) return {};
  struct stop {
    ~stop() { trace::recorder::instance().end(level); }
    trace_level level;
  } at_the_end{asked_.level};
  const trace::process_use used = trace::own_use();  // before reading uses more
  event::recording recorded = trace::recorder::instance().read(began_ticks_);
  recorded.user_ns = used.user_ns - user_before_ns_;
  recorded.kernel_ns = used.kernel_ns - kernel_before_ns_;
  recorded.page_faults = used.page_faults - faults_before_;
  recorded.reused_rings -= reused_before_;
  const std::uint64_t throttled_ns = topo::throttled_ns(::getpid());
  // It may be less: if the process is in another group now
  recorded.throttled_ns = throttled_ns - std::min(throttled_ns, throttled_before_ns_);
  if (spans_ != nullptr) recorded.analyzed = spans_->end();
  if (!asked_.file.empty()) trace::write_file(recorded, asked_.file);
  return recorded;
}

namespace trace {
namespace {

trace_session* whole_process = nullptr;

void end_of_process() noexcept {
  try {
    whole_process->end();
  } catch (const std::exception& failure) {
    say(failure.what());
  }
}

bool begin_session() noexcept {
  const char* const asked = base::trusted_environment("FILCH_TRACE");
  if (asked == nullptr || *asked == '\0') return false;
  try {
    const trace_request request = parse_request(asked, ::getpid());
    if (!request.problem.empty()) {
      say("FILCH_TRACE=" + std::string{asked} + ": " + request.problem + "; nothing is recorded");
      return false;
    }
    const std::string& file = request.asked.file;
    if (const std::error_code problem = trace::what_prevents_writing(file)) {
      say("FILCH_TRACE: " + file + " cannot be written as yet: " + problem.message());
    }
    whole_process = new trace_session(request.asked);
    std::atexit(end_of_process);
    return true;
  } catch (const std::exception& failure) {
    say(std::string{failure.what()} + "; nothing is recorded");
  }
  return false;
}

}  // namespace

void begin_as_environment_says() noexcept {
  if constexpr (base::can_simulate) return;
  // The pools with which span level calibrates come here while the first call is under way.
  static base::atomic<::pthread_t> beginner{::pthread_t{}};
  const ::pthread_t self = ::pthread_self();
  // relaxed: only this thread writes its own id
  if (beginner.load(base::relaxed) == self) return;
  static const bool has_begun = [self] {
    beginner.store(self, base::relaxed);
    const bool begins = begin_session();
    beginner.store({}, base::relaxed);
    return begins;
  }();
  static_cast<void>(has_begun);
}

}  // namespace trace
}  // namespace filch
