#pragma once
#include <filch/base/clock.hpp>
#include <filch/dist/bag.hpp>
#include <filch/dist/runner.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace filch::inline v0_2::dist {

/// A run with bags `B` whose results meet in a monoid `M`.
template <class B, class M>
requires bag_of<B, typename M::result>
class bag_run final : public runner {
  using result_type = typename M::result;

 public:
  bag_run(transport& wires, thread_pool& pool, const parameters& how, B begins, M meets,
          unsigned width)
      : runner{wires, pool, how},
        empty_{without_tasks(begins)},
        begins_{std::move(begins)},
        monoid_{std::move(meets)},
        width_{width},
        result_{monoid_.identity} {}

  /// Before `run`: adds what a rank had in a checkpoint.
  void restore(const checkpoint_part& saved) {
    begins_.merge(bag_of_bytes(saved.bag, "a bag of a checkpoint"));
    add_result(saved.result);
  }
  /// Before `run`: a checkpoint has the tasks instead.
  void forget_tasks() { begins_ = empty_; }
  /// After `run`.
  result_type& total() noexcept { return *total_; }

 private:
  bool begin_local() override {
    if (begins_.size() == 0) return false;
    base::lock_guard guard{local_};
    start_job(std::exchange(begins_, B{empty_}));
    return true;
  }
  bool has_work() noexcept override {
    base::lock_guard guard{local_};
    return running_ > 0 || pot_;
  }
  bool has_running_jobs() noexcept override {
    base::lock_guard guard{local_};
    return running_ > 0;
  }

  checkpoint_part snapshot() override {
    base::lock_guard guard{local_};
    return {to_bytes(pot_ ? *pot_ : empty_), to_bytes(result_)};
  }
  void restart() override {
    base::lock_guard guard{local_};
    if (pot_) start_job(std::move(*take_pot_locked()));
  }

  // The protocol's, under `comm_`.
  std::optional<std::string> split() override {
    if (std::optional<B> share = take_pot()) return to_bytes(*share);
    std::optional<B> share = own_ != nullptr ? own_->split() : std::nullopt;
    if (!share) return std::nullopt;
    return to_bytes(*share);
  }
  void merge(std::string_view work) override {
    B come = empty_;
    input_archive in{work, "a share of work"};
    in& come;
    in.expect_end();
    base::lock_guard guard{local_};
    if (running_ < width_) return start_job(std::move(come));
    put_in_pot(std::move(come));
  }
  std::string result() override { return to_bytes(result_); }
  void add_result(std::string_view of_others) override {
    monoid_.add(result_, from_bytes<result_type>(of_others, "a result"));
  }
  void set_total(std::string_view of_all) override {
    total_ = from_bytes<result_type>(of_all, "the total");
  }

  B bag_of_bytes(std::string_view bytes, const char* what) const {
    B made = empty_;
    input_archive in{bytes, what};
    in& made;
    in.expect_end();
    return made;
  }
  /// An empty bag with the settings of `bag`.
  static B without_tasks(const B& bag) {
    if constexpr (requires {
                    { bag.without_tasks() } -> std::same_as<B>;
                  }) {
      return bag.without_tasks();
    } else {
      return B{};
    }
  }
  void start_job(B with) FILCH_REQUIRES(local_) {
    pool().submit([self = std::static_pointer_cast<bag_run>(shared_from_this()),
                   mine = std::move(with)]() mutable { self->work(std::move(mine)); });
    ++running_;
  }
  void put_in_pot(B more) FILCH_REQUIRES(local_) {
    pot_ ? pot_->merge(std::move(more)) : static_cast<void>(pot_.emplace(std::move(more)));
    is_pot_full_.store(true, base::relaxed);  // a hint; the lock decides
  }
  std::optional<B> take_pot() {
    if (!is_pot_full_.load(base::relaxed)) return std::nullopt;  // a hint; a later look sees it
    base::lock_guard guard{local_};
    return take_pot_locked();
  }
  std::optional<B> take_pot_locked() FILCH_REQUIRES(local_) {
    is_pot_full_.store(false, base::relaxed);
    return std::exchange(pot_, std::nullopt);
  }

  /// A job: runs a bag, and what comes into the pot, to its end.
  void work(B mine) noexcept {
    result_type found = monoid_.identity;
    std::uint64_t tasks = 0, busy_ns = 0;
    pace chunk;
    bool goes_on = true;
    while (goes_on) {
      try {
        const std::uint64_t begin_ns = base::now_ns();
        const std::size_t done = mine.process(chunk.count(), found);
        const std::uint64_t took_ns = base::now_ns() - begin_ns;
        tasks += done;
        busy_ns += took_ns;
        chunk.took(took_ns, done);
        share_between_chunks(mine);
        if (!must_halt() && mine.size() > 0) continue;
      } catch (...) {
        base::lock_guard guard{comm_};
        fail_by_exception();
      }
      goes_on = !ends(mine, found, tasks, busy_ns);
    }
    job_ended();
  }
  /// True: the job has added its figures and counts as running no more. False: it got a new bag.
  bool ends(B& mine, result_type& found, std::uint64_t tasks, std::uint64_t busy_ns) noexcept {
    base::lock_guard guard{local_};
    if (!must_halt() && pot_) {
      mine = std::move(*take_pot_locked());
      return false;
    }
    if (mine.size() > 0) put_in_pot(std::move(mine));
    monoid_.add(result_, std::move(found));
    report_.tasks += tasks;
    report_.busy_ns += busy_ns;
    --running_;
    return true;
  }
  void share_between_chunks(B& mine) {
    offer(mine);
    if (!needs_looks() || !comm_.try_lock()) return;
    own_ = &mine;
    progress();
    own_ = nullptr;
    comm_.unlock();
  }
  /// Refills the pot, if anyone could want something from there.
  void offer(B& mine) {
    if (is_pot_full_.load(base::relaxed) || (is_alone() && width_ == 1)) return;  // a hint
    std::optional<B> share = mine.split();
    if (!share) return;
    base::lock_guard guard{local_};
    if (running_ < width_) return start_job(std::move(*share));
    put_in_pot(std::move(*share));
  }

  const B empty_;
  B begins_;
  M monoid_;
  const unsigned width_;  ///< Jobs at once.
  B* own_ = nullptr;      ///< Under `comm_`: of the job that looks at the messages.
  base::mutex local_;     ///< Taken last.
  unsigned running_ FILCH_GUARDED_BY(local_) = 0;  ///< Jobs.
  std::optional<B> pot_ FILCH_GUARDED_BY(local_);
  base::atomic<bool> is_pot_full_{false};  ///< Writers: under `local_`. Readers: any.
  /// Under `local_` while jobs run, then under `comm_`.
  result_type result_;
  std::optional<result_type> total_;
};

}  // namespace filch::dist
