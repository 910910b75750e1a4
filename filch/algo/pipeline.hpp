#pragma once
#include <filch/algo/chunks.hpp>
#include <filch/algo/tokens.hpp>
#include <filch/fork/outcome.hpp>
#include <filch/fork/task_group.hpp>

#include <optional>

namespace filch::inline v0_2 {

/// How a stage of a pipeline takes its items.
enum class stage_order : unsigned char {
  parallel,         ///< Many at a time, in any order.
  serial,           ///< One at a time, in any order.
  serial_in_order,  ///< One at a time, in the order in which the source made them.
};

/// A stage of a `pipeline`: a function, and how many items it takes at a time. `parallel_stage`,
/// `serial_stage` and `serial_in_order_stage` make it.
template <stage_order Order, class F>
struct pipeline_stage {
  static constexpr stage_order order = Order;
  F body;
};

/// Makes a stage that calls `body` for many items at a time, in any order: several threads call it.
template <class F>
pipeline_stage<stage_order::parallel, std::decay_t<F>> parallel_stage(F&& body) {
  return {std::forward<F>(body)};
}
/// Makes a stage that calls `body` for one item at a time, in any order.
template <class F>
pipeline_stage<stage_order::serial, std::decay_t<F>> serial_stage(F&& body) {
  return {std::forward<F>(body)};
}
/// Makes a stage that calls `body` for one item at a time, in the order in which the source made
/// them.
template <class F>
pipeline_stage<stage_order::serial_in_order, std::decay_t<F>> serial_in_order_stage(F&& body) {
  return {std::forward<F>(body)};
}

namespace algo {

/// The stages from one on, for items of type `In`. After the last one, an item's token is given
/// back.
template <class Run, class In, class... Stages>
class pipeline_rest {
 public:
  explicit pipeline_rest(Run& run) noexcept : run_{run} {}
  void take(numbered<In> item) {
    static_cast<void>(numbered<In>(std::move(item)));  // destroyed before another takes its place
    run_.tokens.give_back();
  }

 private:
  Run& run_;
};

template <class Run, class In, class Stage, class... Rest>
class pipeline_rest<Run, In, Stage, Rest...> {
  using body_type = decltype(Stage::body);
  static_assert(std::invocable<body_type&, In>, "a stage takes what the one before it returns");
  using returned = std::invoke_result_t<body_type&, In>;
  using out =
      std::conditional_t<std::is_void_v<returned>, std::monostate, std::remove_cvref_t<returned>>;

 public:
  pipeline_rest(Run& run, Stage& stage, Rest&... rest)
      : run_{run}, body_{stage.body}, next_(run, rest...) {}

  /// Receives an item for this stage.
  void take(numbered<In> item) {
    if (run_.has_failed()) return;
    if constexpr (Stage::order == stage_order::parallel) {
      numbered<out> done = pass(std::move(item));  // a call of its own, which ends the item
      next_.take(std::move(done));
    } else if (auto entering = door_.enter(std::move(item))) {
      pass_alone(std::move(*entering));
    }
  }

 private:
  void pass_alone(numbered<In> item) {
    numbered<out> done = pass(std::move(item));
    if (auto entering = door_.leave()) {
      run_.start([this, other = std::move(*entering)]() mutable { pass_alone(std::move(other)); });
    }
    next_.take(std::move(done));
  }
  numbered<out> pass(numbered<In> item) {
    run_.check_stop();
    return {item.number, fork::call([&]() -> returned { return body_(std::move(item.value)); })};
  }

  Run& run_;
  body_type& body_;
  stage_door<In, Stage::order == stage_order::serial_in_order> door_;
  pipeline_rest<Run, out, Rest...> next_;
};

template <class Source, class... Stages>
class pipeline_run {
  using first_item = typename std::invoke_result_t<Source&>::value_type;

 public:
  pipeline_run(const settings& how, std::size_t limit, Source& source, Stages&... stages)
      : tokens{limited(
            how, limit != 0 ? limit : 2 * std::size_t{sched::lasting_pool_here().concurrency()})},
        how_{how},
        source_{source},
        stages_(*this, stages...) {}

  void run() {
    start([] {});
    group_.wait();
  }

  /// Starts a job that calls `f` and then goes on drawing items. After an exception nothing more is
  /// drawn.
  template <class F>
  void start(F&& f) {
    group_.run([this, first = std::forward<F>(f)]() mutable {
      FILCH_TRY {
        first();
        draw();
      }
      FILCH_CATCH_ALL {
        tokens.end();
        FILCH_RETHROW;
      }
    });
  }
  void check_stop() const { how_.check_stop(); }
  bool has_failed() const noexcept { return group_.is_cancelled(); }

  token_count tokens;

 private:
  static std::size_t limited(const settings& how, std::size_t items) noexcept {
    const share* const some = how.limit();
    return some == nullptr ? items : (std::min<std::size_t>)(items, share_access::threads(*some));
  }
  /// Draws items and brings each as far as it gets, until the source has none or the limit is
  /// reached.
  void draw() {
    while (const auto number = tokens.take()) {
      check_stop();
      auto item = source_();
      if (!item) return tokens.end();
      if (tokens.drawn()) start([this] { tokens.follow(); });
      stages_.take({*number, std::move(*item)});
    }
  }

  const settings& how_;
  Source& source_;
  pipeline_rest<pipeline_run, first_item, Stages...> stages_;
  task_group group_;  // last: the jobs use all of the above
};

}  // namespace algo

/// How many items of a pipeline may be on their way at once. 0: twice as many as the pool has
/// workers.
struct items_in_flight {
  std::size_t count = 0;
};

/// Brings every item of a source through all stages, each item through one stage at a time,
/// different items in parallel.
///
/// `source()` returns `std::optional<T>`. It is called one call at a time, until it returns none. A
/// stage is made by `parallel_stage`, `serial_stage` or `serial_in_order_stage` from a function,
/// which takes what the stage before returned. The result of the last stage is dropped. Items are
/// moved.
///
/// Cost: for each item 3 locks of the count of items on their way and 2 of each serial stage; if it
/// had to wait at a stage, 3 allocations, for itself and a job. Span: what the source or the
/// busiest serial stage does for all items, plus what all stages do for one. Space: the items on
/// their way.
/// Blocks: as `task_group::wait`. No stage waits for another: a worker that finds a stage busy
/// leaves its item there and goes on elsewhere.
/// Throws: what the source or a stage throws; of several exceptions, the one whose job began first.
/// Then nothing new is drawn, and items on their way may be dropped. `std::bad_alloc`, `stopped`.
/// Source: oneTBB's parallel_pipeline. We differ: the types of all stages are checked at compile
/// time.
template <class Source, stage_order... Orders, class... Bodies>
void pipeline(const algo::settings& how, items_in_flight limit, Source source,
              pipeline_stage<Orders, Bodies>... stages) {
  algo::run_in(how, [&] {
    algo::pipeline_run<Source, pipeline_stage<Orders, Bodies>...>(how, limit.count, source,
                                                                  stages...)
        .run();
  });
}
template <class Source, stage_order... Orders, class... Bodies>
void pipeline(items_in_flight limit, Source source, pipeline_stage<Orders, Bodies>... stages) {
  pipeline(algo::settings{}, limit, std::move(source), std::move(stages)...);
}
/// As above, with as many items on their way as `items_in_flight{}` allows.
template <algo::settings_like How, std::invocable Source, stage_order... Orders, class... Bodies>
void pipeline(const How& how, Source source, pipeline_stage<Orders, Bodies>... stages) {
  pipeline(how, items_in_flight{}, std::move(source), std::move(stages)...);
}
template <std::invocable Source, stage_order... Orders, class... Bodies>
void pipeline(Source source, pipeline_stage<Orders, Bodies>... stages) {
  pipeline(algo::settings{}, items_in_flight{}, std::move(source), std::move(stages)...);
}

}  // namespace filch
