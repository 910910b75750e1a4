#include <filch/sim/chase_lev/listing.hpp>

namespace filch::inline v0_2::sim::chase_lev {

namespace {

std::string text(int number) { return std::to_string(number); }
effect goes_on(std::string sentence) { return {false, nothing, std::move(sentence)}; }
effect leaves_with(int result, std::string sentence) { return {true, result, std::move(sentence)}; }

// --- push ---

effect push_reads_bottom(view shared, registers& mine, const rules&) {
  mine.b = shared.load(bottom);
  return goes_on("reads bottom: " + text(mine.b));
}
effect push_fills_slot(view shared, registers& mine, const rules&) {
  shared.store(slot_at(mine.b), mine.item, store_order::relaxed);
  return goes_on("writes " + item_name(mine.item) + " into " + name_of(slot_at(mine.b)));
}
effect push_raises_bottom(view shared, registers& mine, const rules& how) {
  shared.store(bottom, mine.b + 1, how.push_releases ? store_order::release : store_order::relaxed);
  return leaves_with(nothing, "raises bottom to " + text(mine.b + 1) + ", so that " +
                                  item_name(mine.item) + " can be taken");
}
constexpr line push_lines[] = {{"b = bottom", push_reads_bottom},
                               {"slot[b] = item", push_fills_slot},
                               {"bottom = b + 1        // release", push_raises_bottom}};
constexpr line push_without_release[] = {
    push_lines[0], push_lines[1], {"bottom = b + 1        // relaxed!", push_raises_bottom}};

// --- pop ---

effect pop_reads_bottom(view shared, registers& mine, const rules&) {
  mine.b = shared.load(bottom) - 1;
  return goes_on("reads bottom: the youngest item is number " + text(mine.b));
}
effect pop_lowers_bottom(view shared, registers& mine, const rules& how) {
  shared.store(bottom, mine.b, how.pop_is_ordered ? store_order::seq_cst : store_order::relaxed);
  return goes_on("lowers bottom to " + text(mine.b));
}
effect pop_reads_top(view shared, registers& mine, const rules&) {
  mine.t = shared.load(top);
  return goes_on("reads top: " + text(mine.t));
}
effect pop_takes_one_of_many(view shared, registers& mine, const rules&) {
  if (mine.t >= mine.b) {
    return goes_on(mine.t == mine.b ? "sees that this is the last item"
                                    : "sees that the deque is empty");
  }
  const int item = shared.load(slot_at(mine.b));
  return leaves_with(item, "sees more than one item left and takes " + item_name(item));
}
effect pop_takes_even_the_last(view shared, registers& mine, const rules&) {
  if (mine.t > mine.b) return goes_on("sees that the deque is empty");
  const int item = shared.load(slot_at(mine.b));
  return leaves_with(item, "takes " + item_name(item) + " and asks nobody");
}
effect pop_claims_the_last(view shared, registers& mine, const rules&) {
  if (mine.t > mine.b) return goes_on("has nothing to claim");
  mine.won = shared.compare_exchange(top, mine.t, mine.t + 1);
  return goes_on(mine.won ? "finds top still " + text(mine.t) +
                                " and raises it: the last item is its own"
                          : "finds top no longer " + text(mine.t) + ": a thief was faster");
}
effect pop_restores_bottom(view shared, registers& mine, const rules&) {
  shared.store(bottom, mine.b + 1, store_order::relaxed);
  return goes_on("puts bottom back to " + text(mine.b + 1));
}
effect pop_returns(view shared, registers& mine, const rules&) {
  if (!mine.won)
    return leaves_with(mine.t == mine.b ? lost_race : was_empty, "returns with nothing");
  const int item = shared.load(slot_at(mine.b));
  return leaves_with(item, "returns with " + item_name(item));
}
constexpr line pop_end[] = {{"bottom = b + 1", pop_restores_bottom},
                            {"return won ? slot[b] : nothing", pop_returns}};
constexpr line pop_lines[] = {{"b = bottom - 1", pop_reads_bottom},
                              {"bottom = b            // seq_cst", pop_lowers_bottom},
                              {"t = top               // seq_cst", pop_reads_top},
                              {"if (t < b) return slot[b]", pop_takes_one_of_many},
                              {"if (t == b) won = CAS(top, t, t + 1)", pop_claims_the_last},
                              pop_end[0],
                              pop_end[1]};
constexpr line pop_without_claim[] = {
    pop_lines[0], pop_lines[1],
    pop_lines[2], {"if (t <= b) return slot[b]   // no CAS!", pop_takes_even_the_last},
    pop_end[0],   pop_end[1]};
constexpr line pop_without_order[] = {
    pop_lines[0], {"bottom = b            // relaxed!", pop_lowers_bottom},
    pop_lines[2], pop_lines[3],
    pop_lines[4], pop_end[0],
    pop_end[1]};

// --- steal ---

effect steal_reads_top(view shared, registers& mine, const rules&) {
  mine.t = shared.load(top);
  return goes_on("reads top: " + text(mine.t));
}
effect steal_reads_bottom(view shared, registers& mine, const rules&) {
  mine.b = shared.load(bottom);
  return goes_on("reads bottom: " + text(mine.b));
}
effect steal_compares(view, registers& mine, const rules&) {
  if (mine.t >= mine.b) return leaves_with(was_empty, "sees that there is nothing to steal");
  return goes_on("sees an item at top");
}
effect steal_reads_slot(view shared, registers& mine, const rules&) {
  if (mine.has_read_early)
    return goes_on("has read " + name_of(slot_at(mine.t)) + " already: " + item_name(mine.item));
  mine.item = shared.load(slot_at(mine.t));
  return goes_on("reads " + name_of(slot_at(mine.t)) + ": " + item_name(mine.item));
}
effect steal_claims(view shared, registers& mine, const rules&) {
  if (shared.compare_exchange(top, mine.t, mine.t + 1)) {
    return goes_on("finds top still " + text(mine.t) + " and raises it: " + item_name(mine.item) +
                   " is its own");
  }
  return leaves_with(lost_race, "finds top no longer " + text(mine.t) +
                                    ": somebody was faster, and it returns with nothing");
}
effect steal_returns(view, registers& mine, const rules&) {
  return leaves_with(mine.item, "returns with " + item_name(mine.item));
}
constexpr line steal_lines[] = {{"t = top               // seq_cst", steal_reads_top},
                                {"b = bottom            // seq_cst", steal_reads_bottom},
                                {"if (t >= b) return empty", steal_compares},
                                {"item = slot[t]", steal_reads_slot},
                                {"if (!CAS(top, t, t + 1)) return lost", steal_claims},
                                {"return item", steal_returns}};
constexpr line steal_without_acquire[] = {
    {"t = top               // acquire", steal_reads_top},
    {"b = bottom            // relaxed!", steal_reads_bottom, 3},
    steal_lines[2],
    steal_lines[3],
    steal_lines[4],
    steal_lines[5]};

}  // namespace

std::span<const line> listing_of(operation what, const rules& how) {
  switch (what) {
    case operation::push: return how.push_releases ? push_lines : push_without_release;
    case operation::pop:
      if (!how.last_item_is_claimed) return pop_without_claim;
      if (!how.pop_is_ordered) return pop_without_order;
      return pop_lines;
    case operation::steal: return how.steal_acquires ? steal_lines : steal_without_acquire;
  }
  return {};
}

const char* name_of(operation what) {
  constexpr const char* names[] = {"push", "pop", "steal"};
  return names[static_cast<int>(what)];
}

std::string item_name(int item) {
  if (item > 0) return std::string(1, static_cast<char>('A' + item - 1));
  return item == was_empty ? "empty" : item == lost_race ? "lost" : "nothing";
}

}  // namespace filch::sim::chase_lev
