#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/cli/explain/frame.hpp>

#include <algorithm>

namespace filch::cli::explain {

namespace {

namespace chase_lev = sim::chase_lev;

class canvas {
 public:
  canvas(std::size_t columns, painter paint) : columns_{columns}, paint_{paint} {}

  void add(std::string_view text = "") { lines_.emplace_back(clipped(text)); }
  void add_strong(std::string_view text) { lines_.push_back(paint_(clipped(text), true)); }
  void add_faint(std::string_view text) { lines_.push_back(paint_(clipped(text), false)); }
  /// At most two lines, broken between words.
  void add_sentence(std::string_view text) {
    std::vector<std::string> lines = wrapped(std::string{text}, columns_ - 1);
    lines.resize(2);
    for (const std::string& line : lines) add_strong(line.empty() ? "" : " " + line);
  }
  std::size_t columns() const { return columns_; }
  std::vector<std::string> lines() && { return std::move(lines_); }

 private:
  std::string_view clipped(std::string_view text) const { return text.substr(0, columns_); }

  std::size_t columns_;
  painter paint_;
  std::vector<std::string> lines_;
};

std::string bar(double fullness, std::size_t width) {
  const auto full =
      std::min(width, static_cast<std::size_t>(fullness * static_cast<double>(width) + 0.5));
  return std::string(full, '=') + std::string(width - full, ' ');
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// Names of the tasks of a queue, youngest first: the owner stands to their left.
std::string queue_text(const sim::computation& what, const std::vector<sim::task_id>& queue) {
  std::vector<std::string> names;
  for (auto task = queue.rbegin(); task != queue.rend(); ++task) names.push_back(what[*task].name);
  return fmt::format("{}", fmt::join(names, " | "));
}

std::string hand_text(const sim::computation& what, sim::task_id task) {
  return task == sim::no_task ? "" : what[task].name;
}

void add_workers(canvas& on, const scene& shown, const sim::picture& now) {
  constexpr std::size_t left_of_queue = 32;
  const std::size_t room = on.columns() - left_of_queue - 4;
  on.add_faint(fmt::format("            {:<10} {:<7}   owner's end{:>{}}", "does", "runs",
                           "thieves' end", room - 11));
  for (sim::worker_index w = 0; w < worker_count; ++w) {
    on.add(fmt::format(" Worker {}   {:<10} {:<7} [ {:>{}} ]", w + 1, name_of(now.activity_of(w)),
                       hand_text(shown.what, now.in_hand(w)),
                       queue_text(shown.what, now.queue_of(w)), room));
  }
  const auto& shared = now.at({sim::place::kind::shared});
  on.add(shared.empty() ? ""
                        : fmt::format(" Shared queue, oldest at the right: {}",
                                      queue_text(shown.what, shared)));
}

void add_race(canvas& on, const scene& shown, const position& at, std::uint64_t clock) {
  on.add_faint(fmt::format(" all on the same clock{:>{}}", "ticks   idle", on.columns() - 23));
  for (std::size_t i = 0; i < shown.runs.size(); ++i) {
    const sim::history& told = shown.runs[i].told;
    const std::size_t width = on.columns() - 44;
    const auto whole = static_cast<std::size_t>(share(told.makespan, shown.longest()) *
                                                static_cast<double>(width));
    const std::string done = bar(share(std::min(clock, told.makespan), told.makespan), whole);
    const std::string line =
        fmt::format("{} {:<22} |{:<{}} {:>7} {:>4.0f} %", i == at.run ? '>' : ' ',
                    shown.runs[i].scheduler->title, done + '|', width + 1, told.makespan,
                    100 * told.idle_share());
    i == at.run ? on.add_strong(line) : on.add(line);
  }
}

void draw_scene(canvas& on, const story& all, const position& at) {
  const scene& shown = all.scenes[at.scene];
  const run& of = shown.runs[at.run];
  const auto& steps = of.told.steps;
  const std::uint64_t clock = at.step == 0 ? 0 : steps[at.step - 1].clock;
  on.add_strong(fmt::format(" {}: {}", shown.title, of.scheduler->title));
  on.add_faint(fmt::format(" {} tasks, work {}, span {}    step {} of {}, clock {} of {}",
                           shown.what.task_count(), shown.what.work(), shown.what.span(), at.step,
                           steps.size(), clock, of.told.makespan));
  on.add();
  add_workers(on, shown, picture_after(shown, of, at.step));
  on.add();
  on.add_sentence(at.step == 0 ? of.scheduler->about : steps[at.step - 1].sentence);
  on.add();
  add_race(on, shown, at, clock);
}

std::string ring_text(const chase_lev::moment& now) {
  std::vector<std::string> slots;
  for (int i = 0; i < chase_lev::ring_size; ++i) {
    const int item = now.words[chase_lev::slot_at(i)];
    slots.push_back(
        fmt::format("{}: {}", i, item == chase_lev::nothing ? "-" : chase_lev::item_name(item)));
  }
  return fmt::format("[ {} ]", fmt::join(slots, " | "));
}

/// What has not taken effect in order: stores that others do not see yet, or a load that came
/// first.
std::string disorder_text(const chase_lev::progress& at) {
  if (at.local.has_read_early) return "has read early: " + chase_lev::item_name(at.local.item);
  std::vector<std::string> texts;
  for (const auto& each : at.stores.waiting()) {
    texts.push_back(fmt::format("{} = {}", name_of(each.where),
                                each.where < chase_lev::first_slot
                                    ? std::to_string(each.value)
                                    : chase_lev::item_name(each.value)));
  }
  return fmt::format("waits in its store buffer: {}",
                     texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, ", ")));
}

std::string results_text(const std::vector<int>& results) {
  std::vector<std::string> names;
  for (const int each : results) names.push_back(chase_lev::item_name(each));
  return names.empty() ? "nothing yet" : fmt::format("{}", fmt::join(names, ", "));
}

/// The listing of the call that a thread is in, its next line marked; nothing once it is through.
void add_listing(canvas& on, const chase_lev::scene& shown, const chase_lev::moment& now,
                 chase_lev::sim_thread who) {
  const chase_lev::progress& at = now.threads[who];
  on.add_strong(fmt::format(" {}   has got: {}   {}", name_of(who), results_text(at.results),
                            disorder_text(at)));
  const auto& calls = shown.rules_and_calls.calls[who];
  if (at.call_index == calls.size()) return on.add_faint("   through");
  const chase_lev::operation what = calls[at.call_index].what;
  const auto lines = listing_of(what, shown.rules_and_calls.how);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string text = fmt::format(" {} {:>5} {}  {}", i == at.line_index ? '>' : ' ',
                                         i == 0 ? name_of(what) : "", i + 1, lines[i].text);
    i == at.line_index ? on.add_strong(text) : on.add(text);
  }
}

void draw_duel(canvas& on, const chase_lev::scene& shown, std::size_t step) {
  const chase_lev::moment now =
      step == 0 ? shown.rules_and_calls.beginning() : shown.frames[step - 1].after;
  on.add_strong(fmt::format(" Inside the deque: {}", shown.title));
  on.add_faint(fmt::format(" step {} of {}    top {}   bottom {}   ring {}", step,
                           shown.frames.size(), now.words[chase_lev::top],
                           now.words[chase_lev::bottom], ring_text(now)));
  add_listing(on, shown, now, chase_lev::owner);
  add_listing(on, shown, now, chase_lev::thief);
  on.add();
  const bool is_end = step == shown.frames.size();
  on.add_sentence(step == 0 ? shown.about : shown.frames[step - 1].sentence);
  on.add_strong(is_end && !shown.fault.empty() ? fmt::format(" Wrong: {}.", shown.fault) : "");
}

}  // namespace

bool is_duel(const story& all, const position& at) { return at.scene >= all.scenes.size(); }

std::size_t scene_count(const story& all) { return all.scenes.size() + all.duels.size(); }

std::size_t run_count(const story& all, const position& at) {
  return is_duel(all, at) ? 1 : all.scenes[at.scene].runs.size();
}

std::size_t step_count(const story& all, const position& at) {
  if (is_duel(all, at)) return all.duels[at.scene - all.scenes.size()].frames.size();
  return all.scenes[at.scene].runs[at.run].told.steps.size();
}

std::vector<std::string> frame_of(const story& all, const position& at, std::size_t columns,
                                  painter paint) {
  canvas on{std::max<std::size_t>(columns, 60), paint};
  if (is_duel(all, at)) {
    draw_duel(on, all.duels[at.scene - all.scenes.size()], at.step);
  } else {
    draw_scene(on, all, at);
  }
  return std::move(on).lines();
}

std::string transcript_of(const story& all, const position& at) {
  std::string text;
  if (is_duel(all, at)) {
    const chase_lev::scene& shown = all.duels[at.scene - all.scenes.size()];
    text = fmt::format("{}: {}\n", shown.title, shown.about);
    for (const auto& frame : shown.frames) text += fmt::format("  {}\n", frame.sentence);
    return text +
           (shown.fault.empty() ? "All is well.\n" : fmt::format("Wrong: {}.\n", shown.fault));
  }
  const scene& shown = all.scenes[at.scene];
  const run& of = shown.runs[at.run];
  text = fmt::format("{}, {}: {}\n", shown.title, of.scheduler->title, of.scheduler->about);
  for (const sim::step& each : of.told.steps)
    text += fmt::format("{:>5}  {}\n", each.clock, each.sentence);
  return text + fmt::format("{} ticks, {:.0f} % of the workers' time idle.\n", of.told.makespan,
                            100 * of.told.idle_share());
}

}  // namespace filch::cli::explain
