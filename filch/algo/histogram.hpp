#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/base/mutex.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace filch::inline v0_2 {
namespace algo {

/// Tables of counters, one for each leaf that counts at the moment. The next leaf takes a table
/// that an earlier leaf has put back.
class counter_tables {
 public:
  using table = std::vector<std::uint64_t>;
  /// Throws: `std::bad_alloc`.
  explicit counter_tables(std::uint64_t bound) : bound_{bound} { put(make()); }

  /// Takes a table that no other thread has. Throws: `std::bad_alloc`.
  table* take() {
    {
      const base::lock_guard hold(lock_);
      if (!free_.empty()) return pop_free();
    }
    return make();
  }
  void put(table* one) noexcept {
    const base::lock_guard hold(lock_);
    free_.push_back(one);  // there is room for all
  }
  /// Adds all tables into one. Call once, when no thread counts any more.
  table sum(const settings& how) {
    table& total = *all_.front();
    for_chunks(how, all_.size() == 1 ? 0 : bound_, [&](std::uint64_t from, std::uint64_t to) {
      for (std::size_t i = 1; i != all_.size(); ++i) {
        for (std::uint64_t key = from; key != to; ++key) total[key] += (*all_[i])[key];
      }
    });
    return std::move(total);
  }

 private:
  table* pop_free() noexcept {
    table* const one = free_.back();
    free_.pop_back();
    return one;
  }
  table* make() {
    auto fresh = std::make_unique<table>(bound_);
    const base::lock_guard hold(lock_);
    free_.reserve(all_.size() + 1);
    all_.push_back(std::move(fresh));
    return all_.back().get();
  }

  const std::uint64_t bound_;
  base::mutex lock_;
  std::vector<std::unique_ptr<table>> all_;
  std::vector<table*> free_;
};

FILCH_EXPORT [[noreturn]] void throw_key_out_of_range(std::uint64_t key, bool is_signed,
                                                      std::uint64_t bound);

struct histogram_fn : algorithm<histogram_fn> {
  template <class In, std::integral Bound, class Key = std::identity>
  static std::vector<std::uint64_t> run(const settings& how, In in, std::uint64_t count,
                                        Bound below, Key key = {}) {
    using key_type = std::invoke_result_t<Key&, std::iter_reference_t<In>>;
    constexpr bool is_signed = std::is_signed_v<decltype(+std::declval<key_type>())>;
    const auto bound = static_cast<std::uint64_t>(below);
    counter_tables tables(bound);
    for_chunks(how, count, [&](std::uint64_t from, std::uint64_t to) {
      counter_tables::table* const mine = tables.take();
      for (; from != to; ++from) {
        const auto at = static_cast<std::uint64_t>(
            std::invoke(key, in[static_cast<std::iter_difference_t<In>>(from)]));
        if (at >= bound) [[unlikely]]
          throw_key_out_of_range(at, is_signed, bound);
        ++(*mine)[at];
      }
      tables.put(mine);
    });
    return tables.sum(how);
  }
};

}  // namespace algo

/// `histogram([how,] range or first, last, bound[, key])`: counts how often each key below `bound`
/// occurs. `key` makes an integer of an element. Returns `bound` counters.
///
/// Cost: work n + bound for each worker that helps, span O(log n + bound). Each such worker has a
/// table of `bound` counters, made when it is needed.
/// Throws: `std::out_of_range` for a key that is negative or not below `bound`; `std::bad_alloc`,
/// or `std::length_error` if no array is that long; what `key` throws; `stopped`.
inline constexpr algo::explained<algo::histogram_fn> histogram;

}  // namespace filch
