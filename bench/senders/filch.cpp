#include <bench/senders/problem.hpp>
#include <filch/algo.hpp>
#include <filch/fork.hpp>

#include <utility>

namespace {

class pool_of_filch {
 public:
  explicit pool_of_filch(unsigned workers) : pool_{filch::pool_options{.workers = workers}} {
    pool_.warm_up();
  }
  template <class F>
  void submit(F&& f) {
    pool_.submit(std::forward<F>(f));
  }
  template <class Item, class Done>
  void bulk(std::uint64_t count, Item item, Done done) {
    pool_.submit([=] {
      filch::parallel_for(std::uint64_t{0}, count, item);
      done();
    });
  }

 private:
  filch::thread_pool pool_;
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::senders::as("filch"));
  bench::senders::measure<pool_of_filch>(me);
  return me.exit_status();
}
