#include <filch/algo/chunks.hpp>
#include <filch/algo/split_loop.hpp>

#include <new>

namespace filch::inline v0_2::algo {
namespace {

/// Room for the value of a half that another thread does; that thread makes it. Small values lie
/// here. So a fold allocates nothing if its values are small or no thief takes a half.
class half_sum {
 public:
  explicit half_sum(const loop_body& of) noexcept : of_{of.place} {}
  ~half_sum() {
    if (at_ == nullptr) return;
    if (of_->destroy != nullptr) of_->destroy(at_);
    if (at_ != room_) ::operator delete (at_, std::align_val_t{of_->alignment});
  }
  half_sum(const half_sum&) = delete;
  half_sum& operator=(const half_sum&) = delete;

  bool is_made() const noexcept { return at_ != nullptr; }
  void* get() const noexcept { return at_; }
  /// Returns null if the loop has no values. Throws: `std::bad_alloc`.
  void* make() {
    if (of_ == nullptr) return nullptr;
    const bool has_room = of_->size <= sizeof(room_) && of_->alignment <= alignof(std::max_align_t);
    at_ = has_room ? room_ : ::operator new (of_->size, std::align_val_t{of_->alignment});
    of_->make(at_);
    return at_;
  }

 private:
  const fold_place* of_;
  void* at_ = nullptr;
  alignas(std::max_align_t) std::byte room_[128];
};

/// A leaf of any loop or fold.
struct line_leaf {
  using own_sum = half_sum;
  const loop_body body;

  auto site() const noexcept { return body.run_stolen; }
  half_sum own() const noexcept { return half_sum(body); }
  std::uint32_t log2_chunks() const noexcept { return body.log2_chunks; }
  void run(const loop_range<std::uint64_t>& range, void* sum) const {
    body.run(body.leaf, range.first, range.last(), sum);
  }
  void run(std::uint64_t from, std::uint64_t to, void* sum) const {
    body.run(body.leaf, from, to, sum);
  }
  void combine(void* left, void* right) const { body.place->combine(body.leaf, left, right); }
};

using line_loop = split_loop<loop_range<std::uint64_t>, const line_leaf>;

}  // namespace

void loop_here(const settings& how, std::uint64_t count, const loop_body& body, void* sum) {
  if (count == 0) return;
  const line_leaf leaf{body};
  line_loop(how, leaf).run({0, count}, sum);
}

void loop_anywhere(const settings* how, std::uint64_t count, const loop_body& body, void* sum) {
  if (how == nullptr) {
    const settings none;
    return loop_anywhere(&none, count, body, sum);
  }
  run_in(*how, [&] { loop_here(*how, count, body, sum); });
}

void run_stolen_half(void* half) noexcept {
  static_cast<fork::forked<line_loop::right_half>*>(half)->run_elsewhere();
}

}  // namespace filch::algo
