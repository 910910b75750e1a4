// Work sharing: a worker that makes work gives it away. A worker that spawns while it has enough
// looks at another worker and, if that one has little, sends it its own oldest job.
//
// Source: Eager, Lazowska and Zahorjan, "Adaptive Load Sharing in Homogeneous Distributed Systems",
//         IEEE Trans. Software Eng. 1986: the threshold policy. They compare it with the receiver's
//         side, which is stealing, in Performance Evaluation 6, 1986.
// Cost:   a spawn is a copy into a private stack and a look at another worker's load, which that
//         worker changes all the time; a job sent costs a lock and, if its receiver sleeps, a wake.
// Hurts:  busy workers pay for the balance, at every spawn, even when all are busy (Blumofe and
//         Leiserson, JACM 1999, make this the argument for stealing). A worker that runs dry must
//         wait until another one looks at it.
// Tuned:  the oldest job is sent, as it has the largest subtree; one look per spawn; own load
//         counts as enough from `enough` on.
#include <compare/crew.hpp>
#include <compare/private_stack.hpp>
#include <compare/rivals.hpp>
#include <filch/base/rng.hpp>

#include <deque>

namespace filch::compare {
namespace {

/// Jobs, beside the one that runs. A guess: the smallest number that leaves the sender something.
constexpr unsigned enough = 2;

class work_sharing final : public scheduler {
  struct alignas(base::cache_line_bytes) seat final : worker {
    seat(unsigned index, tally& counts, work_sharing& owner)
        : worker{index, counts}, room{owner}, random{index} {}

    void spawn(const job& child) override {
      own.push_back(child);
      publish_load();
      if (own.size() >= enough) room.share(*this);
    }
    // A hint to pushers
    void publish_load() noexcept {
      own_load.store(static_cast<unsigned>(own.size()), base::relaxed);
    }
    unsigned load() const noexcept {
      return own_load.load(base::relaxed) + sent_load.load(base::relaxed);
    }

    work_sharing& room;
    base::split_mix64 random;
    std::deque<job> own;  ///< Owner only.
    base::mutex mutex;
    std::vector<job> inbox FILCH_GUARDED_BY(mutex);
    /// Writer: owner. Readers: pushers.
    alignas(base::cache_line_bytes) base::atomic<unsigned> own_load{0};
    /// Writers: pushers and owner, under the lock.
    base::atomic<unsigned> sent_load{0};
  };

 public:
  explicit work_sharing(unsigned workers)
      : scheduler{workers}, lobby_{workers}, crew_{workers, [this](unsigned index) {
                                                     work(seats_[index]);
                                                   }} {
    for (unsigned index = 0; index < workers; ++index)
      seats_.emplace_back(index, tally_of(index), *this);
  }

 private:
  void run_tree(const job& root) override {
    lobby_.open();
    send(root, seats_.front());
    crew_.round();
  }

  void work(seat& me) {
    do {
      while (!me.own.empty() || open_inbox(me)) {
        const job next = me.own.back();
        me.own.pop_back();
        me.publish_load();
        me.run(next);
      }
    } while (lobby_.wait_for_work(me.index(), [&me] { return has_mail(me); }));
  }

  void share(seat& me) {
    if (seats_.size() == 1) return;
    seat& other = random_other(me);
    if (other.load() >= enough) return;
    send(me.own.front(), other);
    me.own.pop_front();
    me.publish_load();
  }

  seat& random_other(seat& me) {
    const std::size_t distance =
        1 + base::below(me.random(), static_cast<std::uint32_t>(seats_.size() - 1));
    return seats_[(me.index() + distance) % seats_.size()];
  }

  void send(const job& sent, seat& receiver) {
    {
      const base::lock_guard lock{receiver.mutex};
      receiver.inbox.push_back(sent);
      // A hint to other pushers
      receiver.sent_load.store(static_cast<unsigned>(receiver.inbox.size()), base::relaxed);
    }
    lobby_.wake(receiver.index());
  }

  static bool open_inbox(seat& me) {
    const base::lock_guard lock{me.mutex};
    me.own.insert(me.own.end(), me.inbox.begin(), me.inbox.end());
    me.inbox.clear();
    me.sent_load.store(0, base::relaxed);
    me.publish_load();
    return !me.own.empty();
  }

  static bool has_mail(seat& me) {
    const base::lock_guard lock{me.mutex};
    return !me.inbox.empty();
  }

  lobby lobby_;
  std::deque<seat> seats_;
  crew crew_;  // last: its threads use the rest
};

}  // namespace

std::unique_ptr<scheduler> make_work_sharing(unsigned workers) {
  return std::make_unique<work_sharing>(workers);
}

}  // namespace filch::compare
