#include <filch/testing/machine/virtual_machine.hpp>

#include <filch/base/exceptions.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace filch::inline v0_2::testing {

using base::effect;

namespace {

constexpr picoseconds never = std::numeric_limits<picoseconds>::max();
/// How far a core may be ahead of the others; not at all at a line that moved between cores a
/// moment ago.
constexpr picoseconds slack = 500'000;
constexpr picoseconds moment = 2'000'000;

picoseconds later(picoseconds from, std::uint64_t nanoseconds) noexcept {
  return nanoseconds >= (never - from) / 1000 ? never : from + nanoseconds * 1000;
}

}  // namespace

struct virtual_machine::thread final : base::simulation::sim_thread {
  std::string name;
  unsigned number = 0;
  host_thread* host = nullptr;
  void (*run)(void* self) = nullptr;
  void* self = nullptr;
  virtual_machine* home = nullptr;
  core* on = nullptr;             ///< Where it runs, or ran last.
  const void* address = nullptr;  ///< Where it sleeps.
  picoseconds deadline = never;   ///< While it sleeps.
  bool sleeps = false;
  bool timed_out = false;
  bool is_over = false;
  const base::waiting_for* why = nullptr;
};

machine_times machine_times::operator-(const machine_times& begin) const noexcept {
  return {length - begin.length, running - begin.running, spent - begin.spent,
          waited - begin.waited, paused - begin.paused,   accesses - begin.accesses};
}

virtual_machine::virtual_machine(host_threads& threads, const machine& of, unsigned workers,
                                 std::uint64_t run_seed)
    : host_threads_{threads}, machine_{of}, caches_{of}, cores_(of.cores()) {
  seed = run_seed;
  cpu_count = workers;
  for (unsigned i = 0; i < cores_.size(); ++i) cores_[i].number = i;
}

virtual_machine::~virtual_machine() = default;

void virtual_machine::run(const std::function<void()>& body) {
  thread& first = add_thread(
      "body", [](void* self) { (*static_cast<const std::function<void()>*>(self))(); },
      const_cast<void*>(static_cast<const void*>(&body)));
  put_on(cores_[0], first, 0);
  next_turn();
  host_threads_.begin(*first.host);
  finished_.park();
}

machine_times virtual_machine::times() noexcept {
  machine_times all = so_far_;
  all.length = now_->clock;
  for (const core& each : cores_)
    all.running += each.running + (each.runs != nullptr ? each.clock - each.since : 0);
  return all;
}

// -------------------------------------------------------------------------------------------------
// accesses
void virtual_machine::decide(base::access made, base::place where) noexcept {
  core& here = *now_;
  here.clock += to_picoseconds(machine_.access);
  ++so_far_.accesses;
  if (made.does == effect::interrupts) return interrupt_others();
  if (made.word == nullptr) return;
  line& to = in_order(made.word);
  const bool is_private = coherence::is_private(to, here.number, made.does, here.clock);
  const picoseconds done = caches_.access(to, here.number, made.does, here.clock);
  is_private ? void(here.clock = done) : wait_for(to, done, made.what, where);
}

/// This core has the line only then.
void virtual_machine::wait_for(line& to, picoseconds until, const char* what, base::place where) {
  const picoseconds waited = until - now_->clock;
  if (waited == 0) return;
  now_->clock = until;
  so_far_.waited += waited;
  coherence::note_wait(to, where, what, waited);
}

/// Returns the line of `word` when it is this core's turn to access it.
line& virtual_machine::in_order(const void* word) {
  line* to = &caches_.at(word);
  if (now_->clock <= limit_) return *to;
  const bool has_moved = to->moved_at != 0 && now_->clock < to->moved_at + moment;
  if (has_moved || now_->clock - limit_ > slack) hand_over();
  return *to;
}

void virtual_machine::touch(const void* data, std::size_t bytes, effect does,
                            base::place where) noexcept {
  const auto* const begin = static_cast<const char*>(data);
  const auto* const end = begin + bytes;
  const bool is_long = bytes > 2 * line_bytes;
  for (const char* at = begin; at < end;
       at += line_bytes - reinterpret_cast<std::uintptr_t>(at) % line_bytes) {
    line& to = in_order(at);
    const core& here = *now_;
    ++so_far_.accesses;
    wait_for(to,
             is_long ? caches_.walk(to, here.number, does, here.clock)
                     : caches_.access(to, here.number, does, here.clock),
             does == effect::reads ? "reads" : "writes", where);
  }
}

void virtual_machine::interrupt_others() noexcept {
  picoseconds cost = to_picoseconds(machine_.heavy_fence);
  for (core& each : cores_) {
    if (each.runs == nullptr || &each == now_) continue;
    each.owes += to_picoseconds(machine_.interrupt);
    cost += to_picoseconds(machine_.heavy_fence_core);
  }
  now_->clock += cost;
}

void virtual_machine::spend(std::uint64_t nanoseconds) noexcept {
  constexpr picoseconds most = 100'000'000;  // so that a slice can end
  picoseconds left = nanoseconds * 1000;
  so_far_.spent += left;
  while (left != 0) {
    const picoseconds part = std::min(left, most);
    left -= part;
    now_->clock += part;
    if (now_->clock > limit_ + slack) hand_over();
  }
}

void virtual_machine::pause() noexcept {
  const picoseconds length = to_picoseconds(machine_.pause);
  so_far_.paused += length;
  now_->clock += length;
  if (now_->clock > limit_) hand_over();
}

std::uint64_t virtual_machine::now_ns() noexcept {
  now_->clock += to_picoseconds(machine_.clock);
  return 1'000'000'000 + now_->clock / 1000;
}

// -------------------------------------------------------------------------------------------------
// threads
virtual_machine::thread& virtual_machine::add_thread(std::string name, void (*entry)(void*),
                                                     void* self) {
  auto made = std::make_unique<thread>();
  made->name = std::move(name);
  made->number = static_cast<unsigned>(threads_.size());
  made->run = entry;
  made->self = self;
  made->home = this;
  made->host = &host_threads_.take(&run_thread, made.get());
  made->on = &cores_[made->number % cores_.size()];
  ++alive_;
  return *threads_.emplace_back(std::move(made));
}

void virtual_machine::run_thread(void* self) {
  thread& me = *static_cast<thread*>(self);
  virtual_machine* const home = me.home;
  base::simulated = home;
  FILCH_TRY { me.run(me.self); }
  FILCH_CATCH_ALL { home->fail("an exception left the body"); }
  base::simulated = nullptr;
  home->end(me);
}

base::simulation::sim_thread* virtual_machine::start(const char* role, unsigned number,
                                                     void (*entry)(void*), void* self) {
  thread* made = nullptr;
  {
    const host_scope here;
    made = &add_thread(std::string(role) + " " + std::to_string(number), entry, self);
  }
  const picoseconds cost = to_picoseconds(machine_.start_thread);
  now_->clock += cost;
  make_ready(*made, now_->clock + cost, false);
  return made;
}

void virtual_machine::join(sim_thread& ending) noexcept {
  auto& awaited = static_cast<thread&>(ending);
  const base::waiting_for why{"the end of thread", [&] { return awaited.number; }};
  while (!awaited.is_over) wait(&awaited, no_deadline);
}

const base::waiting_for* virtual_machine::explain(const base::waiting_for* why) noexcept {
  return std::exchange(now_->runs->why, why);
}

void virtual_machine::end(thread& over) noexcept {
  over.is_over = true;
  --alive_;
  host_thread& last = *over.host;
  host_threads_.put_back(last);
  while (sleepers_.contains(&over)) make_ready(*sleepers_.at(&over).front(), now_->clock, false);
  leave_core();
  host_threads& all = host_threads_;
  if (!next_turn()) {
    if (alive_ != 0) failure_ = who_waits();
    finished_.unpark();  // `run` may return now
    return all.end(last, false);
  }
  all.hand_over(last, *now_->runs->host, false);
}

bool virtual_machine::wait(const void* address, std::uint64_t nanoseconds) noexcept {
  thread& me = *now_->runs;
  now_->clock += to_picoseconds(machine_.sleep);
  me.sleeps = true;
  me.timed_out = false;
  me.address = address;
  if (address != nullptr) sleepers_[address].push_back(&me);
  me.deadline = nanoseconds == no_deadline
                    ? never
                    : later(now_->clock + to_picoseconds(machine_.timer_latency), nanoseconds);
  if (me.deadline != never) alarms_.insert({me.deadline, me.number});
  leave_core();
  if (!next_turn()) stop_here(me, who_waits());
  if (now_->runs != &me) {
    const host_scope here;
    host_threads_.hand_over(*me.host, *now_->runs->host, true);
  }
  return !me.timed_out;
}

void virtual_machine::wake_one(const void* address) noexcept {
  now_->clock += to_picoseconds(machine_.wake);
  const auto found = sleepers_.find(address);
  if (found == sleepers_.end()) return;
  make_ready(*found->second.front(), now_->clock + to_picoseconds(machine_.wake_latency), false);
}

void virtual_machine::make_ready(thread& woken, picoseconds at, bool timed_out) {
  if (woken.address != nullptr) {
    const auto found = sleepers_.find(woken.address);
    std::erase(found->second, &woken);
    if (found->second.empty()) sleepers_.erase(found);
  }
  if (woken.deadline != never) alarms_.erase({woken.deadline, woken.number});
  woken.sleeps = false;
  woken.timed_out = timed_out;
  woken.address = nullptr;
  woken.deadline = never;
  core& on = core_for(woken);
  if (on.runs == nullptr) {
    put_on(on, woken, at);
  } else {
    if (on.queued.empty()) on.slice_end = on.clock + to_picoseconds(machine_.time_slice);
    on.queued.push_back(&woken);
  }
  limit_ = std::min(limit_, at);
}

// -------------------------------------------------------------------------------------------------
// cores
/// Its last core if that is idle, else the next idle one, else its last one.
virtual_machine::core& virtual_machine::core_for(const thread& woken) {
  const auto count = static_cast<unsigned>(cores_.size());
  for (unsigned i = 0; i < count; ++i) {
    core& each = cores_[(woken.on->number + i) % count];
    if (each.runs == nullptr) return each;
  }
  return *woken.on;
}

void virtual_machine::put_on(core& on, thread& next, picoseconds at) {
  on.clock = std::max(on.clock, at);
  on.since = on.clock;
  on.slice_end = on.clock + to_picoseconds(machine_.time_slice);
  on.owes = 0;
  on.runs = &next;
  next.on = &on;
  turns_.push({on.clock, on.number});
}

/// One of its own, or one of the core with the most.
virtual_machine::thread* virtual_machine::take_queued(core& idle) {
  core* from = &idle;
  if (idle.queued.empty())
    from =
        &*std::ranges::max_element(cores_, {}, [](const core& each) { return each.queued.size(); });
  if (from->queued.empty()) return nullptr;
  thread* const taken = from->queued.front();
  from->queued.pop_front();
  return taken;
}

/// The thread of this core sleeps or has ended.
void virtual_machine::leave_core() {
  core& here = *now_;
  here.running += here.clock - here.since;
  here.runs = nullptr;
  if (thread* const next = take_queued(here))
    put_on(here, *next, here.clock + to_picoseconds(machine_.context_switch));
}

void virtual_machine::preempt_if_due(core& on) {
  if (on.queued.empty() || on.clock < on.slice_end) return;
  on.queued.push_back(on.runs);
  thread* const next = on.queued.front();
  on.queued.pop_front();
  on.running += on.clock - on.since;
  put_on(on, *next, on.clock + to_picoseconds(machine_.context_switch));
}

/// This core lets those go on that are behind it. Returns when its thread goes on.
void virtual_machine::hand_over() noexcept {
  thread& me = *now_->runs;
  core& here = *now_;
  preempt_if_due(here);
  if (here.runs == &me) turns_.push({here.clock, here.number});
  next_turn();
  if (now_->runs == &me) return;
  const host_scope real;
  host_threads_.hand_over(*me.host, *now_->runs->host, true);
}

/// Chooses the core that goes on. False: no thread can.
bool virtual_machine::next_turn() {
  for (;;) {
    const picoseconds core_time = turns_.empty() ? never : turns_.top().clock;
    if (!alarms_.empty() && alarms_.begin()->at <= core_time) {
      const alarm rings = *alarms_.begin();
      make_ready(*threads_[rings.number], rings.at, true);
      continue;
    }
    if (core_time == never) return false;
    core& next = cores_[turns_.top().number];
    turns_.pop();
    if (next.owes != 0) {
      next.clock += std::exchange(next.owes, 0);
      turns_.push({next.clock, next.number});
      continue;
    }
    now_ = &next;
    limit_ = std::min(turns_.empty() ? never : turns_.top().clock,
                      alarms_.empty() ? never : alarms_.begin()->at);
    return true;
  }
}

// -------------------------------------------------------------------------------------------------
// failures
std::string virtual_machine::who_waits() const {
  std::string all = "deadlock: no thread can go on\n";
  for (const auto& each : threads_) {
    if (each->is_over) continue;
    all += "  " + each->name + " waits for " +
           (each->why == nullptr ? "something" : each->why->what) + "\n";
  }
  return all;
}

/// The thread stays where it is.
void virtual_machine::stop_here(thread& me, std::string failure) noexcept {
  const host_scope real;
  failure_ = std::move(failure);
  finished_.unpark();
  for (;;) host_threads_.end(*me.host, true);
}

void virtual_machine::fail(const char* message) noexcept { stop_here(*now_->runs, message); }

}  // namespace filch::testing
