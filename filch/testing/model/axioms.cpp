#include <filch/testing/model/axioms.hpp>

#include <filch/base/panic.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <ostream>

namespace filch::inline v0_2::testing {

namespace {

using kind = litmus_operation::kind;

constexpr unsigned variable_count = 2;
constexpr unsigned max_events = 32;

/// Pairs of events.
class relation {
 public:
  bool has(unsigned from, unsigned to) const { return (successors_[from] >> to & 1) != 0; }
  void add(unsigned from, unsigned to) { successors_[from] |= std::uint32_t{1} << to; }
  void add(const relation& other) {
    for (unsigned i = 0; i < max_events; ++i) successors_[i] |= other.successors_[i];
  }
  void close() {
    for (unsigned by = 0; by < max_events; ++by) {
      for (auto& from : successors_) from |= (from >> by & 1) != 0 ? successors_[by] : 0;
    }
  }
  bool closes_acyclic() {
    close();
    for (unsigned i = 0; i < max_events; ++i) {
      if (has(i, i)) return false;
    }
    return true;
  }
  /// The composition: one step of this and then one of `next`.
  relation then(const relation& next) const {
    relation both;
    for (unsigned from = 0; from < max_events; ++from) {
      for (unsigned by = 0; by < max_events; ++by)
        both.successors_[from] |= has(from, by) ? next.successors_[by] : 0;
    }
    return both;
  }

 private:
  std::array<std::uint32_t, max_events> successors_{};
};

struct event {
  litmus_operation does;
  unsigned source = 0;  // the store that it reads
  int seen = nothing_read;
  bool is_write = false;  // of a compare-exchange: if it succeeds
};

bool reads(const event& e) { return e.does.what != kind::store && e.does.what != kind::fence; }
bool may_write(const event& e) { return e.does.what != kind::load && e.does.what != kind::fence; }
bool is_fence(const event& e) { return e.does.what == kind::fence; }

/// All executions of one program.
class enumeration {
 public:
  explicit enumeration(const litmus_program& program);
  std::set<litmus_outcome> outcomes() {
    choose_source(variable_count, before_);
    return std::move(outcomes_);
  }

 private:
  /// The position of each event in its variable's modification order: a store at 2 i, a load of it
  /// at 2 i + 1.
  using places = std::array<std::uint8_t, max_events>;

  void choose_source(unsigned reader, const relation& leads_to);
  bool has_values();
  bool no_update_is_shared() const;
  void synchronize();
  void pass_on(unsigned store, unsigned reader);
  void order_strongly();
  std::vector<places> modification_orders(unsigned variable) const;
  bool place_all(const std::vector<unsigned>& stores, unsigned variable, places& at) const;
  bool is_coherent(unsigned variable, const places& at) const;
  bool has_order_of_all(const places& at) const;
  void order_around(unsigned first, unsigned second, relation& order) const;
  litmus_outcome outcome_of(const places& at) const;

  std::memory_order order_of(const event& e) const {
    return e.does.what == kind::compare_exchange && !e.is_write ? std::memory_order_relaxed
                                                                : e.does.order;
  }
  bool is_sequential(unsigned e) const {
    return is_fence(events_[e]) || order_of(events_[e]) == std::memory_order_seq_cst;
  }
  bool acquires(unsigned e) const {
    const std::memory_order order = order_of(events_[e]);
    return order == std::memory_order_acquire || order == std::memory_order_acq_rel ||
           order == std::memory_order_seq_cst;
  }
  bool releases(unsigned e) const {
    const std::memory_order order = order_of(events_[e]);
    return order == std::memory_order_release || order == std::memory_order_acq_rel ||
           order == std::memory_order_seq_cst;
  }
  bool is_on(unsigned e, unsigned variable) const {
    return !is_fence(events_[e]) && events_[e].does.variable == variable;
  }
  int written(unsigned store) const;

  std::vector<event> events_;  // the first ones store the variables' beginnings
  relation before_;            // sequenced before; what stores the beginnings comes before all
  // Of the execution at hand:
  relation synchronizes_;
  relation happens_before_;
  relation strongly_before_;
  std::set<litmus_outcome> outcomes_;
};

enumeration::enumeration(const litmus_program& program) {
  for (unsigned i = 0; i < variable_count; ++i)
    events_.push_back({{kind::store, i, std::memory_order_relaxed}, 0, nothing_read, true});
  for (const auto& thread : program) {
    const std::size_t first = events_.size();
    for (const litmus_operation& each : thread) {
      const auto now = static_cast<unsigned>(events_.size());
      for (unsigned i = 0; i < now; ++i) {
        if (i < variable_count || i >= first) before_.add(i, now);
      }
      events_.push_back({each});
    }
  }
  FILCH_ASSERT(events_.size() <= max_events, "a litmus program is too long", events_.size(),
               max_events);
}

// -------------------------------------------------------------------------------------------------
// the source of each read
//
// Tries all sources with which no read leads to the store that it reads: such a cycle would be load
// buffering.
void enumeration::choose_source(unsigned reader, const relation& leads_to) {
  while (reader < events_.size() && !reads(events_[reader])) ++reader;
  if (reader == events_.size()) {
    if (!has_values() || !no_update_is_shared()) return;
    synchronize();
    order_strongly();
    const auto first = modification_orders(0);
    const auto second = modification_orders(1);
    for (const places& x : first) {
      for (const places& y : second) {
        places both;
        std::transform(x.begin(), x.end(), y.begin(), both.begin(),
                       [](auto one, auto other) { return one + other; });
        litmus_outcome outcome = outcome_of(both);
        if (outcomes_.count(outcome) == 0 && has_order_of_all(both))
          outcomes_.insert(std::move(outcome));
      }
    }
    return;
  }
  for (unsigned store = 0; store < events_.size(); ++store) {
    if (store == reader || !may_write(events_[store]) ||
        !is_on(store, events_[reader].does.variable))
      continue;
    relation extended = leads_to;
    extended.add(store, reader);
    if (!extended.closes_acyclic()) continue;
    events_[reader].source = store;
    choose_source(reader + 1, extended);
  }
}

int enumeration::written(unsigned store) const {
  const event& e = events_[store];
  return e.does.what == kind::add ? written(e.source) + e.does.value : e.does.value;
}

bool enumeration::has_values() {
  for (event& e : events_) {
    e.seen = reads(e) ? written(e.source) : nothing_read;
    e.is_write =
        may_write(e) && (e.does.what != kind::compare_exchange || e.seen == e.does.expected);
  }
  return std::all_of(events_.begin(), events_.end(),
                     [&](const event& e) { return !reads(e) || events_[e.source].is_write; });
}

// A read-modify-write comes directly behind what it read, so two cannot have read the same.
bool enumeration::no_update_is_shared() const {
  std::uint32_t taken = 0;
  for (const event& e : events_) {
    if (!reads(e) || !e.is_write) continue;
    if ((taken >> e.source & 1) != 0) return false;
    taken |= std::uint32_t{1} << e.source;
  }
  return true;
}

// -------------------------------------------------------------------------------------------------
// happens before
void enumeration::synchronize() {
  synchronizes_ = {};
  for (unsigned reader = variable_count; reader < events_.size(); ++reader) {
    if (!reads(events_[reader])) continue;
    // The heads of the release sequences that the store belongs to: itself, and what
    // read-modify-writes lead back to.
    unsigned store = events_[reader].source;
    pass_on(store, reader);
    while (reads(events_[store])) pass_on(store = events_[store].source, reader);
  }
  happens_before_ = before_;
  happens_before_.add(synchronizes_);
  happens_before_.close();
}

// [atomics.order] 2 and [atomics.fences] 2 to 4: each side is the operation itself or a fence.
void enumeration::pass_on(unsigned store, unsigned reader) {
  const auto is_releaser = [&](unsigned e) {
    return e == store ? releases(e) : is_fence(events_[e]) && before_.has(e, store);
  };
  const auto is_acquirer = [&](unsigned e) {
    return e == reader ? acquires(e) : is_fence(events_[e]) && before_.has(reader, e);
  };
  for (unsigned from = 0; from < events_.size(); ++from) {
    for (unsigned to = 0; to < events_.size() && is_releaser(from); ++to) {
      if (is_acquirer(to)) synchronizes_.add(from, to);
    }
  }
}

// [intro.races] 12.
void enumeration::order_strongly() {
  strongly_before_ = before_;
  strongly_before_.add(before_.then(happens_before_).then(before_));
  for (unsigned from = 0; from < events_.size(); ++from) {
    for (unsigned to = 0; to < events_.size(); ++to) {
      if (synchronizes_.has(from, to) && is_sequential(from) && is_sequential(to))
        strongly_before_.add(from, to);
    }
  }
  strongly_before_.close();
}

// -------------------------------------------------------------------------------------------------
// modification order
auto enumeration::modification_orders(unsigned variable) const -> std::vector<places> {
  std::vector<unsigned> stores;
  for (unsigned e = 0; e < events_.size(); ++e) {
    if (is_on(e, variable) && events_[e].is_write) stores.push_back(e);
  }
  std::vector<places> orders;
  do {
    places at{};
    if (place_all(stores, variable, at) && is_coherent(variable, at)) orders.push_back(at);
  } while (std::next_permutation(stores.begin() + 1, stores.end()));
  return orders;
}

bool enumeration::place_all(const std::vector<unsigned>& stores, unsigned variable,
                            places& at) const {
  for (unsigned i = 0; i < stores.size(); ++i) {
    const event& e = events_[stores[i]];
    if (reads(e) && e.source != stores[i - 1]) return false;
    at[stores[i]] = static_cast<std::uint8_t>(2 * i);
  }
  for (unsigned e = variable_count; e < events_.size(); ++e) {
    if (is_on(e, variable) && !events_[e].is_write) at[e] = at[events_[e].source] + 1;
  }
  return true;
}

// The four rules of [intro.races] 15 to 18 are one: nothing happens before what is
// coherence-ordered before it.
bool enumeration::is_coherent(unsigned variable, const places& at) const {
  for (unsigned first = 0; first < events_.size(); ++first) {
    for (unsigned second = 0; second < events_.size() && is_on(first, variable); ++second) {
      if (is_on(second, variable) && happens_before_.has(first, second) && at[second] < at[first])
        return false;
    }
  }
  return true;
}

// -------------------------------------------------------------------------------------------------
// one order of all: [atomics.order] 4
//
// A total order exists if the relation that it must agree with has no cycle.
bool enumeration::has_order_of_all(const places& at) const {
  relation order = strongly_before_;
  for (unsigned first = 0; first < events_.size(); ++first) {
    for (unsigned second = 0; second < events_.size() && !is_fence(events_[first]); ++second) {
      if (is_on(second, events_[first].does.variable) && at[first] < at[second])
        order_around(first, second, order);
    }
  }
  return order.closes_acyclic();
}

// Of two operations one coherence-ordered before the other, each by itself if it is sequentially
// consistent, and by its fences.
void enumeration::order_around(unsigned first, unsigned second, relation& order) const {
  for (unsigned from = 0; from < events_.size(); ++from) {
    if (from == first ? !is_sequential(from)
                      : !(is_fence(events_[from]) && happens_before_.has(from, first)))
      continue;
    for (unsigned to = 0; to < events_.size(); ++to) {
      if (to == second ? is_sequential(to)
                       : is_fence(events_[to]) && happens_before_.has(second, to))
        order.add(from, to);
    }
  }
}

litmus_outcome enumeration::outcome_of(const places& at) const {
  litmus_outcome outcome;
  std::array<unsigned, variable_count> last{0, 1};
  for (unsigned e = variable_count; e < events_.size(); ++e) {
    outcome.push_back(events_[e].seen);
    unsigned& newest = last[events_[e].does.variable];
    if (events_[e].is_write && at[e] > at[newest]) newest = e;
  }
  std::transform(last.begin(), last.end(), std::back_inserter(outcome),
                 [&](unsigned store) { return written(store); });
  return outcome;
}

const char* name_of(std::memory_order order) {
  switch (order) {
    case std::memory_order_relaxed: return "relaxed";
    case std::memory_order_consume: return "consume";
    case std::memory_order_acquire: return "acquire";
    case std::memory_order_release: return "release";
    case std::memory_order_acq_rel: return "acq_rel";
    case std::memory_order_seq_cst: break;
  }
  return "seq_cst";
}

std::ostream& operator<<(std::ostream& to, const litmus_operation& each) {
  constexpr std::array names{"load", "store", "fetch_add", "exchange", "compare_exchange", "fence"};
  if (each.what == kind::fence) return to << "fence";
  to << "xy"[each.variable] << '.' << names[static_cast<unsigned>(each.what)] << '(';
  if (each.what == kind::compare_exchange) to << each.expected << ", ";
  if (each.what != kind::load) to << each.value << ", ";
  return to << name_of(each.order) << ')';
}

}  // namespace

std::ostream& operator<<(std::ostream& to, const litmus_program& program) {
  for (const auto& thread : program) {
    to << "  thread:";
    for (const litmus_operation& each : thread) to << ' ' << each << ';';
    to << '\n';
  }
  return to;
}

std::set<litmus_outcome> outcomes_by_axioms(const litmus_program& program) {
  return enumeration{program}.outcomes();
}

}  // namespace filch::testing
