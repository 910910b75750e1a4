#pragma once
#include <filch/base/mutex.hpp>
#include <filch/base/parker.hpp>
#include <filch/base/rng.hpp>
#include <filch/base/sync.hpp>
#include <filch/dist/checkpoint.hpp>
#include <filch/dist/pace.hpp>
#include <filch/dist/protocol.hpp>
#include <filch/dist/report.hpp>
#include <filch/dist/transport.hpp>
#include <filch/dist/wire.hpp>
#include <filch/sched/external_source.hpp>
#include <filch/sched/pool/pool.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace filch::inline v0_2::dist {

class runner;

/// Messages as an event source: idle workers look for them in turn.
class FILCH_EXPORT message_source final : public sched::external_source {
 public:
  bool poll(look why) noexcept override;
  bool wait_for(std::uint64_t nanoseconds) noexcept override;
  void interrupt() noexcept override;

  void begin(std::shared_ptr<runner> now);
  void end() noexcept;

 private:
  std::shared_ptr<runner> current() noexcept;

  base::mutex lock_;
  std::shared_ptr<runner> runs_ FILCH_GUARDED_BY(lock_);
  base::parker sleeper_;  ///< The poller's.
  /// Relaxed: the parker's token brings it. Writers: `interrupt`, the poller.
  base::atomic<bool> is_interrupted_{false};
};

/// One run on one rank, whatever its bags are: it joins the protocol, the transport and the pool.
/// `bag_run` knows the bags.
///
/// A bag that a worker has is its own. Half of it lies in the rank's **pot**, where other workers
/// and the protocol find it; the worker refills it between chunks.
///
/// Two locks, `comm_` before `local_`. The machine hears under `comm_` whether there is work.
/// Work begins under `comm_` or by a running job, so a rank that is dry under `comm_` stays so
/// until a message comes.
class FILCH_EXPORT runner : public surroundings, public std::enable_shared_from_this<runner> {
 public:
  struct parameters {
    protocol_options protocol{};
    run_identity identity{};
    std::uint64_t seed = 0;
    /// Written now and then, if set.
    std::optional<checkpoint_files> checkpoints{};
    std::uint64_t checkpoint_every_ns = 0;
    std::uint64_t last_checkpoint = 0;  ///< The number of the one restored.
  };
  runner(transport& wires, thread_pool& pool, const parameters& how);
  virtual ~runner() = default;
  runner(const runner&) = delete;
  runner& operator=(const runner&) = delete;

  /// Runs until all ranks have the total. Throws: `run_failed`; here what a task threw here.
  void run(message_source& source);
  /// Takes what has come, unless another thread does so. Returns whether anything had.
  bool try_progress() noexcept;
  const rank_report& report() const noexcept { return report_; }

 protected:
  // What `bag_run` does, under `comm_`.
  /// Submits a job for the bag that the rank begins with, if it has tasks.
  virtual bool begin_local() = 0;
  /// The pot and whatever a running job has.
  virtual bool has_work() noexcept = 0;
  virtual bool has_running_jobs() noexcept = 0;
  /// The pot and the partial result, while no job runs.
  virtual checkpoint_part snapshot() = 0;
  /// Submits a job for the pot, if that has anything.
  virtual void restart() = 0;

  // What `bag_run` calls in its jobs.
  /// Takes what has come. Returns whether anything had.
  bool progress() noexcept FILCH_REQUIRES(comm_);
  /// The last thing of a job, which has put back what it has.
  void job_ended() noexcept;
  /// Ends the run on all ranks. In a handler.
  void fail_by_exception() noexcept FILCH_REQUIRES(comm_);
  /// Jobs put their bags back and end.
  bool must_halt() const noexcept { return halts_.load(base::relaxed); }  // a hint, soon true
  bool is_alone() const noexcept { return machine_.size() == 1; }
  /// A job has to look at the messages, or at the time.
  bool needs_looks() const noexcept { return !is_alone() || checkpoints_; }
  thread_pool& pool() noexcept { return pool_; }

  base::mutex comm_;
  rank_report report_;  ///< `tasks` and `busy_ns` by `bag_run`.

 private:
  void send(int to, message what) final;
  std::uint64_t random() final;
  void begin_save() final;
  void all_saved() final;
  void save_if_halted();
  void take(const transport::letter& come);
  void wake_if_over() noexcept FILCH_REQUIRES(comm_);

  transport& wires_;
  thread_pool& pool_;
  protocol machine_;  ///< Under `comm_`, but for its size.
  links links_;       ///< Under `comm_`.
  base::split_mix64 random_;
  base::atomic<bool> halts_{false};  ///< Writers: under `comm_`. Readers: jobs.
  bool is_woken_ = false;            ///< Under `comm_`.
  const std::optional<checkpoint_files> checkpoints_;
  const std::uint64_t checkpoint_every_ns_;
  std::uint64_t checkpoint_number_;     ///< Under `comm_`: the last one begun.
  std::uint64_t checkpoint_at_ns_ = 0;  ///< Under `comm_`, at rank 0: when the next one is due.
  bool is_saving_ = false;              ///< Under `comm_`: jobs put their bags back.
  std::exception_ptr thrown_;           ///< Under `comm_`: the first on this rank.
  base::parker caller_;
};

}  // namespace filch::dist
