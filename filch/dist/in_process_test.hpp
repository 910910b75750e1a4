#pragma once
// Ranks as threads of this process, each with a pool of its own.
#include <filch/dist/communicator.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace filch::inline v0_2::dist {

/// Mailboxes, and a table for `gather_all`.
class post_office {
 public:
  explicit post_office(int ranks) : boxes_(static_cast<std::size_t>(ranks)) {}

  int size() const { return static_cast<int>(boxes_.size()); }
  void put(int to, transport::letter next) {
    const std::lock_guard guard{lock_};
    boxes_[static_cast<std::size_t>(to)].push_back(std::move(next));
  }
  std::optional<transport::letter> take(int of) {
    const std::lock_guard guard{lock_};
    auto& box = boxes_[static_cast<std::size_t>(of)];
    if (box.empty()) return std::nullopt;
    transport::letter next = std::move(box.front());
    box.pop_front();
    return next;
  }
  /// Of those that lie here now.
  std::size_t undelivered() {
    const std::lock_guard guard{lock_};
    std::size_t sum = 0;
    for (auto& each : boxes_) sum += each.size();
    return sum;
  }
  std::vector<std::uint64_t> gather_all(int rank, const std::vector<std::uint64_t>& values) {
    std::unique_lock guard{lock_};
    const std::uint64_t round = round_;
    table_.resize(boxes_.size() * values.size());
    std::ranges::copy(values, table_.begin() + static_cast<std::ptrdiff_t>(
                                                   static_cast<std::size_t>(rank) * values.size()));
    if (++present_ == boxes_.size()) {
      result_ = std::move(table_);
      table_.clear();
      present_ = 0;
      ++round_;
      changed_.notify_all();
    }
    changed_.wait(guard, [&] { return round_ != round; });
    return result_;
  }

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  std::vector<std::deque<transport::letter>> boxes_;
  std::vector<std::uint64_t> table_, result_;
  std::size_t present_ = 0;
  std::uint64_t round_ = 0;
};

class in_process final : public transport {
 public:
  in_process(post_office& all, int rank) : all_{all}, rank_{rank} {}
  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return all_.size(); }
  void send(int to, std::string bytes) override { all_.put(to, {rank_, std::move(bytes)}); }
  std::optional<letter> receive() override { return all_.take(rank_); }
  void finish_sends() override {}
  std::vector<std::uint64_t> gather_all(const std::vector<std::uint64_t>& values) override {
    return all_.gather_all(rank_, values);
  }

 private:
  post_office& all_;
  int rank_;
};

/// Calls `body(communicator)` on so many ranks with so many workers each. Expects that no message
/// is left, unless a run failed.
inline void on_ranks(int ranks, unsigned workers, const std::function<void(communicator&)>& body) {
  post_office all{ranks};
  std::vector<std::thread> threads;
  bool has_failed = false;
  std::mutex lock;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      in_process wires{all, rank};
      communicator here{wires, {.workers = workers}, {}};
      try {
        body(here);
      } catch (const std::exception& problem) {
        ADD_FAILURE() << "rank " << rank << ": " << problem.what();
      }
      const std::lock_guard guard{lock};
      has_failed |= here.has_failed();
    });
  for (std::thread& each : threads) each.join();
  if (has_failed) return;
  EXPECT_EQ(all.undelivered(), 0u);
}

}  // namespace filch::dist
