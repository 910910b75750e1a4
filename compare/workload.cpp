#include <compare/workload.hpp>

#include <compare/trees.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>

namespace filch::compare {
namespace {

/// Joins the parts of a workload and forgets the type of its answer.
template <class Serial, class Parallel, class Check>
workload assemble(std::string title, std::string jobs_are, Serial serial, Parallel parallel,
                  Check check) {
  return {std::move(title), std::move(jobs_are),
          [=]() -> verdict { return [check, answer = serial()] { return check(answer); }; },
          [=](scheduler& where) -> verdict {
            return [check, answer = parallel(where)] { return check(answer); };
          }};
}

std::uint64_t number(std::string_view workload, const std::string& size, std::uint64_t usual,
                     std::uint64_t least, std::uint64_t most) {
  if (size.empty()) return usual;
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(size.data(), size.data() + size.size(), value);
  if (failure != std::errc{} || end != size.data() + size.size() || value < least || value > most) {
    throw std::invalid_argument(fmt::format("{}: the size is a number from {} to {}, not '{}'",
                                            workload, least, most, size));
  }
  return value;
}

workload make_uts(const std::string& size, cutoff) {
  const bench::uts::sample_tree& sample = bench::uts::sample(size.empty() ? "T1" : size);
  return assemble(
      fmt::format("uts {}", sample.name), "a job is a tree node, no cutoff",
      [&sample] { return bench::uts::serial(sample.parameters); },
      [&sample](scheduler& where) { return compare::run_on(where, uts_tree{sample.parameters}); },
      [&sample](const bench::uts::tally& counted) { return bench::uts::check(sample, counted); });
}

workload make_fib(const std::string& size, cutoff leaves) {
  const unsigned plain_below = leaves == cutoff::natural ? 21 : 2;
  const bench::fib::parameters p{
      static_cast<unsigned>(number("fib", size, leaves == cutoff::natural ? 40 : 30, 0, 60))};
  return assemble(
      fmt::format("fib {}", p.n),
      leaves == cutoff::natural ? "a job is a call, plain calls for n <= 20"
                                : "a job is a call, no cutoff",
      [p] { return bench::fib::serial(p); },
      [=](scheduler& where) {
        return compare::run_on(where, fib_tree{p.n, plain_below});
      },
      [p](std::uint64_t sum) { return bench::fib::check(p, sum); });
}

workload make_nqueens(const std::string& size, cutoff leaves) {
  const int plain_columns = leaves == cutoff::natural ? 6 : 0;
  const bench::nqueens::parameters p{
      static_cast<int>(number("nqueens", size, 12, 1, bench::nqueens::largest_n))};
  return assemble(
      fmt::format("nqueens {}", p.n),
      leaves == cutoff::natural ? "a job is a board, plain calls for the last 6 columns"
                                : "a job is a board, no cutoff",
      [p] { return bench::nqueens::serial(p); },
      [=](scheduler& where) {
        return compare::run_on(where, nqueens_tree{p.n, plain_columns});
      },
      [p](std::uint64_t solutions) { return bench::nqueens::check(p, solutions); });
}

workload make_sum(const std::string& size, cutoff leaves) {
  const std::uint64_t leaf_items = leaves == cutoff::natural ? 1000 : 1;
  const bench::sum::parameters p{number("sum", size, 1'000'000, 0, 10'000'000'000)};
  const auto element = [p](std::uint64_t i) { return bench::sum::element(p, i); };
  return assemble(
      fmt::format("sum {}", p.count),
      leaves == cutoff::natural ? "a job is half a range, plain loops for 1,000 items"
                                : "a job is half a range, no cutoff",
      [p] { return bench::sum::serial(p); },
      [=](scheduler& where) {
        return compare::run_on(where, loop_tree<decltype(element)>{p.count, leaf_items, element});
      },
      [p](std::uint64_t total) { return bench::sum::check(p, total); });
}

/// Digests everything once; later answers need only have the same groups as the one that was found
/// right.
class duplicates_check {
 public:
  std::string operator()(const bench::duplicates::answer& found) const {
    if (right_->has_value() && **right_ == found.groups) return {};
    const std::string wrong = bench::duplicates::check(found);
    if (wrong.empty()) *right_ = found.groups;
    return wrong;
  }

 private:
  using groups = std::vector<bench::duplicates::group>;
  std::shared_ptr<std::optional<groups>> right_ = std::make_shared<std::optional<groups>>();
};

workload make_duplicates(const std::string& size, cutoff) {
  const std::string folder = size.empty() ? "/usr/share/doc" : size;
  if (!std::filesystem::is_directory(folder))
    throw std::invalid_argument(fmt::format("duplicates: '{}' is not a folder", folder));
  const bench::duplicates::parameters p{{folder}};
  return assemble(
      fmt::format("duplicates {}", folder), "a job is half a loop, down to one read or comparison",
      [p] { return bench::duplicates::serial(p); },
      [p](scheduler& where) {
        return bench::duplicates::search<search_on>{search_on{where},
                                                    bench::duplicates::no_observer()}(p);
      },
      duplicates_check{});
}

constexpr workload_kind kinds[] = {
    {"uts", "sample tree: T1 (usual), T2, T3, T4, T5, T1L or T3L", make_uts},
    {"fib", "n (40; 30 without cutoff)", make_fib},
    {"nqueens", "board width (12)", make_nqueens},
    {"sum", "number of items (1000000)", make_sum},
    {"duplicates", "folder (/usr/share/doc)", make_duplicates},
};

}  // namespace

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  for (const workload_kind& kind : kinds) names.emplace_back(kind.name);
  return names;
}

workload make_workload(std::string_view name, const std::string& size, cutoff leaves) {
  const auto kind = std::ranges::find(kinds, name, &workload_kind::name);
  if (kind == std::end(kinds)) {
    throw std::invalid_argument(
        fmt::format("no workload '{}': choose one of {}", name, fmt::join(workload_names(), ", ")));
  }
  return kind->make(size, leaves);
}

std::string workload_help() {
  std::string help;
  for (const workload_kind& kind : kinds)
    help += fmt::format("  {:<11} {}\n", kind.name, kind.size_help);
  return help;
}

}  // namespace filch::compare
