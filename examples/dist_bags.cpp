// A bag of one's own, options, reports and failures: mpirun -n 4 ./dist_bags
#include <examples/check.hpp>
#include <filch/dist.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace dist = filch::dist;

// [bag]
/// Candidates for primes, tested one by one.
class candidates {
 public:
  candidates() = default;
  void add(std::uint64_t number) { numbers_.push(number); }

  std::size_t process(std::size_t most, std::uint64_t& primes) {
    const std::size_t count = std::min(most, numbers_.size());
    for (std::size_t left = count; left > 0; --left) primes += is_prime(numbers_.pop());
    return count;
  }
  std::optional<candidates> split() {
    std::optional<dist::task_stack<std::uint64_t>> half = numbers_.split(64);
    if (!half) return std::nullopt;
    candidates share;
    share.numbers_ = std::move(*half);
    return share;
  }
  void merge(candidates&& other) { numbers_.merge(std::move(other.numbers_)); }
  std::size_t size() const { return numbers_.size(); }
  template <class Archive>
  void serialize(Archive& archive) {
    archive& numbers_;
  }

 private:
  static bool is_prime(std::uint64_t number) {
    for (std::uint64_t by = 2; by * by <= number; ++by)
      if (number % by == 0) return false;
    return number >= 2;
  }
  dist::task_stack<std::uint64_t> numbers_;
};
static_assert(dist::bag_of<candidates, std::uint64_t>);
// [bag]

void count_primes(dist::communicator& ranks) {
  // [run]
  candidates mine;  // each rank begins with what it has
  for (std::uint64_t number = 0; number < 100'000; ++number)
    if (number % static_cast<std::uint64_t>(ranks.size()) ==
        static_cast<std::uint64_t>(ranks.rank()))
      mine.add(number);
  const dist::run_options options{.parameters = "below 100000"};
  const std::uint64_t primes =
      dist::run(ranks, std::move(mine), dist::monoid{std::uint64_t{0}, std::plus<>{}}, options);
  std::uint64_t tested = 0;
  for (const dist::rank_report& each : ranks.reports()) tested += each.tasks;
  // [run]
  check("there are 9592 primes below 100000", primes == 9592);
  check("each number is tested once", tested == 100'000);
}

void archives() {
  // [archive]
  const std::vector<std::string> words{"as", "bytes"};
  const std::string bytes = dist::to_bytes(words);
  const auto back = dist::from_bytes<std::vector<std::string>>(bytes, "words");
  dist::output_archive out;
  out& words & 7;
  dist::input_archive in{bytes, "words"};
  // [archive]
  std::vector<std::string> read;
  in& read;
  check("words come back", back == words && read == words && out.release().size() > bytes.size());
}

void failures(dist::world& ranks) {
  // [failures]
  const auto throws = [](int, auto&, int&) { throw std::runtime_error("no such luck"); };
  try {
    dist::for_each_task(ranks, std::vector{1}, throws, dist::monoid{0, std::plus<>{}});
  } catch (const dist::checkpoint_error& problem) {
    std::printf("%s\n", problem.what());  // if `checkpoint_folder` is set
  } catch (const dist::ranks_differ& problem) {
    std::printf("%s\n", problem.what());  // other programs or parameters
  } catch (const dist::run_failed& problem) {
    std::printf("%s\n", problem.what());  // a task threw on another rank
  } catch (const std::runtime_error& problem) {
    std::printf("thrown here: %s\n", problem.what());
  }
  // [failures]
}

int main(int argc, char**) {
  // [options]
  const dist::protocol_options stealing{.random_tries = 4};
  dist::world ranks{dist::world_options{.workers = 2, .protocol = stealing}};
  // [options]
  count_primes(ranks);
  archives();
  if (ranks.rank() == 0 && wrong_claims == 0) std::printf("9592 primes\n");
  if (argc > 1) failures(ranks);  // afterwards the world ends all ranks
  return wrong_claims;
}
