#include <filch/testing/session.hpp>

#include <filch/base/exceptions.hpp>
#include <filch/base/panic.hpp>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace filch::inline v0_2::base {

constinit thread_local simulation* simulated = nullptr;

}  // namespace filch::base

namespace filch::inline v0_2::testing {

const base::place no_place{"", nullptr, 0};

namespace {

constexpr std::uint32_t longest_slice = 50'000;  // so that the limit of steps is checked
constexpr std::uint64_t pause_steps = 20;        // the length of a pause on the clock
constexpr std::uint64_t clock_begin_ns = 1'000'000'000;
constexpr std::uint32_t spurious_wakes = 64;  // one in so many waits
constexpr std::uint32_t early_alarms = 128;   // one in so many preemptions: the clock jumps

std::string message_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& known) {
    return known.what();
  } catch (...) {
    return "not a std::exception";
  }
}

}  // namespace

session::session(host_threads& threads, const options& wanted, std::uint64_t run_seed)
    : host_threads_{threads},
      options_{wanted},
      random_{run_seed ^ 0x66696c6368u},  // other draws than the chooser's
      chooser_{make_chooser(wanted.who_goes_on, run_seed, wanted.depth)} {
  seed = run_seed;
  constexpr std::uint64_t rates[] = {50, 300, 2000};
  step_ns_ = rates[base::below(random_(), 3)];
  cpu_count = wanted.workers;
  explores = true;
  steals_everything = settle(wanted.who_goes_on, seed) == strategy::steal_everything;
}

session::~session() = default;

void session::run(const std::function<void()>& body) {
  session_thread& first = add_thread(
      "body", [](void* self) { (*static_cast<const std::function<void()>*>(self))(); },
      const_cast<void*>(static_cast<const void*>(&body)));
  running_ = &first;
  slice_left_ = chooser_->time_slice();
  arm();
  host_threads_.begin(*first.host);
  constexpr std::uint64_t patience_ns = 10'000'000'000;
  for (std::uint64_t seen = ~std::uint64_t{0}; !finished_.park_for(patience_ns);) {
    // Relaxed: a guess
    if (std::exchange(seen, beats_.load(base::relaxed)) != beats_.load(base::relaxed)) continue;
    base::last_words(
        "testing: nothing has moved for ten seconds; does a thread wait for something that is not "
        "simulated, like a std::mutex?");
  }
}

std::vector<std::string> session::names() const {
  std::vector<std::string> all;
  for (const auto& each : threads_) all.push_back(each->name);
  return all;
}

std::string session::text() const {
  return "schedule of seed " + std::to_string(seed) + ", " +
         std::string(name_of(settle(options_.who_goes_on, seed))) + ", " +
         std::to_string(threads_.size()) + " threads, " + std::to_string(steps_) + " steps, " +
         std::to_string(switches_) + " switches\n" + schedule_.text(names(), options_.most_lines);
}

// -------------------------------------------------------------------------------------------------
// threads
session_thread& session::add_thread(std::string name, void (*entry)(void*), void* self) {
  const auto is_taken = [&](const std::string& wanted) {
    return std::ranges::any_of(threads_, [&](const auto& each) { return each->name == wanted; });
  };
  std::string unique = name;
  for (unsigned i = 2; is_taken(unique); ++i) unique = name + "#" + std::to_string(i);
  auto made = std::make_unique<session_thread>();
  made->name = std::move(unique);
  made->number = static_cast<unsigned>(threads_.size());
  made->run = entry;
  made->self = self;
  made->home = this;
  made->host = &host_threads_.take(&run_thread, made.get());
  ++alive_;
  return *threads_.emplace_back(std::move(made));
}

void session::run_thread(void* self) {
  session_thread& me = *static_cast<session_thread*>(self);
  auto* const home = static_cast<session*>(me.home);
  base::simulated = home;
  FILCH_TRY { me.run(me.self); }
  FILCH_CATCH_ALL {
    const host_scope here;
    home->fail(("an exception escaped: " + message_of(std::current_exception())).c_str());
  }
  base::simulated = nullptr;
  home->end(me);
}

base::simulation::sim_thread* session::start(const char* role, unsigned number,
                                             void (*entry)(void*), void* self) {
  session_thread* made = nullptr;
  {
    const host_scope here;
    const bool is_worker = number != base::waiting_for::nobody;
    if (is_worker && options_.refused_threads != 0 &&
        base::below(random_(), options_.refused_threads) == 0)
      return nullptr;
    std::string name = role;
    if (is_worker) name += " " + std::to_string(number);
    made = &add_thread(std::move(name), entry, self);
    schedule_.noted(steps_, running_->number, "starts", role);
  }
  step({"goes on after a start"}, no_place);
  return made;
}

void session::join(sim_thread& thread) noexcept {
  const auto& ending = static_cast<session_thread&>(thread);
  const base::waiting_for why{"the end of thread", [&] { return ending.number; }};
  while (ending.now != session_thread::state::over) wait(&ending, no_deadline);
}

// Not simulated any more. Its last access is to the `wake_token` of the next thread.
void session::end(session_thread& over) noexcept {
  over.now = session_thread::state::over;
  --alive_;
  wake_all(&over);
  if (over.number == 0) body_is_over_ = true;
  host_threads_.put_back(*over.host);
  if (alive_ == 0) {
    settle_steps();
    host_thread& last = *over.host;
    host_threads& all = host_threads_;
    finished_.unpark();  // `run` may return now
    all.end(last, false);
  } else {
    hand_over(cause::waits, nullptr, no_place);
  }
}

// -------------------------------------------------------------------------------------------------
// turns
void session::decide(base::access made, base::place where) noexcept {
  const host_scope here;
  hand_over(slice_left_ <= armed_ ? cause::preempted : cause::looks, made.what, where);
}

void session::pause() noexcept {
  const host_scope here;
  settle_steps();
  skipped_ns_ += pause_steps * step_ns_;
  hand_over(cause::pauses, "goes on in a loop", no_place);
}

void session::step_aside() noexcept {
  const host_scope here;
  hand_over(cause::aside, "goes on after a fork", no_place);
}

bool session::wait(const void* address, std::uint64_t nanoseconds) noexcept {
  const host_scope here;
  if (address != nullptr && base::below(random_(), spurious_wakes) == 0) return true;
  settle_steps();
  session_thread& me = *running_;
  me.now = session_thread::state::waits;
  me.address = address;
  const std::uint64_t now = clock_begin_ns + steps_ * step_ns_ + skipped_ns_;
  me.deadline_ns = nanoseconds > no_deadline - now ? no_deadline : now + nanoseconds;
  hand_over(cause::waits, nullptr, no_place);
  return !me.timed_out;
}

void session::wake_one(const void* address) noexcept {
  const host_scope here;
  session_thread* woken = nullptr;
  std::uint32_t seen = 0;
  for (const auto& each : threads_) {
    const bool sleeps_there = each->now == session_thread::state::waits && each->address == address;
    if (sleeps_there && base::below(random_(), ++seen) == 0) woken = each.get();
  }
  if (woken != nullptr) make_ready(*woken, false);
}

void session::wake_all(const void* address) noexcept {
  for (const auto& each : threads_) {
    if (each->now == session_thread::state::waits && each->address == address)
      make_ready(*each, false);
  }
}

void session::make_ready(session_thread& woken, bool timed_out) noexcept {
  woken.now = session_thread::state::ready;
  woken.timed_out = timed_out;
  woken.address = nullptr;
  woken.deadline_ns = no_deadline;
  if (!chooser_->looks_at_wakes() || steps_left_ <= 1) return;
  settle_steps();
  steps_left_ = armed_ = 1;
}

void session::settle_steps() noexcept {
  const std::uint32_t done = armed_ - steps_left_;
  steps_ += done;
  slice_left_ -= std::min(done, slice_left_);
  armed_ = steps_left_;
}

void session::arm() noexcept {
  std::uint64_t length = std::min(std::max(slice_left_, 1u), longest_slice);
  if (const std::uint64_t alarm = next_alarm_ns(); alarm != no_deadline) {
    const std::uint64_t now = clock_begin_ns + steps_ * step_ns_ + skipped_ns_;
    length = std::min(length, alarm <= now ? 1 : (alarm - now) / step_ns_ + 1);
  }
  steps_left_ = armed_ = static_cast<std::uint32_t>(length);
}

void session::hand_over(cause why, const char* what, base::place where) noexcept {
  settle_steps();
  // So that a loop that only sleeps reaches the limit, too
  ++steps_;
  beats_.store(steps_ + switches_, base::relaxed);  // relaxed: a sign of life
  session_thread& me = *running_;
  session_thread& next = next_after(why);
  arm();
  if (&next == &me) return;
  ++switches_;
  if (me.now == session_thread::state::over) {
    schedule_.noted(steps_, me.number, "ends", "");
  } else if (what == nullptr) {  // it sleeps, or would if its time had not come meanwhile
    schedule_.slept(steps_, me.number, me.why);
  } else {
    schedule_.stopped(steps_, me.number, what, where);
  }
  running_ = &next;
  host_threads_.hand_over(*me.host, *next.host, me.now != session_thread::state::over);
}

session_thread& session::next_after(cause why) {
  if (steps_ > options_.most_steps) stop_if_possible();
  if (why == cause::preempted) {
    slice_left_ = chooser_->time_slice();
    const std::uint64_t alarm = next_alarm_ns();
    if (alarm != no_deadline && base::below(random_(), early_alarms) == 0)
      skipped_ns_ += std::max(alarm, now_ns()) - now_ns();
  }
  for (;;) {
    ring_alarms();
    ready_.clear();
    for (const auto& each : threads_) {
      if (each->now == session_thread::state::ready) ready_.push_back(each->number);
    }
    if (!ready_.empty()) break;
    const std::uint64_t alarm = next_alarm_ns();
    if (alarm == no_deadline) {
      if (body_is_over_) freeze();
      stop_here("deadlock: nobody can go on\n" + who_waits());
    }
    skipped_ns_ += std::max(alarm, now_ns()) - now_ns();
  }
  return *threads_[chooser_->choose(ready_, running_->number, why)];
}

// -------------------------------------------------------------------------------------------------
// clock
std::uint64_t session::now_ns() noexcept {
  return clock_begin_ns + (steps_ + (armed_ - steps_left_)) * step_ns_ + skipped_ns_;
}

std::uint64_t session::next_alarm_ns() const noexcept {
  std::uint64_t first = no_deadline;
  for (const auto& each : threads_) {
    if (each->now == session_thread::state::waits) first = std::min(first, each->deadline_ns);
  }
  return first;
}

void session::ring_alarms() noexcept {
  const std::uint64_t now = now_ns();
  for (const auto& each : threads_) {
    if (each->now == session_thread::state::waits && each->deadline_ns <= now)
      make_ready(*each, true);
  }
}

// -------------------------------------------------------------------------------------------------
// reports
void session::note(const char* name, const char* what) noexcept {
  constexpr std::uint32_t weight = 16;
  step({what}, {name, nullptr, 0}, weight);
  const host_scope here;
  settle_steps();
  schedule_.noted(steps_, running_->number, what, name);
}

void session::locked(const void* lock) noexcept {
  const host_scope here;  // a test that refuses memory to simulated threads must not refuse it here
  running_->locks.push_back(lock);
}
void session::unlocked(const void* lock) noexcept { std::erase(running_->locks, lock); }
const base::waiting_for* session::explain(const base::waiting_for* why) noexcept {
  return std::exchange(running_->why, why);
}

const session_thread* session::holder_of(const void* lock) const noexcept {
  for (const auto& each : threads_) {
    if (std::ranges::find(each->locks, lock) != each->locks.end()) return each.get();
  }
  return nullptr;
}

std::string session::words_of(const session_thread& waits,
                              const std::vector<std::string>& threads) {
  if (waits.why != nullptr && waits.why->thing != nullptr)
    return tasks_.words({waits.why->what, waits.why->thing}, threads);
  const session_thread* const holder =
      waits.address == nullptr ? nullptr : holder_of(waits.address);
  if (holder == nullptr) return testing::words_of(waits.why);
  return (waits.why == nullptr ? "a lock" : testing::words_of(waits.why)) + ", held by " +
         holder->name;
}

std::string session::who_waits() {
  const std::vector<std::string> threads = names();
  std::string all;
  for (const auto& each : threads_) {
    if (each->now == session_thread::state::over) continue;
    all += "  " + each->name +
           (each->now == session_thread::state::ready ? " runs"
                                                      : " waits for " + words_of(*each, threads)) +
           "\n";
  }
  return all + tasks_.text(threads);
}

// While a thread holds a lock, the run gets as many steps again: later runs need the locks of the
// process.
void session::stop_if_possible() noexcept {
  const bool somebody_holds_a_lock =
      std::ranges::any_of(threads_, [](const auto& each) { return !each->locks.empty(); });
  if (somebody_holds_a_lock && steps_ < 2 * options_.most_steps) return;
  stop_here("no end after " + std::to_string(options_.most_steps) + " steps\n" + who_waits());
}

void session::stop_here(std::string failure) noexcept {
  settle_steps();
  failure_ = std::move(failure);
  freeze();
}

// Everything stays as it is: no other thread has the turn, and this one never gets another token.
void session::freeze() noexcept {
  host_thread& mine = *running_->host;
  finished_.unpark();
  for (;;) host_threads_.end(mine, true);
}

void session::fail(const char* message) noexcept {
  const host_scope here;
  stop_here(std::string(message) + "\n  in " + running_->name + "\n");
}

void session::lose(const std::exception_ptr& lost) noexcept {
  if (!options_.drops_are_failures) return;
  const host_scope here;
  fail(("an exception that nobody will see: " + message_of(lost)).c_str());
}

void session::last_words() noexcept {
  const host_scope here;
  settle_steps();
  std::fprintf(stderr, "filch: testing: this was %s\n", text().c_str());
}

}  // namespace filch::testing
