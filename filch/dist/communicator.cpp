#include <filch/dist/communicator.hpp>

#include <filch/base/version.hpp>
#include <filch/sched/worker/scheduler.hpp>

#include <cstring>
#include <fstream>
#include <string>

namespace filch::inline v0_2::dist {

namespace {

/// FNV-1a over words instead of bytes, which is as good at telling programs apart.
std::uint64_t hash_of(std::string_view bytes, std::uint64_t hash = 0xcbf29ce484222325u) {
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data(), 8);
    hash = (hash ^ word) * 0x100000001b3u;
    hash ^= hash >> 32;
  }
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  return hash;
}

/// Of the bytes of this program, so that ranks with another build of it are noticed.
std::uint64_t program_hash() {
  std::ifstream file{"/proc/self/exe", std::ios::binary};
  std::string piece(1 << 20, '\0');
  std::uint64_t hash = hash_of({});
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())), file.gcount() > 0)
    hash = hash_of({piece.data(), static_cast<std::size_t>(file.gcount())}, hash);
  return hash;
}

/// What ranks compare before a run, and how messages call it.
constexpr const char* compared[] = {"another version of filch",
                                    "another program",
                                    "another run of it",
                                    "other types or parameters",
                                    "other options of the protocol",
                                    "other options of the protocol"};

}  // namespace

communicator::communicator(transport& wires, const pool_options& workers,
                           const world_options& options)
    : wires_{wires}, options_{options}, program_{program_hash()}, pool_{workers} {
  pool_.core().attach(source_);
}

communicator::~communicator() = default;

runner::parameters communicator::next_run(std::string_view what) {
  if (has_failed_) throw run_failed("filch: no run is possible in a world in which one has failed");
  const protocol_options& protocol = options_.protocol;
  const std::vector<std::uint64_t> mine{hash_of(FILCH_VERSION),
                                        program_,
                                        ++epoch_,
                                        hash_of(what),
                                        protocol.random_tries,
                                        static_cast<std::uint64_t>(protocol.lifeline_base)};
  const std::vector<std::uint64_t> all = wires_.gather_all(mine);
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (all[at] == all[at % mine.size()]) continue;
    throw ranks_differ("filch: rank " + std::to_string(at / mine.size()) + " has " +
                       compared[at % mine.size()] + " than rank 0");
  }
  return {.protocol = protocol,
          .identity = {epoch_, hash_of({reinterpret_cast<const char*>(mine.data()),
                                        mine.size() * sizeof mine[0]})},
          .seed = options_.seed};
}

std::vector<rank_report> communicator::reports() {
  const rank_report& last = last_;
  const std::vector<std::uint64_t> mine{last.tasks,    last.steals,   last.shares_given,
                                        last.requests, last.messages, last.waves,
                                        last.wall_ns,  last.busy_ns};
  const std::vector<std::uint64_t> all = wires_.gather_all(mine);
  std::vector<rank_report> made;
  for (std::size_t at = 0; at < all.size(); at += mine.size())
    made.push_back({all[at], all[at + 1], all[at + 2], all[at + 3], all[at + 4], all[at + 5],
                    all[at + 6], all[at + 7]});
  return made;
}

}  // namespace filch::dist
