#include <filch/algo/join_within.hpp>

#include <stdexcept>

namespace filch::inline v0_2 {
namespace algo {
namespace {

/// A fork's place in a share. It is free again when one of the two sides has ended: from then on at
/// most one thread computes.
class fork_place {
 public:
  explicit fork_place(share& of) noexcept : of_{of} {}

  /// Gives the place back at the end of a side.
  class at_end {
   public:
    explicit at_end(fork_place& of) noexcept : of_{of} {}
    ~at_end() {
      if (!of_.is_back_.exchange(true, base::relaxed)) share_access::give_back(of_.of_);
    }
    at_end(const at_end&) = delete;
    at_end& operator=(const at_end&) = delete;

   private:
    fork_place& of_;
  };

 private:
  share& of_;
  /// Writers: both sides. Relaxed: it hands nothing over.
  base::atomic<bool> is_back_{false};
};

}  // namespace

void join_in_share(share& limit, side left, side right) {
  if (!share_access::try_take(limit)) {
    left();
    return right();
  }
  fork_place place(limit);
  filch::join(
      [&] {
        const fork_place::at_end gives_back(place);
        left();
      },
      [&] {
        const fork_place::at_end gives_back(place);
        right();
      });
}

}  // namespace algo

share::share(unsigned threads) : threads_{threads}, left_{threads} {
  if (threads == 0)
    throw std::invalid_argument("filch: a share of 0 threads: work needs at least one");
}

}  // namespace filch
