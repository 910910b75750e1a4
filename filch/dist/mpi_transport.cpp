#include <filch/dist/mpi_transport.hpp>

#include <filch/base/parker.hpp>

#include <algorithm>
#include <utility>

namespace filch::inline v0_2::dist {

namespace {

constexpr int our_tag = 17;

/// Waits for `request`, for at most `most_ns`, by looks with pauses: ranks that wait for others
/// leave them the processors. MPI itself would spin.
void wait_quietly(MPI_Request& request, std::uint64_t most_ns = ~std::uint64_t{0}) {
  constexpr std::uint64_t longest_pause_ns = 1'000'000;
  base::parker pause;
  std::uint64_t waited_ns = 0;
  for (std::uint64_t pause_ns = 10'000; waited_ns < most_ns;
       pause_ns = (std::min)(2 * pause_ns, longest_pause_ns)) {
    int is_done = 0;
    MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    if (is_done) return;
    static_cast<void>(pause.park_for(pause_ns));
    waited_ns += pause_ns;
  }
}

}  // namespace

mpi_transport::mpi_transport() {
  MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
  MPI_Comm here = MPI_COMM_NULL;
  MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &here);
  MPI_Comm_size(here, &ranks_here_);
  MPI_Comm_free(&here);
}

mpi_transport::~mpi_transport() { MPI_Comm_free(&comm_); }

void mpi_transport::send(int to, std::string bytes) {
  drop_sent();
  sending& next = sends_.emplace_back(sending{std::move(bytes), MPI_REQUEST_NULL});
  MPI_Isend(next.bytes.data(), static_cast<int>(next.bytes.size()), MPI_BYTE, to, our_tag, comm_,
            &next.request);
}

/// Frees the oldest that MPI has sent.
void mpi_transport::drop_sent() {
  while (!sends_.empty()) {
    int is_done = 0;
    MPI_Test(&sends_.front().request, &is_done, MPI_STATUS_IGNORE);
    if (!is_done) return;
    sends_.pop_front();
  }
}

std::optional<transport::letter> mpi_transport::receive() {
  int has_come = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, our_tag, comm_, &has_come, &status);
  if (!has_come) {
    drop_sent();
    return std::nullopt;
  }
  int count = 0;
  MPI_Get_count(&status, MPI_BYTE, &count);
  letter come{status.MPI_SOURCE, std::string(static_cast<std::size_t>(count), '\0')};
  MPI_Recv(come.bytes.data(), count, MPI_BYTE, status.MPI_SOURCE, our_tag, comm_,
           MPI_STATUS_IGNORE);
  return come;
}

void mpi_transport::finish_sends() {
  for (sending& each : sends_) wait_quietly(each.request);
  sends_.clear();
}

std::vector<std::uint64_t> mpi_transport::gather_all(const std::vector<std::uint64_t>& values) {
  const int count = static_cast<int>(values.size());
  std::vector<std::uint64_t> all(values.size() * static_cast<std::size_t>(size_));
  MPI_Request request;
  MPI_Iallgather(values.data(), count, MPI_UINT64_T, all.data(), count, MPI_UINT64_T, comm_,
                 &request);
  wait_quietly(request);
  return all;
}

void mpi_transport::meet_for(std::uint64_t most_ns) {
  MPI_Request request;
  MPI_Ibarrier(comm_, &request);
  wait_quietly(request, most_ns);
}

}  // namespace filch::dist
