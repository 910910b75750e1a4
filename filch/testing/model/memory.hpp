#pragma once
// The C++ memory model as a machine that takes one step at a time: what a load may return and where
// a store may land. README.md, "The explorer", is the argument; search.hpp drives it through every
// choice.
#include <filch/testing/model/order_of_all.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace filch::inline v0_2::testing {

/// Makes the choices that the memory model leaves open, and is told when an execution is wrong.
class oracle {
 public:
  virtual ~oracle() = default;
  /// One of `option_count` values, below it. Not called for a single option.
  virtual unsigned pick(unsigned option_count) = 0;
  /// The execution breaks a rule; what follows in it means nothing.
  virtual void fail(const char* finding) = 0;
};

/// The value that a read-modify-write stores, as a function of the value that it read.
struct update {
  enum class kind : unsigned char {
    exchange,
    add,
    subtract,
    set_bits,
    keep_bits,
    compare_exchange
  };
  kind what;
  std::uint64_t operand;
  /// For `compare_exchange`: if it sees another value, it is a relaxed load.
  std::uint64_t expected = 0;
  std::uint64_t mask = ~std::uint64_t{0};

  bool applies_to(std::uint64_t seen) const noexcept {
    return what != kind::compare_exchange || seen == expected;
  }
  std::uint64_t operator()(std::uint64_t seen) const noexcept;
};

/// One execution's atomic variables, plain variables, locks and threads.
///
/// An atomic variable is its modification order. A thread is a vector clock and a view: for each
/// variable, the oldest store that it may still return. A load picks any store from its view on. A
/// store lands anywhere behind its view. A read-modify-write lands directly behind the store that
/// it read. A release store carries its thread's view, and an acquire load takes it over. No choice
/// is made that contradicts every total order of the sequentially consistent operations.
/// Source: J. Kang et al., "A Promising Semantics for Relaxed-Memory Concurrency", POPL 2017,
/// without its promises.
class memory_model {
 public:
  using word = std::uint64_t;
  using location = unsigned;
  /// One of them builds the scenario and checks it afterwards.
  static constexpr unsigned max_threads = order_of_all::max_threads;
  static constexpr unsigned max_locations = 192;

  explicit memory_model(oracle& decides) : decides_{decides}, variables_(max_locations) {}

  /// Forgets everything. Thread 0 exists, and must start the others.
  void restart();
  /// `started` sees what `by` has done.
  void start(unsigned started, unsigned by);
  /// `by` sees what `ended` has done.
  void join(unsigned ended, unsigned by);

  location create(unsigned by, word value);
  word load(unsigned by, location at, std::memory_order order);
  void store(unsigned by, location at, word value, std::memory_order order);
  /// Returns the value that it read.
  word read_modify_write(unsigned by, location at, const update& change, std::memory_order order);
  void destroy(unsigned by, location at);

  /// The value that the kernel compares a futex word with. It may be old: a store may wait in a
  /// buffer until its thread wakes a sleeper.
  word look_at_futex(unsigned by, location at);
  /// Operations on one futex word are totally ordered: from here on the kernel sees what `by` sees.
  void wake_at_futex(unsigned by, location at);

  void fence(unsigned by);
  /// A fence in every thread at once, as Linux's membarrier does it.
  void fence_everybody(unsigned by);

  /// A lock is a variable: 0 is open. The caller must lock only an open one.
  bool is_locked(location mutex) const { return variables_[mutex].order.back().value != 0; }
  void lock(unsigned by, location mutex);
  /// May fail although the lock is open, if the last unlocking is not seen yet.
  bool try_lock(unsigned by, location mutex);
  void unlock(unsigned by, location mutex);

  using epoch = std::uint16_t;  ///< Steps of one thread.
  /// The last write to a plain variable, and each thread's last read. The variable keeps it.
  struct footprint {
    epoch written_at = 0;
    std::uint8_t writer = 0;
    bool is_alive = false;
    std::array<epoch, max_threads> read_at{};
  };
  void create_plain(unsigned by, footprint& of) const;
  void read_plain(unsigned by, footprint& of);
  void write_plain(unsigned by, footprint& of);
  void destroy_plain(unsigned by, footprint& of);

  /// Adds what a thread saw outside the memory, so that states differ if their futures may.
  void note(unsigned by, std::uint64_t seen);
  /// Equal for states with the same futures, and (except for a collision of 64 bits) only for them.
  std::uint64_t state() const;
  /// The last operation in words, for the history.
  std::string last_step() const;

 private:
  struct view {
    std::array<std::uint8_t, max_locations> positions{};
    std::array<epoch, max_threads> clock{};
    /// The sequentially consistent operations that strongly happen before it.
    order_of_all::beginnings strongly{};
    order_of_all::beginnings fences{};  ///< Of them the last fences that happen before.

    void merge(const view& other);
    std::uint64_t hash() const;
  };
  /// How the events at one place of a modification order enter the order of all: [atomics.order] 4.
  /// An event stands there for itself, if it is sequentially consistent, and for its fences.
  struct ends {
    order_of_all::beginnings before{};  ///< An event there and the fences that happen before one.
    order_of_all::endings behind{};     ///< An event there and the fences that one happens before.

    void merge(const ends& other);
  };
  struct message {
    word value;
    bool is_update;                  ///< No store lands between it and the store before it.
    view released;                   ///< What an acquire load takes over; empty if it is relaxed.
    mutable std::uint64_t hash = 0;  ///< 0: to be computed.
    ends stores;                     ///< Of the store itself.
    ends loads;                      ///< Of the loads that read it.

    void add_load(const ends& of);
    std::uint64_t compute_hash() const;
  };
  struct variable {
    std::vector<message> order;  ///< Modification order.
    footprint life;              ///< Its construction and destruction are plain accesses.
    /// Of a futex word: the oldest store that its next operation may see.
    std::uint8_t seen_by_kernel = 0;
  };
  struct thread {
    view seen;        ///< What happens before its next step, and the oldest stores it may return.
    view acquirable;  ///< What an acquire fence would add.
    view fenced;      ///< What its relaxed stores carry since its last fence.
    std::uint64_t past = 0;
    location created_count = 0;
  };

  variable& use(unsigned by, location at);
  /// An event to come, between its predecessors and successors in the modification order.
  struct surroundings {
    order_of_all::beginnings below;
    order_of_all::endings above;
  };
  order_of_all::beginnings below(location at, unsigned position, unsigned beside) const;
  order_of_all::endings from(location at, unsigned position, unsigned beside) const;
  surroundings around_store(location at, unsigned position) const;
  surroundings around_load(location at, unsigned position) const;
  bool may_load(unsigned by, location at, unsigned position, std::memory_order order) const;
  bool may_store(unsigned by, location at, unsigned position, std::memory_order order) const;
  bool is_free(unsigned by, std::memory_order order) const;
  bool fits(unsigned by, const surroundings& around, std::memory_order order) const;
  ends put_in_order(unsigned by, const surroundings& around, std::memory_order order);
  message read(unsigned by, location at, unsigned position, std::memory_order order);
  void write(unsigned by, location at, unsigned position, message stored, std::memory_order order);
  void make_room(location at, unsigned position);
  void fence_behind(unsigned by, order_of_all::beginnings before);
  void end_step(unsigned by, char what, location at, word value);
  bool knows(unsigned who, unsigned writer, epoch when) const {
    return threads_[who].seen.clock[writer] >= when;
  }

  oracle& decides_;
  std::vector<variable> variables_;
  std::array<thread, max_threads> threads_;
  order_of_all sequential_;
  struct {
    char what;
    location at;
    word value;
  } last_{};
};

}  // namespace filch::testing
