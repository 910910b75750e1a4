#include <filch/testing/model/memory.hpp>

#include <filch/base/panic.hpp>
#include <filch/testing/model/hash.hpp>

#include <algorithm>
#include <utility>

namespace filch::inline v0_2::testing {

namespace {

constexpr unsigned builder_locations = 64;  // of thread 0; the others share the rest

constexpr bool acquires(std::memory_order order) {
  return order == std::memory_order_acquire || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}
constexpr bool releases(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

constexpr std::uint64_t owned_by(unsigned thread) { return thread + 1; }

}  // namespace

std::uint64_t update::operator()(std::uint64_t seen) const noexcept {
  switch (what) {
    case kind::add: return (seen + operand) & mask;
    case kind::subtract: return (seen - operand) & mask;
    case kind::set_bits: return seen | operand;
    case kind::keep_bits: return seen & operand;
    case kind::exchange:
    case kind::compare_exchange: break;
  }
  return operand;
}

// -------------------------------------------------------------------------------------------------
// views
void memory_model::view::merge(const view& other) {
  for (unsigned i = 0; i < max_locations; ++i)
    positions[i] = std::max(positions[i], other.positions[i]);
  for (unsigned i = 0; i < max_threads; ++i) clock[i] = std::max(clock[i], other.clock[i]);
  order_of_all::merge(strongly, other.strongly);
  order_of_all::merge(fences, other.fences);
}

// -------------------------------------------------------------------------------------------------
// threads
void memory_model::restart() {
  for (variable& each : variables_) each.order.clear(), each.seen_by_kernel = 0;
  threads_.fill({});
  for (unsigned i = 0; i < max_threads; ++i) threads_[i].seen.clock[i] = 1;
  sequential_.restart();
}

void memory_model::start(unsigned started, unsigned by) {
  threads_[started].seen.merge(threads_[by].seen);
  ++threads_[by].seen.clock[by];
}

void memory_model::join(unsigned ended, unsigned by) {
  threads_[by].seen.merge(threads_[ended].seen);
}

void memory_model::note(unsigned by, std::uint64_t seen) {
  threads_[by].past = mix(threads_[by].past, seen);
}

void memory_model::end_step(unsigned by, char what, location at, word value) {
  note(by, mix(value + 1, static_cast<std::uint64_t>(what) << 8 | at));
  ++threads_[by].seen.clock[by];
  last_ = {what, at, value};
}

// -------------------------------------------------------------------------------------------------
// atomics
memory_model::location memory_model::create(unsigned by, word value) {
  // Numbered per thread, so that the number does not depend on the schedule.
  constexpr unsigned share = (max_locations - builder_locations) / (max_threads - 1);
  const unsigned limit = by == 0 ? builder_locations : share;
  const location at =
      (by == 0 ? 0 : builder_locations + (by - 1) * share) + threads_[by].created_count++;
  FILCH_ASSERT(threads_[by].created_count <= limit,
               "a scenario builds more atomic variables than the memory model has", by, limit);
  variables_[at].order.push_back({value, false, {}, 0, {}, {}});
  create_plain(by, variables_[at].life);
  return at;
}

auto memory_model::use(unsigned by, location at) -> variable& {
  FILCH_ASSERT(at < max_locations && !variables_[at].order.empty(),
               "an operation on what is no atomic variable", at);
  read_plain(by, variables_[at].life);
  return variables_[at];
}

void memory_model::destroy(unsigned by, location at) { destroy_plain(by, variables_[at].life); }

auto memory_model::read(unsigned by, location at, unsigned position, std::memory_order order)
    -> message {
  thread& reader = threads_[by];
  const message& read = variables_[at].order[position];
  reader.seen.positions[at] = static_cast<std::uint8_t>(position);
  (acquires(order) ? reader.seen : reader.acquirable).merge(read.released);
  return read;
}

memory_model::word memory_model::load(unsigned by, location at, std::memory_order order) {
  variable& from = use(by, at);
  std::array<std::uint8_t, 0x100> places;
  unsigned place_count = 0;
  for (auto place = static_cast<unsigned>(from.order.size());
       place-- > threads_[by].seen.positions[at];) {
    if (may_load(by, at, place, order)) places[place_count++] = static_cast<std::uint8_t>(place);
  }
  const unsigned place = places[place_count > 1 ? decides_.pick(place_count) : 0];
  const ends mine = put_in_order(by, around_load(at, place), order);
  from.order[place].add_load(mine);
  const word seen = read(by, at, place, order).value;
  order_of_all::merge(threads_[by].seen.strongly, mine.behind);
  end_step(by, 'l', at, seen);
  return seen;
}

memory_model::word memory_model::look_at_futex(unsigned by, location at) {
  variable& of = use(by, at);
  threads_[by].seen.positions[at] = std::max(threads_[by].seen.positions[at], of.seen_by_kernel);
  const word seen = load(by, at, std::memory_order_relaxed);
  of.seen_by_kernel = threads_[by].seen.positions[at];
  return seen;
}

void memory_model::wake_at_futex(unsigned by, location at) {
  variable& of = variables_[at];
  of.seen_by_kernel = std::max(of.seen_by_kernel, threads_[by].seen.positions[at]);
  end_step(by, 'w', at, 0);
}

// Makes room at `position`: the stores there and behind it move up by one, in every view.
void memory_model::make_room(location at, unsigned position) {
  const auto shift = [=](view& each) { each.positions[at] += each.positions[at] >= position; };
  for (thread& each : threads_) shift(each.seen), shift(each.acquirable), shift(each.fenced);
  variables_[at].seen_by_kernel += variables_[at].seen_by_kernel >= position;
  for (variable& each : variables_) {
    for (message& stored : each.order) shift(stored.released), stored.hash = 0;
  }
}

void memory_model::write(unsigned by, location at, unsigned position, message stored,
                         std::memory_order order) {
  variable& in = variables_[at];
  FILCH_ASSERT(in.order.size() < 0xff,
               "a scenario stores more often to one variable than the memory model remembers", at);
  if (position < in.order.size()) make_room(at, position);
  thread& writer = threads_[by];
  writer.seen.positions[at] = static_cast<std::uint8_t>(position);
  stored.released.merge(releases(order) ? writer.seen : writer.fenced);
  in.order.insert(in.order.begin() + position, std::move(stored));
}

void memory_model::store(unsigned by, location at, word value, std::memory_order order) {
  const variable& in = use(by, at);
  const unsigned end = static_cast<unsigned>(in.order.size());
  std::array<std::uint8_t, 0x100> places;
  unsigned place_count = 0;
  for (unsigned place = end; place > threads_[by].seen.positions[at]; --place) {
    const bool is_apart = place == end || !in.order[place].is_update;
    if (is_apart && may_store(by, at, place, order))
      places[place_count++] = static_cast<std::uint8_t>(place);
  }
  const unsigned place = places[place_count > 1 ? decides_.pick(place_count) : 0];
  const ends mine = put_in_order(by, around_store(at, place), order);
  write(by, at, place, {value, false, {}, 0, mine, {}}, order);
  order_of_all::merge(threads_[by].seen.strongly, mine.behind);
  end_step(by, 's', at, value);
}

memory_model::word memory_model::read_modify_write(unsigned by, location at, const update& change,
                                                   std::memory_order order) {
  variable& in = use(by, at);
  const unsigned end = static_cast<unsigned>(in.order.size());
  std::array<std::uint8_t, 0x100> places;
  unsigned place_count = 0;
  for (unsigned place = end; place-- > threads_[by].seen.positions[at];) {
    const bool is_last = place + 1 == end || !in.order[place + 1].is_update;
    const bool may = change.applies_to(in.order[place].value)
                         ? is_last && may_store(by, at, place + 1, order)
                         : may_load(by, at, place, std::memory_order_relaxed);
    if (may) places[place_count++] = static_cast<std::uint8_t>(place);
  }
  const unsigned place = places[place_count > 1 ? decides_.pick(place_count) : 0];
  const word seen = in.order[place].value;
  if (change.applies_to(seen)) {
    const ends mine = put_in_order(by, around_store(at, place + 1), order);
    write(by, at, place + 1, {change(seen), true, read(by, at, place, order).released, 0, mine, {}},
          order);
    order_of_all::merge(threads_[by].seen.strongly, mine.behind);
  } else {
    in.order[place].add_load(put_in_order(by, around_load(at, place), std::memory_order_relaxed));
    read(by, at, place, std::memory_order_relaxed);
  }
  end_step(by, change.applies_to(seen) ? 'u' : 'l', at, seen);
  return seen;
}

// -------------------------------------------------------------------------------------------------
// one order of all
void memory_model::ends::merge(const ends& other) {
  order_of_all::merge(before, other.before);
  order_of_all::merge_endings(behind, other.behind);
}

void memory_model::message::add_load(const ends& of) {
  loads.merge(of);
  hash = 0;
}

// For a load, `beside` is the store that it reads: other loads of that are at the same place.
auto memory_model::below(location at, unsigned position, unsigned beside) const
    -> order_of_all::beginnings {
  order_of_all::beginnings found{};
  const auto& order = variables_[at].order;
  for (unsigned i = 0; i < position; ++i) {
    order_of_all::merge(found, order[i].stores.before);
    if (i != beside) order_of_all::merge(found, order[i].loads.before);
  }
  return found;
}
auto memory_model::from(location at, unsigned position, unsigned beside) const
    -> order_of_all::endings {
  order_of_all::endings found{};
  const auto& order = variables_[at].order;
  for (unsigned i = position; i < order.size(); ++i) {
    order_of_all::merge_endings(found, order[i].stores.behind);
    if (i != beside) order_of_all::merge_endings(found, order[i].loads.behind);
  }
  return found;
}
auto memory_model::around_store(location at, unsigned position) const -> surroundings {
  return {below(at, position, ~0U), from(at, position, ~0U)};
}
auto memory_model::around_load(location at, unsigned position) const -> surroundings {
  return {below(at, position + 1, position), from(at, position + 1, position)};
}

bool memory_model::may_load(unsigned by, location at, unsigned position,
                            std::memory_order order) const {
  return is_free(by, order) || fits(by, around_load(at, position), order);
}
bool memory_model::may_store(unsigned by, location at, unsigned position,
                             std::memory_order order) const {
  return is_free(by, order) || fits(by, around_store(at, position), order);
}

bool memory_model::is_free(unsigned by, std::memory_order order) const {
  return order != std::memory_order_seq_cst &&
         threads_[by].seen.fences == order_of_all::beginnings{};
}

bool memory_model::fits(unsigned by, const surroundings& around, std::memory_order order) const {
  order_of_all::beginnings before = threads_[by].seen.fences;
  if (order == std::memory_order_seq_cst) {
    order_of_all::merge(before, threads_[by].seen.strongly);
    order_of_all::merge(before, around.below);
  }
  return !sequential_.contradicts(before, around.above);
}

auto memory_model::put_in_order(unsigned by, const surroundings& around, std::memory_order order)
    -> ends {
  ends mine{threads_[by].seen.fences, {}};
  if (order == std::memory_order_seq_cst) {
    order_of_all::beginnings before = threads_[by].seen.strongly;
    order_of_all::merge(before, around.below);
    mine.before[by] = mine.behind[by] = sequential_.append(by, before);
  }
  sequential_.put(mine.before, around.above);
  return mine;
}

// -------------------------------------------------------------------------------------------------
// fences, locks. In each variable a fence counts as a load of the last store that happens before
// it. `before` comes before it, too.
void memory_model::fence_behind(unsigned by, order_of_all::beginnings before) {
  view& seen = threads_[by].seen;
  order_of_all::merge(before, seen.strongly);
  seen.merge(threads_[by].acquirable);
  for (location at = 0; at < max_locations; ++at) {
    if (seen.positions[at] != 0)
      order_of_all::merge(before, below(at, seen.positions[at] + 1, seen.positions[at]));
  }
  ends mine;
  seen.fences[by] = mine.behind[by] = sequential_.append(by, before);
  for (location at = 0; at < max_locations; ++at) {
    if (seen.positions[at] != 0) variables_[at].order[seen.positions[at]].add_load(mine);
  }
  threads_[by].fenced = seen;
  order_of_all::merge(seen.strongly, mine.behind);
}

void memory_model::fence(unsigned by) {
  fence_behind(by, {});
  end_step(by, 'f', 0, 0);
}

// Two rounds: what any thread did before it comes before what any thread does after it.
void memory_model::fence_everybody(unsigned by) {
  order_of_all::beginnings all{};
  for (unsigned i = 0; i < max_threads; ++i)
    fence_behind(i, {}), all[i] = threads_[i].seen.fences[i];
  for (unsigned i = 0; i < max_threads; ++i) fence_behind(i, all);
  // What another thread did since its last step may also come behind the fence.
  for (unsigned i = 0; i < max_threads; ++i) threads_[i].fenced.clock[i] -= i == by ? 0 : 1;
  end_step(by, 'm', 0, 0);
}

void memory_model::lock(unsigned by, location mutex) {
  const unsigned last = static_cast<unsigned>(use(by, mutex).order.size()) - 1;
  const message seen = read(by, mutex, last, std::memory_order_acquire);
  write(by, mutex, last + 1, {owned_by(by), true, seen.released, 0, {}, {}},
        std::memory_order_acquire);
  end_step(by, 'a', mutex, 1);
}

bool memory_model::try_lock(unsigned by, location mutex) {
  return read_modify_write(by, mutex, {update::kind::compare_exchange, owned_by(by)},
                           std::memory_order_acquire) == 0;
}

void memory_model::unlock(unsigned by, location mutex) {
  const auto& order = use(by, mutex).order;
  if (order.back().value != owned_by(by))
    return decides_.fail("a thread unlocks what it does not hold");
  const unsigned end = static_cast<unsigned>(order.size());
  write(by, mutex, end, {0, false, {}, 0, {}, {}}, std::memory_order_release);
  end_step(by, 'r', mutex, 0);
}

// -------------------------------------------------------------------------------------------------
// plain data
void memory_model::create_plain(unsigned by, footprint& of) const {
  of = {threads_[by].seen.clock[by], static_cast<std::uint8_t>(by), true, {}};
}

void memory_model::read_plain(unsigned by, footprint& of) {
  if (!of.is_alive) return decides_.fail("use of a dead object");
  if (!knows(by, of.writer, of.written_at))
    return decides_.fail("data race: a read beside a write");
  of.read_at[by] = threads_[by].seen.clock[by];
}

void memory_model::write_plain(unsigned by, footprint& of) {
  if (!of.is_alive) return decides_.fail("use of a dead object");
  if (!knows(by, of.writer, of.written_at)) return decides_.fail("data race: two writes");
  for (unsigned reader = 0; reader < max_threads; ++reader) {
    if (!knows(by, reader, of.read_at[reader]))
      return decides_.fail("data race: a write beside a read");
  }
  of.written_at = threads_[by].seen.clock[by];
  of.writer = static_cast<std::uint8_t>(by);
}

void memory_model::destroy_plain(unsigned by, footprint& of) {
  write_plain(by, of);
  of.is_alive = false;
}

}  // namespace filch::testing
