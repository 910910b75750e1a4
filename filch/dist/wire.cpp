#include <filch/dist/wire.hpp>

#include <filch/trace/bytes.hpp>

#include <stdexcept>

namespace filch::inline v0_2::dist {

namespace {

constexpr std::uint64_t format_version = 1;

/// Bits of a message's byte of flags.
constexpr std::uint64_t lifeline_flag = 1, black_flag = 2, all_flags = 3;

std::string number(std::uint64_t value) { return std::to_string(value); }

}  // namespace

links::links(run_identity run, int rank, int size)
    : run_{run},
      rank_{rank},
      sent_(static_cast<std::size_t>(size)),
      received_(static_cast<std::size_t>(size)) {}

std::string links::encode(int to, const message& what) {
  if (what.payload.size() > max_payload_bytes)
    throw std::length_error("filch: a message of " + number(what.payload.size()) +
                            " bytes is too long; at most " + number(max_payload_bytes));
  trace::byte_writer out;
  out.put(format_version);
  out.put(run_.epoch);
  out.put(run_.signature);
  out.put(sent_[static_cast<std::size_t>(to)]++);
  out.put(static_cast<std::uint64_t>(what.what));
  out.put(what.is_lifeline * lifeline_flag | what.is_black * black_flag);
  out.put(what.sent);
  out.put(what.received);
  out.put(what.busy);
  out.put_text(what.payload);
  return out.release();
}

arrival links::decode(int from, std::string_view bytes) {
  const std::string whose = "a message from rank " + std::to_string(from);
  try {
    trace::byte_reader in{bytes, whose};
    if (const std::uint64_t version = in.take(); version != format_version)
      return broken{whose + " has format " + number(version) + ", and this is format " +
                    number(format_version) + ": different versions of filch"};
    const std::uint64_t epoch = in.take(), signature = in.take(), place = in.take();
    if (epoch < run_.epoch) return dropped::stale;
    if (epoch > run_.epoch || signature != run_.signature)
      return broken{whose +
                    " is of another run or program: all ranks need the same program, "
                    "and the same calls with the same parameters"};
    std::uint64_t& expected = received_[static_cast<std::size_t>(from)];
    if (place < expected) return dropped::repeated;
    if (place > expected)
      return broken{"messages " + number(expected) + " to " + number(place - 1) + " from rank " +
                    std::to_string(from) + " to rank " + std::to_string(rank_) + " are lost"};
    message come;
    come.what = static_cast<kind>(in.take_up_to(kind_count - 1, "its kind"));
    const std::uint64_t set = in.take_up_to(all_flags, "its flags");
    come.is_lifeline = (set & lifeline_flag) != 0;
    come.is_black = (set & black_flag) != 0;
    come.sent = in.take();
    come.received = in.take();
    come.busy = in.take();
    come.payload = in.take_text();
    if (in.left() != 0) in.fail("has " + number(in.left()) + " bytes too many");
    ++expected;
    return come;
  } catch (const trace::bad_file& problem) {
    return broken{problem.what()};
  }
}

}  // namespace filch::dist
