// Central stack: one list of jobs for all workers, without a lock: a linked stack whose head
// changes by compare-and-swap.
//
// Source: Treiber, "Systems Programming: Coping with Parallelism", IBM RJ 5118, 1986; the tag
//         against ABA is from the System/370 Principles of Operation.
// Cost:   a compare-and-swap on the one head for each spawn and again for each job taken. No worker
//         ever waits for a preempted one, which is what lock-free means.
// Hurts:  the head is one cache line that every worker writes: it travels for every job, and each
//         swap that fails is repeated. No lock, same bottleneck. Jobs also land on any worker, so
//         nothing stays in the cache that made it.
// Tuned:  each worker keeps its own list of free nodes, so the allocator is not a bottleneck; a
//         push wakes one sleeper.
#include <compare/crew.hpp>
#include <compare/rivals.hpp>

#include <array>
#include <deque>
#include <optional>

namespace filch::compare {
namespace {

/// Where a node lives: a number, not a pointer, so that a number and a tag fit one word.
using node_number = std::uint32_t;

struct node {
  job payload;
  /// Writer: the pusher. A late reader of a reused node loses its exchange.
  base::atomic<node_number> below{0};
};

/// Nodes in blocks that stay where they are while the stack lives: a worker may look at a node that
/// another has just taken.
class node_store {
 public:
  static constexpr std::size_t block_nodes = 1024;

  node& operator[](node_number number) noexcept {
    return blocks_[number / block_nodes][number % block_nodes];
  }

  /// Adds a block's numbers to `free`. Returns false when all blocks are used: four million waiting
  /// jobs.
  bool refill(std::vector<node_number>& free) {
    const std::size_t block = used_blocks_.fetch_add(
        1, base::relaxed);  // only the number matters; `hand_over` publishes the block
    if (block >= blocks_.size()) return false;
    blocks_[block] = std::make_unique<node[]>(block_nodes);
    for (std::size_t i = 0; i < block_nodes; ++i)
      free.push_back(static_cast<node_number>(block * block_nodes + i));
    return true;
  }

 private:
  std::array<std::unique_ptr<node[]>, 4096> blocks_;
  base::atomic<std::size_t> used_blocks_{0};  ///< Writers: any worker, by read-modify-write.
};

/// Top of the stack, and how often it changed: two equal words mean that nothing happened in
/// between.
struct alignas(8) head {  // aligned as a word, or clang asks a library for its atomics
  static constexpr node_number none = ~node_number{0};
  node_number top = none;
  std::uint32_t tag = 0;
};

class central_stack final : public scheduler {
  struct alignas(base::cache_line_bytes) seat final : worker {
    seat(unsigned index, tally& counts, central_stack& owner)
        : worker{index, counts}, stack{owner} {}
    void spawn(const job& child) override {
      if (free.empty() && !stack.store_.refill(free)) return run(child);
      stack.push(free.back(), child);
      free.pop_back();
      stack.lobby_.wake_one();
    }
    central_stack& stack;
    std::vector<node_number> free;
  };

 public:
  explicit central_stack(unsigned workers)
      : scheduler{workers}, lobby_{workers}, crew_{workers, [this](unsigned index) {
                                                     work(seats_[index]);
                                                   }} {
    for (unsigned index = 0; index < workers; ++index)
      seats_.emplace_back(index, tally_of(index), *this);
  }

 private:
  void run_tree(const job& root) override {
    lobby_.open();
    seats_.front().spawn(root);
    crew_.round();
  }

  void work(seat& me) {
    do {
      while (const std::optional<node_number> taken = pop()) {
        const job next = store_[*taken].payload;
        me.free.push_back(*taken);
        me.run(next);
      }
    } while (lobby_.wait_for_work(
        me.index(), [this] { return head_.load(base::seq_cst<edge::sleep>).top != head::none; }));
  }

  void push(node_number number, const job& child) {
    store_[number].payload = child;
    // A stale head fails the exchange, which brings the true one
    head seen = head_.load(base::relaxed);
    do {
      store_[number].below.store(seen.top, base::relaxed);  // goes out with the exchange
    } while (!head_.compare_exchange(seen, {number, seen.tag + 1}, base::seq_cst<edge::sleep>));
  }

  std::optional<node_number> pop() {
    for (;;) {
      // Anew after a failed exchange, which acquires nothing
      head seen = head_.load(base::acquire<edge::hand_over>);
      if (seen.top == head::none) return std::nullopt;
      const node_number below = store_[seen.top].below.load(
          base::relaxed);  // wrong if another pop was faster: the tag has changed then
      if (head_.compare_exchange(seen, {below, seen.tag + 1}, base::seq_cst<edge::hand_over>))
        return seen.top;
    }
  }

  /// Writers: every worker. Only by compare-and-swap.
  alignas(base::cache_line_bytes) base::atomic<head> head_{head{}};
  alignas(base::cache_line_bytes) node_store store_;
  lobby lobby_;
  std::deque<seat> seats_;
  crew crew_;  // last: its threads use the rest
};

}  // namespace

std::unique_ptr<scheduler> make_central_stack(unsigned workers) {
  return std::make_unique<central_stack>(workers);
}

}  // namespace filch::compare
