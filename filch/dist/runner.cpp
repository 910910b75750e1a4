#include <filch/dist/runner.hpp>

#include <filch/base/clock.hpp>

#include <algorithm>
#include <utility>
#include <variant>

namespace filch::inline v0_2::dist {

namespace {

/// How long an idle rank sleeps between two looks at the messages, by the time for which none has
/// come: an eighth of that. So an answer is found within a ninth of its delay. A look and a timed
/// sleep cost 5 to 30 us, which the longest sleep makes less than 1 % of a processor.
constexpr std::uint64_t idle_sleep_ns(std::uint64_t quiet_ns) noexcept {
  constexpr std::uint64_t shortest = 20'000, longest = 5'000'000;
  return (std::clamp)(quiet_ns / 8, shortest, longest);
}

/// Messages that one look takes at most, so that a worker gets back to its bag.
constexpr int most_messages = 64;

std::string words_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& problem) {
    return problem.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

}  // namespace

// ------------------------------------------------------------------------------------------------
// the source

void message_source::begin(std::shared_ptr<runner> now) {
  {
    base::lock_guard guard{lock_};
    runs_ = std::move(now);
  }
  sleeper_.unpark();
}

void message_source::end() noexcept {
  base::lock_guard guard{lock_};
  runs_.reset();
}

std::shared_ptr<runner> message_source::current() noexcept {
  base::lock_guard guard{lock_};
  return runs_;
}

bool message_source::poll(look) noexcept {
  const std::shared_ptr<runner> now = current();
  return now && now->try_progress();
}

bool message_source::wait_for(std::uint64_t nanoseconds) noexcept {
  const std::uint64_t until =
      nanoseconds == no_deadline ? no_deadline : base::now_ns() + nanoseconds;
  std::uint64_t came_ns = base::now_ns();
  // Relaxed: the parker's token brings it
  while (!is_interrupted_.exchange(false, base::relaxed)) {
    const std::uint64_t at_ns = base::now_ns();
    if (at_ns >= until) return false;
    std::uint64_t sleep_ns = until - at_ns;
    if (const std::shared_ptr<runner> now = current()) {
      if (now->try_progress()) came_ns = at_ns;
      sleep_ns = (std::min)(sleep_ns, idle_sleep_ns(at_ns - came_ns));
    }
    static_cast<void>(sleeper_.park_for(sleep_ns));
  }
  return false;
}

void message_source::interrupt() noexcept {
  is_interrupted_.store(true, base::relaxed);  // relaxed: the parker's token brings it
  sleeper_.unpark();
}

// ------------------------------------------------------------------------------------------------
// the run

runner::runner(transport& wires, thread_pool& pool, const parameters& how)
    : wires_{wires},
      pool_{pool},
      machine_{how.protocol, wires.rank(), wires.size()},
      links_{how.identity, wires.rank(), wires.size()},
      random_{how.seed + static_cast<std::uint64_t>(wires.rank())},
      checkpoints_{how.checkpoints},
      checkpoint_every_ns_{how.checkpoint_every_ns},
      checkpoint_number_{how.last_checkpoint},
      checkpoint_at_ns_{base::now_ns() + how.checkpoint_every_ns} {}

void runner::run(message_source& source) {
  const std::uint64_t begin_ns = base::now_ns();
  {
    // The source finds the machine only after its begin
    base::lock_guard guard{comm_};
    source.begin(shared_from_this());
    machine_.begin(begin_local(), *this);
    wake_if_over();
  }
  blocking([this] { caller_.park(); });
  source.end();
  base::lock_guard guard{comm_};
  const protocol_counts& counts = machine_.counts();
  report_.steals = counts.work_received;
  report_.shares_given = counts.work_sent;
  report_.requests = counts.requests_sent;
  report_.messages = counts.messages_sent;
  report_.waves = counts.waves;
  report_.wall_ns = base::now_ns() - begin_ns;
  if (machine_.has_ended()) {
    if (checkpoints_ && machine_.rank() == 0) checkpoints_->remove();
    return wires_.finish_sends();
  }
  // Moved, as the last job may drop this run while the caller reads the exception
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  throw run_failed("filch: the run has failed: " + machine_.failure());
}

bool runner::try_progress() noexcept {
  if (!comm_.try_lock()) return false;
  const bool found = progress();
  comm_.unlock();
  return found;
}

bool runner::progress() noexcept {
  bool found = false;
  try {
    for (int left = most_messages; left > 0 && !machine_.is_over(); --left) {
      const std::optional<transport::letter> come = wires_.receive();
      if (!come) break;
      found = true;
      take(*come);
    }
    if (machine_.owes_work() && machine_.is_stealing() && has_work())
      machine_.on_local_work(true, *this);
    const std::uint64_t now_ns = base::now_ns();
    if (checkpoints_ && machine_.rank() == 0 && now_ns >= checkpoint_at_ns_) {
      checkpoint_at_ns_ = now_ns + checkpoint_every_ns_;
      machine_.begin_checkpoint(*this);
    }
    machine_.on_tick(now_ns, *this);
  } catch (...) {
    fail_by_exception();
  }
  wake_if_over();
  return found;
}

void runner::take(const transport::letter& come) {
  const arrival what = links_.decode(come.from, come.bytes);
  if (const auto* const said = std::get_if<message>(&what)) {
    machine_.on_message(come.from, *said, *this);
  } else if (const auto* const problem = std::get_if<broken>(&what)) {
    machine_.fail(problem->reason, *this);
  }
}

void runner::job_ended() noexcept {
  base::lock_guard guard{comm_};
  try {
    save_if_halted();
    machine_.on_local_work(has_work(), *this);
  } catch (...) {
    fail_by_exception();
  }
  wake_if_over();
}

void runner::fail_by_exception() noexcept {
  halts_.store(true, base::relaxed);  // a hint for jobs
  if (!thrown_) thrown_ = std::current_exception();
  machine_.fail("rank " + std::to_string(machine_.rank()) + ": " + words_of(thrown_), *this);
}

void runner::wake_if_over() noexcept {
  if (!machine_.is_over()) return;
  halts_.store(true, base::relaxed);  // a hint for jobs, which then come here
  if (has_running_jobs() || std::exchange(is_woken_, true)) return;
  caller_.unpark();
}

void runner::send(int to, message what) { wires_.send(to, links_.encode(to, what)); }
std::uint64_t runner::random() { return random_(); }

// ------------------------------------------------------------------------------------------------
// checkpoints

void runner::begin_save() {
  is_saving_ = true;
  halts_.store(true, base::relaxed);  // a hint for jobs, which then come to `job_ended`
  save_if_halted();
}

/// Under `comm_`. Work goes on as soon as its bytes are taken: no other rank gets any of it before
/// all have written.
void runner::save_if_halted() {
  if (!is_saving_ || machine_.is_over() || has_running_jobs()) return;
  is_saving_ = false;
  const checkpoint_part taken = snapshot();
  halts_.store(false, base::relaxed);  // the same hint
  restart();
  checkpoints_->write_part(++checkpoint_number_, static_cast<std::uint64_t>(machine_.rank()),
                           taken);
  ++report_.checkpoints;
  machine_.on_saved(*this);
}

void runner::all_saved() {
  checkpoints_->write_manifest({checkpoint_number_, static_cast<std::uint64_t>(machine_.size())});
  checkpoints_->remove_all_but(checkpoint_number_);
}

}  // namespace filch::dist
