#include <filch/dist/communicator.hpp>

#include <filch/base/version.hpp>
#include <filch/dist/hash.hpp>
#include <filch/sched/worker/scheduler.hpp>

#include <exception>
#include <fstream>
#include <optional>
#include <string>

namespace filch::inline v0_2::dist {

namespace {

/// Of the bytes of this program, so that ranks with another build of it are noticed. Once a
/// process: a program may be replaced while it runs.
std::uint64_t read_program_hash() {
  std::ifstream file{"/proc/self/exe", std::ios::binary};
  std::string piece(1 << 20, '\0');
  std::uint64_t hash = hash_of({});
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())), file.gcount() > 0)
    hash = hash_of({piece.data(), static_cast<std::size_t>(file.gcount())}, hash);
  return hash;
}

std::uint64_t program_hash() {
  static const std::uint64_t hash = read_program_hash();
  return hash;
}

/// What ranks compare before a run, and how messages call it.
constexpr const char* compared[] = {"another version of filch",
                                    "another program",
                                    "another run of it",
                                    "other types or parameters",
                                    "other options of the protocol",
                                    "other options of the protocol",
                                    "another checkpoint, or cannot read it, other"};

}  // namespace

communicator::communicator(transport& wires, const pool_options& workers,
                           const world_options& options)
    : wires_{wires}, options_{options}, program_{program_hash()}, pool_{workers} {
  pool_.core().attach(source_);
}

communicator::~communicator() = default;

run_start communicator::next_run(std::string_view what, const run_options& options) {
  if (has_failed_) throw run_failed("filch: no run is possible in a world in which one has failed");
  const protocol_options& protocol = options_.protocol;
  run_start made{.how = {.protocol = protocol,
                         .seed = options_.seed,
                         .checkpoint_every_ns = options.checkpoint_every_ns}};
  std::exception_ptr problem;  // thrown when the others know
  std::uint64_t restored = 0;
  try {
    restored = restore(made, hash_of(what), options.checkpoint_folder);
  } catch (...) {
    problem = std::current_exception();
    restored = ~std::uint64_t{0};
  }
  const std::vector<std::uint64_t> mine{hash_of(FILCH_VERSION),
                                        program_,
                                        ++epoch_,
                                        hash_of(what),
                                        protocol.random_tries,
                                        static_cast<std::uint64_t>(protocol.lifeline_base),
                                        restored};
  const std::vector<std::uint64_t> all = wires_.gather_all(mine);
  if (problem) std::rethrow_exception(problem);
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (all[at] == all[at % mine.size()]) continue;
    throw ranks_differ("filch: rank " + std::to_string(at / mine.size()) + " has " +
                       compared[at % mine.size()] + " than rank 0");
  }
  const std::string_view words{reinterpret_cast<const char*>(mine.data()),
                               mine.size() * sizeof mine[0]};
  made.how.identity = {epoch_, hash_of(words)};
  return made;
}

/// Returns the number of the checkpoint, 0 if there is none. Each rank takes every `size()`-th
/// part.
std::uint64_t communicator::restore(run_start& to, std::uint64_t signature,
                                    const std::string& folder) const {
  if (folder.empty()) return 0;
  const checkpoint_files& files = to.how.checkpoints.emplace(folder, signature);
  const std::optional<checkpoint_manifest> manifest = files.read_manifest();
  if (!manifest) return 0;
  const auto stride = static_cast<std::uint64_t>(size());
  for (auto part = static_cast<std::uint64_t>(rank()); part < manifest->ranks; part += stride)
    to.parts.push_back(files.read_part(manifest->number, part));
  to.is_restored = true;
  to.how.last_checkpoint = manifest->number;
  return manifest->number;
}

std::vector<rank_report> communicator::reports() {
  constexpr std::uint64_t rank_report::*fields[] = {
      &rank_report::tasks,       &rank_report::steals,   &rank_report::shares_given,
      &rank_report::requests,    &rank_report::messages, &rank_report::waves,
      &rank_report::checkpoints, &rank_report::wall_ns,  &rank_report::busy_ns};
  std::vector<std::uint64_t> mine;
  for (const auto field : fields) mine.push_back(last_.*field);
  const std::vector<std::uint64_t> all = wires_.gather_all(mine);
  std::vector<rank_report> made(static_cast<std::size_t>(size()));
  for (std::size_t at = 0; at < all.size(); ++at)
    made[at / mine.size()].*fields[at % mine.size()] = all[at];
  return made;
}

}  // namespace filch::dist
