#pragma once
#include <filch/sim/history.hpp>

namespace filch::inline v0_2::sim {

/// The words in which schedulers differ.
struct vocabulary {
  const char* queue;        ///< Where tasks wait: "the shared queue".
  const char* giving = "";  ///< Why another worker gets a task: "as planned".
};

/// Describes `each` in one sentence that begins with the worker. Workers are counted from one.
std::string sentence_of(const step& each, const computation& what, const vocabulary& words);

/// "Worker 1".
std::string worker_name(worker_index worker);

}  // namespace filch::sim
