#pragma once
#include <compare/scheduler.hpp>

#include <memory>
#include <span>
#include <string_view>

namespace filch::compare {

std::unique_ptr<scheduler> make_one_worker_gets_all(unsigned workers);
std::unique_ptr<scheduler> make_static_split(unsigned workers);
std::unique_ptr<scheduler> make_central_queue(unsigned workers);
std::unique_ptr<scheduler> make_central_stack(unsigned workers);
std::unique_ptr<scheduler> make_work_sharing(unsigned workers);
std::unique_ptr<scheduler> make_mutex_deques(unsigned workers);
std::unique_ptr<scheduler> make_chase_lev(unsigned workers);
std::unique_ptr<scheduler> make_filch(unsigned workers);

struct contender {
  std::string_view name;
  /// Starts `workers` threads, at least one, that sleep until the first `run`. Throws:
  /// `std::system_error` when it cannot.
  std::unique_ptr<scheduler> (*make)(unsigned workers);
};

/// All schedulers of the room, from the simplest to filch.
std::span<const contender> contenders() noexcept;

}  // namespace filch::compare
