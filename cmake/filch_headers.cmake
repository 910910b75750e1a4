# Which headers are public: what `cmake --install` ships and tests/headers compiles one by one.
include_guard()

# Sets `variable` to every header of the library as users include it (`filch/...`), without what only tests and model checks use.
function(filch_public_headers variable)
  file(GLOB_RECURSE headers RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/filch/*.hpp")
  list(FILTER headers EXCLUDE REGEX "[_/](model|witness|test|fuzz|stress)(_[a-z0-9_]+)?\\.hpp$")
  list(FILTER headers EXCLUDE REGEX "^filch/(testing/model|sim)/")
  list(FILTER headers EXCLUDE REGEX "^filch/dist/mpi_")  # the only ones that need mpi.h
  set(${variable} ${headers} PARENT_SCOPE)
endfunction()
