#pragma once
// One run of a random program: what it keeps, and what plain functions and tasks share.
#include <filch/testing/random_program_test.hpp>

#include <filch/co.hpp>
#include <filch/sync.hpp>
#include <filch/testing.hpp>
#include <filch/testing/scarce_memory_test.hpp>

#include <optional>
#include <utility>
#include <vector>

namespace filch::inline v0_2::testing {

// The node that this thread is in; whatever begins inside must be a part of it.
inline constinit thread_local int innermost = -1;

/// A thing that jobs carry: as many must be destroyed as were made.
class token {
 public:
  explicit token(int& alive) noexcept : alive_{&alive} { ++*alive_; }
  token(const token& other) noexcept : token{*other.alive_} {}
  ~token() { --*alive_; }
  token& operator=(const token&) = delete;

 private:
  int* alive_;
};

class program_run {
 public:
  explicit program_run(random_program& what) : all_{what} {}

  void run();

 private:
  struct inside {
    explicit inside(int at) noexcept : outer{std::exchange(innermost, at)} {}
    ~inside() { innermost = outer; }
    const int outer;
  };
  node& at(int number) noexcept { return all_.nodes_[static_cast<std::size_t>(number)]; }
  bool is_part_of(int part, int whole) noexcept {
    while (part != whole && part != -1) part = at(part).parent;
    return part == whole;
  }
  void play_all();

  // Without memory.
  bool lacks_memory() const noexcept { return all_.lack_ == scarcity::memory; }
  void check_refused() const {
    check(memory_ && memory_->refused() != 0, "memory is short only where it was refused");
  }
  static thread_pool& make(std::optional<thread_pool>& room, const pool_options& wanted);
  static void make_default(std::optional<thread_pool>& room);
  void knock_until_over();
  void knock();
  void check_that_pools_work();
  /// Hands a part to the library, which takes it and begins it once, or throws and does not.
  template <class Call>
  decltype(auto) hand(int part, Call&& call) {
    try {
      if (!all_.stops_) at(part).said = answer::taken;
      return call();
    } catch (...) {
      at(part).said = answer::refused;
      throw;
    }
  }
  /// The part begins in the construct that it was handed to.
  void arrive(int part) { ++at(part).arrivals; }
  void check_all_arrived(const node& here);
  template <class Call>
  void run_all_or_throw(const node& here, Call&& call);

  // Plain functions.
  void play_any_root(int root);
  void play_root(int root);
  /// When a node ends, all that it has begun has ended, except what it has detached.
  class being_played {
   public:
    being_played(program_run& run, node& which) noexcept : run_{run}, which_{which} {
      which_.is_being_played = true;
    }
    ~being_played() {
      which_.is_being_played = false;
      if (which_.kind == node_kind::submitted || which_.kind == node_kind::dropped) return;
      for (const int each : which_.parts)
        check(!run_.at(each).is_being_played, "what a node began has ended with it");
    }

   private:
    program_run& run_;
    node& which_;
  };
  void play(int number);
  /// Not inline: a coroutine might keep using the thread that it has left.
  [[gnu::noinline]] void goes_on(int number) {
    check(is_part_of(number, innermost), "a wait runs only parts of what it waits for");
  }
  void begin(int number) {
    goes_on(number);
    ++at(number).runs;
  }
  void play_parts(int number, node& here);
  void play_group(node& here);
  bool may_fail(const node& group) const noexcept;
  void play_chain(node& here);
  void add_link(task_group& group, node& here, std::size_t i);
  void play_broken_loop(node& here);
  void play_reduction(node& here);
  void play_submitted(int number, node& here);
  void play_detached(int number);
  void play_visit(node& here);
  void play_guard(node& here);

  // Tasks.
  task<> task_of(int number);
  task<> part_of(int number);
  task<> root_of(int number, token);
  task<> dropped_root_of(int number, token);
  [[gnu::noinline]] static void begin_root();
  task<> call(int number, token);
  task<> await_parts(int number, token);
  template <class T>
  static void reserve(std::vector<T>& for_us, std::size_t count);
  task<> fork_parts(int number, token);
  task<> sleep_first(int number, token);
  task<> await_spawned(int number, token);
  task<> drop_spawned(int number, token);
  template <class Call>
  void hand_to_scope(int part, Call&& call);
  void add_to(co::scope& children, task<> child);
  task<> join_all(int number, co::scope& children);
  task<> await_scope(int number, token);
  struct contested {
    async_mutex lock;
    int holders = 0;
  };
  task<> hold(int number, contested& what, token);
  task<> contend(int number, token);
  template <class Gate>
  task<> pass(int number, Gate& by, std::size_t nth, token);
  template <class Gate>
  static task<> help_at(Gate& with, token);
  template <class Gate>
  task<> go_through(int number, token);
  task<> go_through_any_gate(int number);
  task<> send_parts(int number, channel<int>& to, token);
  task<> await_received(channel<int>& from, token);
  task<> await_piped(int number, token);
  task<> await_for_a_while(int number, token);
  task<> await_elsewhere(int number, token);
  task<> move_there_and_back(int number, token);
  void check_stops() const {
    check(all_.stops_, "a pool refuses tasks only if it was asked to stop");
  }

  random_program& all_;
  std::optional<scarce_memory> memory_;
  thread_pool* home_ = nullptr;
  thread_pool* other_ = nullptr;
  int alive_ = 0;
  bool is_over_ = false;
};

}  // namespace filch::testing
