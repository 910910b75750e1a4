#include <compare/rivals.hpp>

namespace filch::compare {

std::span<const contender> contenders() noexcept {
  static constexpr contender all[] = {
      {"one_worker_gets_all", make_one_worker_gets_all},
      {"static_split", make_static_split},
      {"central_queue", make_central_queue},
      {"central_stack", make_central_stack},
      {"work_sharing", make_work_sharing},
      {"mutex_deques", make_mutex_deques},
      {"chase_lev", make_chase_lev},
      {"filch", make_filch},
  };
  return all;
}

}  // namespace filch::compare
