#pragma once
// What a model check is written against: the names of a Sync policy over one of the two checkers. A `_model.cpp` is compiled once
// for each (cmake/filch_targets.cmake, filch_model), so that both read the same scenarios and the same shipped text.
#if !defined(FILCH_MODEL)
#error "a model check is compiled with -DFILCH_MODEL, so that edges can be weakened while it runs"
#endif
#include <filch/testing/model/fence_pair.hpp>
#include <filch/testing/model/scenario.hpp>
#include <filch/testing/model/verdict.hpp>

#if defined(FILCH_RELACY)
#include <filch/testing/model/relacy_search.hpp>
#else
#include <filch/testing/model/explorer.hpp>
#endif

namespace filch::testing {

using checked_sync = model_sync<fence_pair::two_fences>;
using checked_membarrier_sync = model_sync<fence_pair::membarrier>;
using checked_fenceless_sync = model_sync<fence_pair::none>;

}  // namespace filch::testing
