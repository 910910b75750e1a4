#include <filch/base/panic.hpp>
#include <filch/sim/chase_lev/duel.hpp>

#include <algorithm>
#include <deque>
#include <map>

namespace filch::inline v0_2::sim::chase_lev {

const char* name_of(sim_thread who) { return who == owner ? "The owner" : "The thief"; }

moment duel::beginning() const {
  moment first;
  first.words[top] = first_index;
  first.words[bottom] = first_index + static_cast<int>(items.size());
  for (std::size_t i = 0; i < leftovers.size(); ++i)
    first.words[slot_at(static_cast<int>(i))] = leftovers[i];
  for (std::size_t i = 0; i < items.size(); ++i)
    first.words[slot_at(first_index + static_cast<int>(i))] = items[i];
  return first;
}

std::vector<event> duel::possible_after(const moment& now) const {
  std::vector<event> possible;
  for (const sim_thread who : {owner, thief}) {
    const progress& at = now.threads[who];
    for (std::size_t i = 0; i < at.stores.waiting().size(); ++i) {
      if (at.stores.may_leave(i)) possible.push_back({who, i});
    }
    if (at.call_index == calls[who].size()) continue;
    possible.push_back({who});
    const event early{who, std::nullopt, true};
    if (line_of(at, early) != 0 && !at.local.has_read_early) possible.push_back(early);
  }
  return possible;
}

std::size_t duel::line_of(const progress& at, event next) const {
  if (!next.is_early_load) return at.line_index;
  return listing_of(calls[next.who][at.call_index].what, how)[at.line_index].may_be_late_for;
}

std::string duel::let_happen(moment& now, event next) const {
  progress& at = now.threads[next.who];
  if (next.store) {
    const late_store seen = at.stores.leave(*next.store);
    now.words[seen.where] = seen.value;
    const std::string value =
        seen.where < first_slot ? std::to_string(seen.value) : item_name(seen.value);
    return std::string{name_of(next.who)} + "'s store reaches memory: " + name_of(seen.where) +
           " is " + value + ".";
  }
  const call& under_way = calls[next.who][at.call_index];
  if (at.line_index == 0) at.local = {.item = under_way.item};
  const auto lines = listing_of(under_way.what, how);
  FILCH_ASSERT(at.line_index < lines.size(), "a call returns before its lines end", at.line_index);
  const effect done =
      lines[line_of(at, next)].run({now.words, at.stores, stores_are_late}, at.local, how);
  if (next.is_early_load) {
    at.local.has_read_early = true;
    return std::string{name_of(next.who)} + ' ' + done.sentence + ", ahead of its turn.";
  }
  ++at.line_index;
  if (done.returns) {
    if (under_way.what != operation::push) at.results.push_back(done.result);
    ++at.call_index;
    at.line_index = 0;
  }
  return std::string{name_of(next.who)} + ' ' + done.sentence + '.';
}

std::string duel::fault_at(const moment& end) const {
  std::map<int, int> taken;
  for (const progress& each : end.threads) {
    for (const int item : each.results) {
      if (item > 0) ++taken[item];
    }
  }
  for (const auto& [item, times] : taken) {
    const bool was_there =
        std::ranges::find(items, item) != items.end() ||
        std::ranges::find(calls[owner], call{operation::push, item}) != calls[owner].end();
    if (!was_there) return item_name(item) + " was taken, although it had left the deque before";
    if (times > 1) return item_name(item) + " was taken twice";
  }
  return "";
}

namespace {

/// Visits every moment once, in order of distance, until `stop` accepts one.
template <class Stop>
void search(const duel& of, std::map<moment, std::pair<const moment*, event>>& came_from,
            Stop stop) {
  std::deque<const moment*> waiting;
  const auto reach = [&](moment next, const moment* from, event by) {
    const auto [entry, is_new] = came_from.try_emplace(std::move(next), from, by);
    if (is_new) waiting.push_back(&entry->first);
  };
  reach(of.beginning(), nullptr, {owner});
  for (; !waiting.empty(); waiting.pop_front()) {
    const moment& now = *waiting.front();
    if (stop(now)) return;
    for (const event& each : of.possible_after(now)) {
      moment next = now;
      of.let_happen(next, each);
      reach(std::move(next), &now, each);
    }
  }
}

}  // namespace

exploration explore(const duel& of) {
  exploration found;
  std::map<moment, std::pair<const moment*, event>> came_from;
  search(of, came_from, [&](const moment& now) {
    const bool is_end = of.is_over(now);
    found.end_count += is_end;
    found.fault_count += is_end && !of.fault_at(now).empty();
    return false;
  });
  found.moment_count = came_from.size();
  return found;
}

std::vector<event> shortest_way(const duel& of, const std::function<bool(const moment&)>& wanted) {
  std::map<moment, std::pair<const moment*, event>> came_from;
  const moment* goal = nullptr;
  search(of, came_from, [&](const moment& now) {
    if (!of.is_over(now) || !wanted(now)) return false;
    goal = &now;
    return true;
  });
  std::vector<event> way;
  for (const moment* at = goal; at != nullptr;) {
    const auto& [from, by] = came_from.at(*at);
    if (from != nullptr) way.push_back(by);
    at = from;
  }
  std::ranges::reverse(way);
  return way;
}

}  // namespace filch::sim::chase_lev
