#include <filch/base/panic.hpp>
#include <filch/sim/chase_lev/scenes.hpp>

#include <algorithm>

namespace filch::inline v0_2::sim::chase_lev {

namespace {

enum item : int { a = 1, b, c, w = 23, x, y, z };

struct plot {
  std::string_view id, title, about;
  duel of;
  std::function<bool(const duel&, const moment&)> goal;
};

bool is_wrong(const duel& of, const moment& end) { return !of.fault_at(end).empty(); }

std::function<bool(const duel&, const moment&)> ends_with(std::vector<int> owner_results,
                                                          std::vector<int> thief_results) {
  return [=](const duel&, const moment& end) {
    return end.threads[owner].results == owner_results &&
           end.threads[thief].results == thief_results;
  };
}

constexpr call push(int item) { return {operation::push, item}; }
constexpr call pop{operation::pop};
constexpr call steal{operation::steal};

std::vector<plot> plots() {
  const duel ordinary{.how = {},
                      .first_index = 2,
                      .items = {},
                      .leftovers = {},
                      .calls = {{{push(a), push(b), push(c), pop}, {steal}}}};
  const duel last{
      .how = {}, .first_index = 2, .items = {a}, .leftovers = {}, .calls = {{{pop}, {steal}}}};
  duel unclaimed = last, unordered = last, unreleased = last, unacquired;
  unclaimed.how.last_item_is_claimed = false;
  unordered.how.pop_is_ordered = false;
  unordered.stores_are_late = true;
  unordered.items = {a, b};
  unordered.calls[thief] = {steal, steal};
  unreleased.how.push_releases = false;
  unreleased.first_index = 4;
  unreleased.items = {};
  unreleased.leftovers = {w, x, y, z};
  unreleased.stores_are_late = true;
  unreleased.calls = {{{push(a)}, {steal}}};
  unacquired = unreleased;
  unacquired.how = {.steal_acquires = false};
  unacquired.stores_are_late = false;
  return {{"ordinary", "Push, pop, steal",
           "The owner works at bottom, the thief at top; while there is enough for both they do "
           "not meet.",
           ordinary, ends_with({c}, {a})},
          {"owner_wins", "Last item: the owner wins",
           "One item is left and both want it. The thread that raises top has it; here that is the "
           "owner.",
           last, ends_with({a}, {lost_race})},
          {"thief_wins", "Last item: the thief wins",
           "The same race. The thief raises top first, so the owner goes away with nothing.", last,
           ends_with({lost_race}, {a})},
          {"no_claim", "Without CAS",
           "The owner takes the last item without a compare-and-swap, and a thief that is already "
           "at it takes it too.",
           unclaimed, is_wrong},
          {"no_release", "Without release",
           "Push raises bottom by a plain store, which others may see before the item: the thief "
           "reads what the ring held before.",
           unreleased, is_wrong},
          {"no_acquire", "Without acquire",
           "Push does all it should, but the thief may read the slot before it looks at bottom: "
           "then it has what the ring held "
           "before.",
           unacquired, is_wrong},
          {"no_order", "Without seq_cst",
           "Pop lowers bottom, but the store still waits in the owner's store buffer while it "
           "reads top: the thief goes past it.",
           unordered, is_wrong}};
}

scene played(const plot& from) {
  scene made{.id = from.id,
             .title = from.title,
             .about = from.about,
             .rules_and_calls = from.of,
             .frames = {},
             .fault = {},
             .everything = explore(from.of),
             .with_all_rules = {}};
  moment now = from.of.beginning();
  const auto way =
      shortest_way(from.of, [&](const moment& end) { return from.goal(from.of, end); });
  FILCH_ASSERT(!way.empty(), "what a scene shows can happen", made.everything.moment_count);
  for (const event& next : way) {
    const progress before = now.threads[next.who];
    std::string sentence = from.of.let_happen(now, next);
    made.frames.push_back(
        {next, before.call_index, from.of.line_of(before, next), std::move(sentence), now});
  }
  made.fault = from.of.fault_at(now);
  duel intact = from.of;
  intact.how = {};
  intact.stores_are_late = true;
  made.with_all_rules = explore(intact);
  return made;
}

}  // namespace

std::vector<scene> scenes() {
  std::vector<scene> all;
  std::ranges::transform(plots(), std::back_inserter(all), played);
  return all;
}

}  // namespace filch::sim::chase_lev
