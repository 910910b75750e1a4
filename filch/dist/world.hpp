#pragma once
#include <filch/dist/communicator.hpp>

#include <exception>
#include <memory>

namespace filch::inline v0_2::dist {

namespace detail {

/// MPI's part of a world. Its headers stay behind it.
class FILCH_EXPORT mpi_part {
 public:
  mpi_part();
  ~mpi_part();
  mpi_part(const mpi_part&) = delete;
  mpi_part& operator=(const mpi_part&) = delete;
  transport& wires() noexcept;
  /// The pool's options, as the launcher leaves processors to this rank.
  pool_options workers(const world_options& options) const;
  /// Ends all ranks of the job, after each has had the time to say why if all know.
  [[noreturn]] void abort(bool all_know) noexcept;

 private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace detail

/// All ranks of the MPI job, and this rank's pool. One a process; made and destroyed by all ranks.
///
/// Initializes MPI if the program has not done so, with `MPI_THREAD_SERIALIZED`, and then also
/// finalizes it. Messages go through a communicator of its own, so the program may use MPI, too,
/// while no run is under way.
///
///     filch::dist::world ranks;
///     auto nodes = filch::dist::for_each_task(ranks, roots, expand, monoid);
///
/// MPI neither encrypts nor authenticates: run jobs in a network that you trust.
/// Blocks:  until all ranks have made theirs.
/// Threads: the constructor, the destructor and runs on one thread of each rank.
/// Throws:  `ranks_differ`; `std::runtime_error` if MPI has a lower thread level.
/// Lifetime: the destructor waits for all ranks. It ends the whole job instead after `run_failed`,
///          and if an exception leaves the scope of the world: the other ranks would wait for this
///          one. So catch and report inside that scope what may be thrown there.
/// Example: examples/dist_tasks.cpp
class FILCH_EXPORT world : private detail::mpi_part, public communicator {
 public:
  explicit world(const world_options& options = {});
  ~world();

 private:
  const int exceptions_ = std::uncaught_exceptions();
};

}  // namespace filch::dist
