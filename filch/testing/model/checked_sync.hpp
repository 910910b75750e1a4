#pragma once
// The names of a Sync policy over one of the two checkers, for model checks. A `_model.cpp` is
// compiled once for each checker (cmake/filch_targets.cmake, filch_model), so that both read the
// same scenarios and the same shipped text.
#if !defined(FILCH_MODEL)
#error "a model check is compiled with -DFILCH_MODEL, so that edges can be weakened while it runs"
#endif
#include <filch/base/sync.hpp>
#include <filch/testing/model/fence_pair.hpp>
#include <filch/testing/model/scenario.hpp>
#include <filch/testing/model/verdict.hpp>

// Each defines model_atomic, model_plain, model_mutex, model_fence, model_fence_everybody,
// model_assert and model_choice.
#if defined(FILCH_RELACY)
#include <filch/testing/model/relacy_search.hpp>
#else
#include <filch/testing/model/explorer.hpp>
#endif

namespace filch::inline v0_2::testing {

template <fence_pair Pair>
struct model_sync {
  template <class T>
  using atomic = model_atomic<T>;
  template <class T>
  using plain = model_plain<T>;
  using mutex = model_mutex;

  template <auto Edge>
  static void light_fence(model_place place = {}) {
    if (Pair == fence_pair::two_fences && !base::is_weakened<Edge>()) model_fence(place);
  }
  template <auto Edge>
  static void heavy_fence(model_place place = {}) {
    if (base::is_weakened<Edge>()) return;
    if (Pair == fence_pair::two_fences) model_fence(place);
    if (Pair == fence_pair::membarrier) model_fence_everybody(place);
  }
};

using checked_sync = model_sync<fence_pair::two_fences>;
using checked_membarrier_sync = model_sync<fence_pair::membarrier>;
using checked_fenceless_sync = model_sync<fence_pair::none>;

}  // namespace filch::testing
