// What the explorer compares of a memory, and says of its last step.
#include <filch/testing/model/memory.hpp>

#include <filch/testing/model/hash.hpp>

#include <string>

namespace filch::inline v0_2::testing {

std::uint64_t memory_model::view::hash() const {
  return hash_of(fences, hash_of(strongly, hash_of(clock, hash_of(positions, 1))));
}

std::uint64_t memory_model::message::compute_hash() const {
  std::uint64_t all = mix(mix(released.hash(), value), is_update);
  for (const ends& each : {stores, loads})
    all = mix(hash_of(each.before, all), hash_of(each.behind, 1));
  return all | 1;
}

std::uint64_t memory_model::state() const {
  std::uint64_t hash = sequential_.hash(1);
  for (const thread& each : threads_) {
    hash = mix(hash, each.past);
    hash = mix(hash, each.seen.hash());
    hash = mix(hash, mix(each.acquirable.hash(), each.fenced.hash()));
  }
  for (const variable& each : variables_) {
    for (const message& stored : each.order) {
      if (stored.hash == 0) stored.hash = stored.compute_hash();
      hash = mix(hash, stored.hash);
    }
    hash = mix(hash, each.order.size() << 8 | each.seen_by_kernel);
  }
  return hash;
}

std::string memory_model::last_step() const {
  std::string text;
  switch (last_.what) {
    case 'l': text = "loads"; break;
    case 's': text = "stores"; break;
    case 'u': text = "updates"; break;
    case 'a': return "locks #" + std::to_string(last_.at);
    case 'w': return "wakes one at #" + std::to_string(last_.at);
    case 'r': return "unlocks #" + std::to_string(last_.at);
    case 'f': return "fence";
    case 'm': return "fence in every thread";
    default: return "nothing";
  }
  return text + " #" + std::to_string(last_.at) + (last_.what == 's' ? " := " : " == ") +
         std::to_string(last_.value);
}

}  // namespace filch::testing
