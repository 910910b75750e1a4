#include <filch/dist/world.hpp>

#include <filch/dist/mpi_transport.hpp>

#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>

namespace filch::inline v0_2::dist {

namespace {

/// MPI, for as long as the world lives.
class mpi_session {
 public:
  mpi_session() {
    int was_initialized = 0, level = 0;
    MPI_Initialized(&was_initialized);
    if (was_initialized) {
      MPI_Query_thread(&level);
    } else {
      MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
      is_ours_ = true;
    }
    if (level >= MPI_THREAD_SERIALIZED) return;
    finalize();
    throw std::runtime_error(
        "filch: MPI must allow several threads: initialize it with MPI_THREAD_SERIALIZED or more");
  }
  ~mpi_session() { finalize(); }
  mpi_session(const mpi_session&) = delete;
  mpi_session& operator=(const mpi_session&) = delete;

 private:
  void finalize() noexcept {
    if (is_ours_) MPI_Finalize();
  }
  bool is_ours_ = false;
};

int number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? 0 : std::atoi(text);
}

/// Another MPI's launcher starts processes that do not know each other, and each would compute the
/// whole problem. Launchers tell in the environment how many they started.
void require_launcher(int size) {
  for (const char* const variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"}) {
    const int started = number_in(variable);
    if (size != 1 || started <= 1) continue;
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(library, &length);
    const std::string name{library, std::find_if(library, library + length, [](char each) {
                             return each == '\n' || each == ',';
                           })};
    throw ranks_differ("filch: " + std::to_string(started) +
                       " ranks were started, but MPI knows of one: the program is built for " +
                       name + "; start it with the mpirun of that");
  }
}

/// Ranks that the launcher has not bound to processors share those of the machine.
pool_options pool_of(const world_options& options, int ranks_here) {
  if (options.workers != 0 || std::getenv("FILCH_WORKERS") != nullptr)
    return {.workers = options.workers};
  cpu_set_t usable;
  CPU_ZERO(&usable);
  const long online = ::sysconf(_SC_NPROCESSORS_ONLN);
  const bool is_bound =
      ::sched_getaffinity(0, sizeof usable, &usable) == 0 && CPU_COUNT(&usable) < online;
  if (is_bound) return {};
  return {.max_workers = static_cast<unsigned>((std::max)(1L, online / ranks_here))};
}

}  // namespace

struct detail::mpi_part::parts {
  mpi_session session;
  std::optional<mpi_transport> wires;
};

detail::mpi_part::mpi_part() : parts_{std::make_unique<parts>()} {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  require_launcher(size);
  parts_->wires.emplace();
}
detail::mpi_part::~mpi_part() = default;

transport& detail::mpi_part::wires() noexcept { return *parts_->wires; }
pool_options detail::mpi_part::workers(const world_options& options) const {
  return pool_of(options, parts_->wires->ranks_here());
}
void detail::mpi_part::abort(bool all_know) noexcept {
  std::fflush(nullptr);
  if (all_know) parts_->wires->meet_for(2'000'000'000);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::_Exit(1);
}

world::world(const world_options& options)
    : communicator{mpi_part::wires(), mpi_part::workers(options), options} {}

// What a failed run has sent may never be received, and MPI_Finalize would wait for it.
world::~world() {
  if (has_failed()) mpi_part::abort(true);
  if (std::uncaught_exceptions() == exceptions_) return;
  // tidy: leftovers the process ends, and no caller could print it
  std::fprintf(stderr, "filch: an exception leaves the world of rank %d, so all ranks end\n",
               rank());
  mpi_part::abort(false);
}

}  // namespace filch::dist
