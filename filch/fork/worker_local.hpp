#pragma once
#include <filch/base/cache_line.hpp>
#include <filch/base/mutex.hpp>
#include <filch/sched/pool/pool.hpp>

#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

namespace filch::inline v0_2 {

/// One `T` per worker of a pool, made on its first use: for sums and scratch memory that need no
/// lock.
///
/// Cost: `local()` is an index and a test, 3 to 4 ns: in a loop over small elements call it once
/// for each chunk. The first call of a worker allocates. At least a cache line per worker.
/// Threads: `local()` by any worker of the pool; each gets its own. Do not keep a reference across
/// a call that may run another job on this worker, if that job uses the same `worker_local`. A
/// thread outside the pool, or one that runs alone (`thread_pool::run`), has a `T` too, found under
/// a lock. All other functions only while no thread uses it.
/// Lifetime: the pool outlives it. A job that gave its slot away and resumed is on the same thread
/// and keeps its `T`.
template <class T>
class worker_local {
  struct cell;

 public:
  /// For the workers of `with(pool)`; without it, for those of `pool_here()`. Each value is `T()`.
  /// Throws: `std::bad_alloc`.
  explicit worker_local(
      sched::uses<sched::a_pool> of = pool_here()) requires std::default_initializable<T>
      : worker_local{of, [] { return T(); }} {}
  /// Each value is `make()`, called by the worker that owns it; several workers may call it at
  /// once. Throws: `std::bad_alloc`.
  template <class Make>
  requires std::is_invocable_r_v<T, Make&>
  explicit worker_local(Make make) : worker_local{pool_here(), std::move(make)} {}
  /// The same for the workers of `with(pool)`.
  template <class Make>
  requires std::is_invocable_r_v<T, Make&> worker_local(sched::uses<sched::a_pool> of, Make make)
      : pool_{&of.pool_or_here()},
        cells_(pool_->worker_capacity()),
        maker_{new made_by<Make>(std::move(make))} {}
  /// As it was called in 0.1.
  template <class Make>
  requires std::is_invocable_r_v<T, Make&>
  [[deprecated("use worker_local(with(pool), make)")]] worker_local(Make make, thread_pool& pool)
      : worker_local{pool, std::move(make)} {}
  worker_local(const worker_local&) = delete;
  worker_local& operator=(const worker_local&) = delete;
  ~worker_local() {
    clear();
    delete maker_;
  }

  /// Returns the calling worker's own `T`, made on the first call.
  /// Throws: what making it throws; `std::bad_alloc`.
  T& local() {
    if (!pool_->is_current()) [[unlikely]]
      return local_outside();
    cell*& mine = cells_[worker_index()];
    if (mine == nullptr) mine = new cell{maker_->make()};
    return mine->value;
  }

  /// The number of values made. Cost: O(`worker_capacity`), as all below.
  std::size_t size() const noexcept {
    std::size_t made = 0;
    for (const_iterator each = begin(); each != end(); ++each) ++made;
    return made;
  }
  bool empty() const noexcept { return begin() == end(); }
  /// Destroys all values.
  void clear() noexcept {
    for (cell*& each : cells_) delete std::exchange(each, nullptr);
    for (const outsider& each : outsiders_) delete each.own;
    outsiders_.clear();
  }

  /// Visits the values, in the order of worker indices.
  template <class Value>
  class basic_iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = Value*;
    using reference = Value&;

    basic_iterator() = default;
    Value& operator*() const noexcept { return all_->at(index_)->value; }
    Value* operator->() const noexcept { return &**this; }
    basic_iterator& operator++() noexcept {
      ++index_;
      return skip();
    }
    basic_iterator operator++(int) noexcept {
      const basic_iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const basic_iterator&) const noexcept = default;

   private:
    friend worker_local;
    basic_iterator(const worker_local* all, std::size_t index) noexcept : all_{all}, index_{index} {
      skip();
    }
    basic_iterator& skip() noexcept {
      while (index_ != all_->bound() && all_->at(index_) == nullptr) ++index_;
      return *this;
    }
    const worker_local* all_ = nullptr;
    std::size_t index_ = 0;
  };
  using iterator = basic_iterator<T>;
  using const_iterator = basic_iterator<const T>;
  iterator begin() noexcept { return {this, 0}; }
  iterator end() noexcept { return {this, bound()}; }
  const_iterator begin() const noexcept { return {this, 0}; }
  const_iterator end() const noexcept { return {this, bound()}; }

  template <class F>
  void for_each(F&& f) {
    for (T& each : *this) f(each);
  }
  /// Folds all values with `op`, starting from `start`, in the order of worker indices. If `op`
  /// accepts rvalues, it gets both operands as rvalues and may move from them; the values are then
  /// as it leaves them.
  template <class Op>
  T combine(T start, Op&& op) {
    for (T& each : *this) start = merged(op, std::move(start), each);
    return start;
  }
  /// The same, starting from the first value. If there is none, it makes one.
  template <class Op>
  requires std::invocable<Op&, T, T> || std::invocable<Op&, T, T&> T combine(Op&& op) {
    iterator next = begin();
    if (next == end()) return maker_->make();
    T start = std::move(*next);
    while (++next != end()) start = merged(op, std::move(start), *next);
    return start;
  }

 private:
  struct alignas(base::cache_line_bytes) alignas(T) cell {
    T value;
  };
  struct maker {
    virtual ~maker() = default;
    virtual T make() = 0;
  };
  template <class Make>
  struct made_by final : maker {
    explicit made_by(Make how) : how_{std::move(how)} {}
    T make() override { return how_(); }
    Make how_;
  };
  /// The value of a thread without an index in the pool. The address of its `current_stack`
  /// identifies it among all running threads.
  struct outsider {
    const void* thread;
    cell* own;
  };

  template <class Op>
  static T merged(Op& op, T&& start, T& each) {
    if constexpr (std::invocable<Op&, T, T>) {
      return op(std::move(start), std::move(each));
    } else {
      return op(std::move(start), each);
    }
  }
  std::size_t bound() const noexcept { return cells_.size() + outsiders_.size(); }
  cell* at(std::size_t index) const noexcept {
    return index < cells_.size() ? cells_[index] : outsiders_[index - cells_.size()].own;
  }

  [[gnu::cold, gnu::noinline]] T& local_outside() {
    const void* const me = &sched::current_stack;
    base::lock_guard guard{lock_};
    for (const outsider& each : outsiders_) {
      if (each.thread == me) return each.own->value;
    }
    outsiders_.reserve(outsiders_.size() + 1);
    outsiders_.push_back({me, new cell{maker_->make()}});
    return outsiders_.back().own->value;
  }

  thread_pool* pool_;
  std::vector<cell*> cells_;
  maker* const maker_;  ///< Made last: if another member throws, nothing frees it.
  base::mutex lock_;
  std::vector<outsider> outsiders_;
};

}  // namespace filch
