#pragma once
#include <filch/dist/transport.hpp>

#include <mpi.h>

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace filch::inline v0_2::dist {

/// Two-sided MPI: `MPI_Isend`, `MPI_Iprobe`, `MPI_Recv`, on a duplicate of `MPI_COMM_WORLD`.
class mpi_transport final : public transport {
 public:
  /// MPI is initialized. Called by all ranks.
  mpi_transport();
  ~mpi_transport();
  mpi_transport(const mpi_transport&) = delete;
  mpi_transport& operator=(const mpi_transport&) = delete;

  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return size_; }
  /// Of these, how many run on this machine.
  int ranks_here() const noexcept { return ranks_here_; }
  void send(int to, std::string bytes) override;
  std::optional<letter> receive() override;
  void finish_sends() override;
  std::vector<std::uint64_t> gather_all(const std::vector<std::uint64_t>& values) override;
  /// Waits until all ranks have called, but no longer than that.
  void meet_for(std::uint64_t most_ns);

 private:
  /// Its bytes stay where they are until MPI has sent them.
  struct sending {
    std::string bytes;
    MPI_Request request;
  };
  void drop_sent();

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1, ranks_here_ = 1;
  std::deque<sending> sends_;
};

}  // namespace filch::dist
