#include <bench/nqueens/problem.hpp>
#include <fmt/format.h>
#include <tools/cli/report.hpp>
#include <tools/dist/problem.hpp>

#include <functional>

namespace filch::dist_cli {

namespace {

namespace queens = bench::nqueens;

struct board_task {
  queens::board placed{};
  template <class A>
  void serialize(A& archive) {
    archive& placed.rows& placed.columns;
  }
};

class nqueens_problem final : public problem {
 public:
  void add_options(CLI::App& command) override {
    command.add_option("-n", chosen_.n, "Side of the board")
        ->type_name("N")
        ->capture_default_str()
        ->check(CLI::Range(0, queens::largest_n).description(""));
  }
  std::string parameters() const override { return fmt::format("n {}", chosen_.n); }
  const char* tasks_are() const override { return "boards"; }

  outcome solve(dist::communicator& ranks, const dist::run_options& options) override {
    const int n = chosen_.n, last_split = n / 2;  // below that a board takes some 10 us
    const auto is_leaf = [&](const board_task& at) { return at.placed.columns >= last_split; };
    const auto split = [&](const board_task& at) {
      std::vector<board_task> next;
      for (int row = 0; row < n; ++row) {
        const queens::board placed = at.placed.with(row);
        if (placed.is_safe()) next.push_back({placed});
      }
      return next;
    };
    const auto solve = [&](const board_task& at) { return queens::serial(n, at.placed); };
    const std::uint64_t solutions =
        dist::divide_and_conquer(ranks, board_task{}, is_leaf, split, solve,
                                 dist::monoid{std::uint64_t{0}, std::plus<>{}}, options);
    return {cli::count_text(solutions, "solutions"),
            queens::check(chosen_, solutions),
            {{"n", n}, {"solutions", solutions}}};
  }

 private:
  queens::parameters chosen_;
};

}  // namespace

std::unique_ptr<problem> make_nqueens() { return std::make_unique<nqueens_problem>(); }

}  // namespace filch::dist_cli
