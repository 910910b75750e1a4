// As the static_thread_pool of P2300's reference: each thread has a queue, a lock and a condition
// variable. Submissions go round the queues; a thread without work tries the others' queues, then
// sleeps at its own. In bulk each thread has an equal share.
#include <bench/senders/problem.hpp>

#include <deque>
#include <functional>
#include <thread>
#include <utility>

namespace {

using job = std::function<void()>;

class queue_of_thread {
 public:
  bool try_push(job& added) {
    {
      const std::unique_lock guard{lock_, std::try_to_lock};
      if (!guard) return false;
      jobs_.push_back(std::move(added));
    }
    changed_.notify_one();
    return true;
  }
  void push(job added) {
    {
      const std::lock_guard guard{lock_};
      jobs_.push_back(std::move(added));
    }
    changed_.notify_one();
  }
  bool try_pop(job& taken) {
    const std::unique_lock guard{lock_, std::try_to_lock};
    return guard && take_first(taken);
  }
  /// Waits for a job. False: there will be none.
  bool pop(job& taken) {
    std::unique_lock guard{lock_};
    changed_.wait(guard, [&] { return is_closed_ || !jobs_.empty(); });
    return take_first(taken);
  }
  void close() {
    {
      const std::lock_guard guard{lock_};
      is_closed_ = true;
    }
    changed_.notify_one();
  }

 private:
  bool take_first(job& taken) {
    if (jobs_.empty()) return false;
    taken = std::move(jobs_.front());
    jobs_.pop_front();
    return true;
  }

  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<job> jobs_;
  bool is_closed_ = false;
};

class static_pool {
 public:
  explicit static_pool(unsigned workers) : queues_(workers) {
    for (unsigned i = 0; i != workers; ++i) threads_.emplace_back([this, i] { serve(i); });
  }
  ~static_pool() {
    for (queue_of_thread& each : queues_) each.close();
    for (std::thread& each : threads_) each.join();
  }
  void submit(job added) {
    const std::size_t first = next_.fetch_add(1, std::memory_order_relaxed);
    for (std::size_t i = 0; i != queues_.size(); ++i) {
      if (queues_[(first + i) % queues_.size()].try_push(added)) return;
    }
    queues_[first % queues_.size()].push(std::move(added));
  }
  template <class Item, class Done>
  void bulk(std::uint64_t count, Item item, Done done) {
    const std::uint64_t shares = queues_.size();
    const auto left = std::make_shared<std::atomic<std::uint64_t>>(shares);
    for (std::uint64_t k = 0; k != shares; ++k) {
      queues_[k].push([=] {
        for (std::uint64_t i = k * count / shares; i != (k + 1) * count / shares; ++i) item(i);
        if (left->fetch_sub(1, std::memory_order_acq_rel) == 1) done();
      });
    }
  }

 private:
  void serve(unsigned index) {
    for (job taken;;) {
      bool found = false;
      for (std::size_t i = 0; !found && i != queues_.size(); ++i) {
        found = queues_[(index + i) % queues_.size()].try_pop(taken);
      }
      if (!found && !queues_[index].pop(taken)) return;
      taken();
    }
  }

  std::vector<queue_of_thread> queues_;
  std::atomic<std::size_t> next_{0};
  std::vector<std::thread> threads_;
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::senders::as("mutex"));
  bench::senders::measure<static_pool>(me);
  return me.exit_status();
}
