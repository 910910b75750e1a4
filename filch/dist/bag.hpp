#pragma once
#include <filch/dist/archive.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace filch::inline v0_2::dist {

/// How results meet, in any order: `combine(a, b)` is associative and commutative, and `identity`
/// changes nothing.
///
///     dist::monoid{std::uint64_t{0}, std::plus<>{}}
template <class R, class Combine>
struct monoid {
  R identity;
  Combine combine;

  using result = R;
  void add(R& to, R&& more) const { to = combine(std::move(to), std::move(more)); }
};

template <class R, class Combine>
monoid(R, Combine) -> monoid<R, Combine>;

/// Tasks that can be run, split, merged and sent: `B` with results of type `R`.
/// - `process(n, result)` runs up to about `n` tasks and what belongs to them, adds to `result`,
///   and returns how many it ran; at least one if there is any.
/// - `split()` takes a share off, best about half; nothing if there is too little to share.
/// - `merge(other)` takes in all of `other`.
/// - `size()` is about the number of tasks; 0 only if there is none.
/// - `serialize(archive)` as for `output_archive`; a default bag is empty.
/// - `without_tasks() const`, if there is one, makes the empty bags that shares are read into. Bags
///   with settings or pointers, which are not archived, need it.
template <class B, class R>
concept bag_of = std::default_initializable<B> && std::copyable<B> &&
    requires(B b, B other, const B c, std::size_t n, R& result, output_archive& out,
             input_archive& in) {
  { b.process(n, result) } -> std::convertible_to<std::size_t>;
  { b.split() } -> std::same_as<std::optional<B>>;
  b.merge(std::move(other));
  { c.size() } -> std::convertible_to<std::size_t>;
  b.serialize(out);
  b.serialize(in);
};

/// Tasks of one type, the youngest first. Shares are the oldest half, which is the biggest work in
/// a tree. `T` can be archived.
template <class T>
class task_stack {
 public:
  void push(T task) { tasks_.push_back(std::move(task)); }
  T pop() {
    T last = std::move(tasks_.back());
    tasks_.pop_back();
    if (size() == 0) clear();
    return last;
  }
  std::size_t size() const noexcept { return tasks_.size() - first_; }
  /// The older half; nothing if that or the rest would be less than `grain` tasks.
  std::optional<task_stack> split(std::size_t grain) {
    const std::size_t half = size() / 2;
    if (half == 0 || half < grain) return std::nullopt;
    const auto begin = tasks_.begin() + static_cast<std::ptrdiff_t>(first_),
               end = begin + static_cast<std::ptrdiff_t>(half);
    task_stack share;
    share.tasks_.assign(std::make_move_iterator(begin), std::make_move_iterator(end));
    first_ += half;
    if (first_ > tasks_.size() / 2) compact();
    return share;
  }
  /// Below the own tasks, so that these go on first.
  void merge(task_stack&& other) {
    compact();
    other.compact();
    tasks_.insert(tasks_.begin(), std::make_move_iterator(other.tasks_.begin()),
                  std::make_move_iterator(other.tasks_.end()));
    other.clear();
  }
  template <class A>
  void serialize(A& archive) {
    compact();
    archive& tasks_;
  }

 private:
  void clear() noexcept {
    tasks_.clear();
    first_ = 0;
  }
  void compact() {
    tasks_.erase(tasks_.begin(), tasks_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }
  std::vector<T> tasks_;
  std::size_t first_ = 0;  ///< Those before were given away.
};

}  // namespace filch::dist
