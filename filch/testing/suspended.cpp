#include <filch/testing/suspended.hpp>

#include <filch/base/simulated_tasks.hpp>
#include <filch/testing/schedule.hpp>
#include <filch/testing/session.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace filch::inline v0_2::testing {
namespace {

constexpr std::size_t most_lines = 100;  // of tasks
constexpr std::size_t most_names = 8;    // of those that one waits for

std::string named(unsigned number, std::string_view name) {
  return "task " + std::to_string(number) + " " + std::string(name);
}

/// Without template arguments, which only some compilers give.
std::string_view short_name(std::string_view function) noexcept {
  return function.starts_with("operator") ? function : function.substr(0, function.find('<'));
}

/// "a, b and 3 more", `head` before them; nothing for none.
std::string joined(const char* head, const std::vector<std::string>& names) {
  std::string all;
  for (std::size_t i = 0; i < std::min(names.size(), most_names); ++i)
    all += (i == 0 ? head : ", ") + names[i];
  if (names.size() > most_names)
    all += " and " + std::to_string(names.size() - most_names) + " more";
  return all;
}

}  // namespace

// -------------------------------------------------------------------------------------------------
// what is told
suspended::task* suspended::find(const void* frame) noexcept {
  const auto found = tasks_.find(frame);
  return found == tasks_.end() ? nullptr : &found->second;
}

void suspended::made(const void* frame, base::place where) {
  tasks_.insert_or_assign(
      frame, task{.number = ++made_, .name = short_name(where.function), .where = no_place});
}

void suspended::runs(const void* frame, unsigned thread) noexcept {
  if (task* const of = find(frame)) {
    of->now = state::runs;
    of->thread = thread;
  }
}

// The awaited thing may be of another library, which reports nothing to us.
void suspended::left(const void* frame, unsigned thread) noexcept {
  task* const of = find(frame);
  if (of != nullptr && of->now == state::runs && of->thread == thread)
    waits(frame, {"something"}, &no_place);
}

void suspended::waits(const void* frame, base::awaited why, const base::place* where) noexcept {
  if (task* const of = find(frame)) {
    of->now = state::waits;
    of->why = why;
    if (where != nullptr) of->where = *where;
  }
}

void suspended::is_part_of(const void* frame, const void* whole) noexcept {
  if (task* const of = find(frame)) of->whole = whole;
}

void suspended::ended(const void* frame) noexcept {
  if (task* const of = find(frame)) of->now = state::ended;
}

void suspended::is_held(const void* guard, const void* lock, const void* frame, unsigned thread) {
  const task* const by = find(frame);
  guards_.insert_or_assign(guard, by == nullptr ? holder{lock, thread, 0, ""}
                                                : holder{lock, thread, by->number, by->name});
}

// -------------------------------------------------------------------------------------------------
// reports
unsigned suspended::number_of(const void* thing) {
  const auto found = std::ranges::find(mentioned_, thing);
  const auto number = static_cast<unsigned>(found - mentioned_.begin()) + 1;
  if (found == mentioned_.end()) mentioned_.push_back(thing);
  return number;
}

std::string suspended::tasks_in(const void* whole) const {
  std::vector<const task*> found;
  for (const auto& [frame, each] : tasks_) {
    if (each.now != state::ended && (frame == whole || each.whole == whole)) found.push_back(&each);
  }
  std::ranges::sort(found, {}, &task::number);
  std::vector<std::string> names;
  for (const task* each : found) names.push_back(named(each->number, each->name));
  return joined("", names);
}

bool suspended::has_ended(unsigned number) const noexcept {
  return std::ranges::none_of(tasks_, [&](const auto& each) {
    return each.second.number == number && each.second.now != state::ended;
  });
}

std::string suspended::holders_of(const void* lock, const std::vector<std::string>& threads) const {
  std::vector<holder> found;
  for (const auto& [guard, each] : guards_) {
    if (each.lock == lock) found.push_back(each);
  }
  std::ranges::sort(found, {}, [](const holder& each) {
    return std::tuple{each.number, each.thread};
  });
  std::vector<std::string> names;
  for (const holder& each : found) {
    std::string name = each.number == 0 ? threads.at(each.thread) : named(each.number, each.name);
    if (each.number != 0 && has_ended(each.number)) name += ", which has ended";
    names.push_back(std::move(name));
  }
  return joined(", held by ", names);
}

std::string suspended::words(base::awaited why, const std::vector<std::string>& threads) {
  if (why.thing == nullptr) return why.what;
  if (why.what != base::a_task)
    return why.what + (" " + std::to_string(number_of(why.thing))) + holders_of(why.thing, threads);
  const std::string names = tasks_in(why.thing);
  return names.empty() ? why.what : names;
}

std::string suspended::line(const task& of, const std::vector<std::string>& threads) {
  std::string text = "  " + named(of.number, of.name);
  if (of.now == state::runs) return text + " runs on " + threads.at(of.thread) + "\n";
  if (of.where.line != 0) text += " " + in_source(of.where);
  return text + " waits for " + words(of.why, threads) + "\n";
}

std::string suspended::text(const std::vector<std::string>& threads) {
  std::vector<const task*> active;
  for (const auto& each : tasks_) {
    if (each.second.now == state::runs || each.second.now == state::waits)
      active.push_back(&each.second);
  }
  std::ranges::sort(active, {}, &task::number);
  std::string all;
  for (std::size_t i = 0; i < std::min(active.size(), most_lines); ++i)
    all += line(*active[i], threads);
  if (active.size() > most_lines)
    all += "  and " + std::to_string(active.size() - most_lines) + " more tasks\n";
  return all;
}

}  // namespace filch::testing

namespace filch::inline v0_2::base {
namespace {

/// Calls `tell(tasks, number of the calling thread)` if a session runs this thread; as a real
/// thread, like `session::host_scope`.
template <class Tell>
void tell(Tell tell_it) noexcept {
  if (simulated == nullptr || !simulated->explores) return;
  simulation* const sim = std::exchange(simulated, nullptr);
  auto& home = static_cast<testing::session&>(*sim);
  tell_it(home.tasks(), home.running_thread());
  simulated = sim;
}

}  // namespace

using testing::suspended;

void task_made(const void* frame, place where) noexcept {
  tell([&](suspended& to, unsigned) { to.made(frame, where); });
}
void task_gone(const void* frame) noexcept {
  tell([&](suspended& to, unsigned) { to.gone(frame); });
}
void task_runs(const void* frame) noexcept {
  tell([&](suspended& to, unsigned here) { to.runs(frame, here); });
}
void task_left(const void* frame) noexcept {
  tell([&](suspended& to, unsigned here) { to.left(frame, here); });
}
void task_waits(const void* frame, awaited why, place where) noexcept {
  tell([&](suspended& to, unsigned) { to.waits(frame, why, &where); });
}
void task_now_waits(const void* frame, awaited why) noexcept {
  tell([&](suspended& to, unsigned) { to.waits(frame, why, nullptr); });
}
void task_is_part_of(const void* frame, const void* whole) noexcept {
  tell([&](suspended& to, unsigned) { to.is_part_of(frame, whole); });
}
void task_ended(const void* frame) noexcept {
  tell([&](suspended& to, unsigned) { to.ended(frame); });
}
void lock_is_held(const void* guard, const void* lock, const void* frame) noexcept {
  tell([&](suspended& to, unsigned here) { to.is_held(guard, lock, frame, here); });
}
void lock_is_let_go(const void* guard) noexcept {
  tell([&](suspended& to, unsigned) { to.is_let_go(guard); });
}

}  // namespace filch::base
