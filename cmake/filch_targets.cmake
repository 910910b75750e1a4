# The build's vocabulary: how the library, a test, a model check and a benchmark are declared.
# Each room's CMakeLists.txt adds its sources to the target `filch` and declares its own tests with these.
include_guard()
find_package(Threads REQUIRED)

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Debug, RelWithDebInfo or Release" FORCE)
endif()

# Compile options for our own code only; nothing here reaches a user of filch::filch. In a project that has filch as a part of itself, and warnings of
# its own choice, our code says nothing.
add_library(filch_own_code INTERFACE)
set(warnings -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion $<$<BOOL:${FILCH_WERROR}>:-Werror>)
if(NOT PROJECT_IS_TOP_LEVEL AND NOT FILCH_WERROR)
  set(warnings -w)
endif()
target_compile_options(filch_own_code INTERFACE ${warnings})
# Objects out of a compiler cache (scripts/setup.sh) may have been made in another clone: names of files are those below the root.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES ccache)
  add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
endif()
if(FILCH_SANITIZE)
  add_compile_options(-fsanitize=${FILCH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${FILCH_SANITIZE})
endif()

if(FILCH_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_custom_target(libfuzzers)
endif()

# filch_label_tests(FOLDER LABEL): every test below has its room as a label, as room.sched or room.tools. Without LABEL the folder is
# one that holds rooms.
function(filch_label_tests folder label)
  if(label)
    set_property(DIRECTORY "${folder}" PROPERTY LABELS ${label})
  endif()
  get_property(below DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(each IN LISTS below)
    cmake_path(GET each FILENAME name)
    set(own room.${name})
    if(label)
      set(own ${label})
    elseif(name STREQUAL "filch")
      set(own "")
    endif()
    filch_label_tests("${each}" "${own}")
  endforeach()
endfunction()

# filch_has_coroutines(NAME): the target defines coroutines, which clang 14 cannot compile with its check of functions' types: it would
# put that check's mark before the parts that a coroutine is split into. Nor does its address sanitizer see a use after scope in a function that
# a coroutine was inlined into, whose frame has a lifetime that is no variable's.
function(filch_has_coroutines name)
  if(TARGET ${name} AND FILCH_SANITIZE MATCHES undefined)
    target_compile_options(${name} PRIVATE -fno-sanitize=function)
  endif()
  if(TARGET ${name} AND FILCH_SANITIZE MATCHES address)
    target_compile_options(${name} PRIVATE -fno-inline)
    set_target_properties(${name} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)  # they were compiled without that
  endif()
endfunction()

function(filch_configure_library name)
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${name} PUBLIC Threads::Threads PRIVATE $<BUILD_INTERFACE:filch_own_code>)
  if(NOT PROJECT_IS_TOP_LEVEL)  # nor do headers, as those of an installed library
    set_target_properties(${name} PROPERTIES SYSTEM ON)
  endif()
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety;-DFILCH_CHECK_LOCKS>)
  # Programs see what FILCH_EXPORT marks (base/language.hpp).
  set_target_properties(${name} PROPERTIES CXX_VISIBILITY_PRESET hidden)
endfunction()

# filch::inside: the library for programs and tests of our own, which also use what a shared one hides. Call it when filch has all its sources.
function(filch_inside_library)
  get_target_property(type filch TYPE)
  if(NOT type STREQUAL "SHARED_LIBRARY")
    add_library(filch::inside ALIAS filch)
    return()
  endif()
  add_library(filch_inside STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:filch>)
  add_library(filch::inside ALIAS filch_inside)
  target_compile_features(filch_inside PUBLIC cxx_std_20)
  target_include_directories(filch_inside PUBLIC "${PROJECT_SOURCE_DIR}")
  get_target_property(linked filch LINK_LIBRARIES)
  target_link_libraries(filch_inside PUBLIC ${linked})
endfunction()

# filch_in_pieces(NAME SIZE): compiles the sources that a target of this folder has by now SIZE at a time. CMake's own UNITY_BUILD (3.25) names them by
# where the clone lies, so that no compiler cache knows a piece again in another one; these name them as an include does.
function(filch_in_pieces name size)
  get_target_property(sources ${name} SOURCES)
  set(pieces "")
  set(piece "")
  set(count 0)
  list(LENGTH sources last)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    string(APPEND piece "#include <${source}>\n")
    math(EXPR count "${count} + 1")
    math(EXPR in_piece "${count} % ${size}")
    if(in_piece EQUAL 0 OR count EQUAL last)
      set(file "${CMAKE_CURRENT_BINARY_DIR}/${name}_${count}.cpp")
      file(CONFIGURE OUTPUT "${file}" CONTENT "${piece}")
      list(APPEND pieces "${file}")
      set(piece "")
    endif()
  endforeach()
  set_target_properties(${name} PROPERTIES SOURCES "${pieces}")
endfunction()

# filch_testing_library(SOURCES...): the target filch_testing, all that filch is made of and these, compiled for simulations
# (base/simulation.hpp). Call it after the other rooms. Without hwloc and zlib: nothing here depends on the machine, and nothing is recorded.
function(filch_testing_library)
  get_target_property(shipped filch SOURCES)
  get_property(simulation GLOBAL PROPERTY filch_simulation_sources)
  add_library(filch_testing STATIC ${shipped} ${simulation} ${ARGN})
  add_library(filch::testing ALIAS filch_testing)
  set_target_properties(filch_testing PROPERTIES EXPORT_NAME testing)
  filch_configure_library(filch_testing)
  target_compile_definitions(filch_testing PUBLIC FILCH_TESTING)
  if(FILCH_UNITY)
    filch_in_pieces(filch_testing 12)
  endif()
endfunction()

# filch_precompiled(NAME FLAGS HEADERS...): a target whose precompiled headers tests reuse; they are compiled with these flags, too. Only without a
# compiler cache, which does as much, and shows which includes a test has forgotten.
function(filch_precompiled name flags)
  if(CMAKE_CXX_COMPILER_LAUNCHER OR NOT FILCH_BUILD_TESTS)
    return()
  endif()
  file(CONFIGURE OUTPUT ${name}.cpp CONTENT "")
  add_library(${name} OBJECT "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_compile_options(${name} PRIVATE ${flags})
  target_link_libraries(${name} PRIVATE Threads::Threads filch_own_code GTest::gtest_main)
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()

# What a model checker writes into dead objects, to know them again, must stay written.
set(filch_model_flags $<$<CXX_COMPILER_ID:GNU>:-fno-lifetime-dse>)

# What every test includes, with the flags of each kind of test.
if(FILCH_BUILD_TESTS)
  filch_precompiled(filch_googletest "" <gtest/gtest.h>)
  filch_precompiled(filch_googletest_unoptimised -O0 <gtest/gtest.h>)
  if(NOT FILCH_SANITIZE)
    filch_precompiled(filch_googletest_model "${filch_model_flags}" <gtest/gtest.h>)
  endif()
endif()

# filch_test(NAME SOURCES a.cpp... [FILCH library] [LIBRARIES lib...] [PREFIX text] [LABELS quick|slow|stress|model [nosan] [one_thread] [novalgrind]]
#            [TIMEOUT seconds] [VALGRIND_FILTER filter] [UNOPTIMISED] [PRECOMPILED target])
# A GoogleTest program linked with filch::inside, or what FILCH says; every TEST in it is one ctest test. LABELS defaults to quick;
# without TIMEOUT the preset's holds, which `./test --long` lifts. one_thread: a single one runs, or one at a time (FILCH_ONLY_THREADS, below).
# Under valgrind a quick program runs all its tests, those that VALGRIND_FILTER lets through (`--gtest_filter`), or with novalgrind none; beside
# either stands why. Tests with real workers run alone, but for sanitizers; model checks and simulations beside each other.
# UNOPTIMISED: whatever the build does, the test is compiled without optimizing. PRECOMPILED: by `filch_precompiled`, with the same flags as the test.
function(filch_test name)
  cmake_parse_arguments(arg "UNOPTIMISED" "FILCH;PREFIX;TIMEOUT;VALGRIND_FILTER;PRECOMPILED" "SOURCES;LIBRARIES;LABELS;DEFINITIONS" ${ARGN})
  if(NOT arg_LABELS)
    set(arg_LABELS quick)
  endif()
  if(arg_TIMEOUT)
    set(timeout TIMEOUT ${arg_TIMEOUT})
  endif()
  if(NOT arg_FILCH)
    set(arg_FILCH filch::inside)
  endif()
  # gtest_discover_tests of CMake 3.25 passes on one label only.
  set(markers ${arg_LABELS})
  list(REMOVE_ITEM arg_LABELS nosan one_thread novalgrind)
  filch_is_watched_in_vain(in_vain ${markers})
  if(in_vain OR NOT FILCH_BUILD_TESTS)
    return()
  endif()
  # Real workers are disturbed by other load on the machine. A model check and a simulation are not: they run one thread at a time
  # and know no clock. Under a sanitizer no test depends on how long its workers take.
  set(uses_all_processors TRUE)
  if(arg_LABELS STREQUAL "model" OR arg_FILCH STREQUAL "filch::testing" OR FILCH_SANITIZE)
    set(uses_all_processors FALSE)
  endif()
  include(GoogleTest)
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_FILCH} filch_own_code GTest::gtest_main ${arg_LIBRARIES})
  target_compile_definitions(${name} PRIVATE ${arg_DEFINITIONS})
  set(precompiled filch_googletest)
  if(arg_UNOPTIMISED)
    set(precompiled filch_googletest_unoptimised)
    target_compile_options(${name} PRIVATE -O0)
  endif()
  if(arg_PRECOMPILED)
    set(precompiled ${arg_PRECOMPILED})
  endif()
  if(TARGET ${precompiled})
    target_precompile_headers(${name} REUSE_FROM ${precompiled})
    # If <string> was precompiled, g++ 12 takes what a string copies for an overrun. Builds with a compiler cache would tell.
    target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overread;-Wno-stringop-overflow>)
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 NO_PRETTY_VALUES TEST_PREFIX "${arg_PREFIX}"
                       PROPERTIES LABELS "${arg_LABELS}" ${timeout} RUN_SERIAL ${uses_all_processors})
  if(arg_LABELS STREQUAL "quick" AND arg_FILCH STREQUAL "filch::inside" AND NOT "nosan" IN_LIST markers AND NOT "novalgrind" IN_LIST markers)
    filch_test_under_valgrind(${name} ${arg_VALGRIND_FILTER})
  endif()
endfunction()

# A thread sanitizer learns nothing if one thread runs at a time, so it gets the tests that run several; with FILCH_LONG=1 everything.
if(FILCH_SANITIZE MATCHES thread AND NOT DEFINED ENV{FILCH_LONG})
  set(FILCH_ONLY_THREADS TRUE)
endif()

# filch_is_watched_in_vain(VARIABLE MARKER...): whether this build's sanitizer has nothing to say of a test that is marked so.
function(filch_is_watched_in_vain variable)
  set(in_vain FALSE)
  if((FILCH_SANITIZE AND "nosan" IN_LIST ARGN) OR (FILCH_ONLY_THREADS AND "one_thread" IN_LIST ARGN))
    set(in_vain TRUE)
  endif()
  set(${variable} ${in_vain} PARENT_SCOPE)
endfunction()

# filch_test_under_valgrind(NAME [FILTER]): the program, or those of its tests, once more under a thread scheduler that is not the
# kernel's. Valgrind runs one thread at a time, and hands over in turn (fair) or to the first thread that grabs the lock (unfair).
# Programs alternate between the two; with FILCH_LONG each has both.
function(filch_test_under_valgrind name)
  if(FILCH_SANITIZE OR NOT FILCH_VALGRIND OR NOT CMAKE_CURRENT_SOURCE_DIR MATCHES "^${PROJECT_SOURCE_DIR}/filch/")
    return()
  endif()
  set(filter)
  if(ARGN)
    set(filter "--gtest_filter=${ARGN}")
  endif()
  get_property(kinds GLOBAL PROPERTY filch_valgrind_kinds)
  if(NOT kinds)
    set(kinds fair unfair)
  endif()
  set(when always)
  foreach(kind IN LISTS kinds)
    add_test(NAME valgrind.${name}.${kind}
             COMMAND bash "${PROJECT_SOURCE_DIR}/scripts/under_valgrind.sh" ${kind} ${when} ${FILCH_VALGRIND} $<TARGET_FILE:${name}> --gtest_brief=1 ${filter})
    set_tests_properties(valgrind.${name}.${kind} PROPERTIES LABELS valgrind TIMEOUT 600 SKIP_REGULAR_EXPRESSION "FILCH_LONG=1 runs it")
    set(when long)
  endforeach()
  list(REVERSE kinds)
  set_property(GLOBAL PROPERTY filch_valgrind_kinds ${kinds})
endfunction()

# filch_tests_on_one_processor(NAME...): each program once more, bound to a single processor while it asks for more workers than that.
function(filch_tests_on_one_processor)
  if(FILCH_SANITIZE OR NOT FILCH_BUILD_TESTS OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    return()
  endif()
  foreach(name IN LISTS ARGN)
    add_test(NAME one_processor.${name}
             COMMAND bash "${PROJECT_SOURCE_DIR}/scripts/one_processor.sh" $<TARGET_FILE:${name}> --gtest_brief=1)
    set_tests_properties(one_processor.${name} PROPERTIES LABELS quick TIMEOUT 300)
  endforeach()
endfunction()

# filch_model(NAME SOURCES a.cpp...): model checks and witnesses (testing/model/witness.hpp), one ctest test each. The sources are
# compiled twice: NAME runs them over Relacy, NAME_explorer over the explorer, with tests called explorer.*.
function(filch_model name)
  set(how LABELS model PRECOMPILED filch_googletest_model)
  if(FILCH_RELACY_INCLUDE_DIR)
    filch_test(${name} ${ARGN} ${how} DEFINITIONS FILCH_MODEL FILCH_RELACY)
    target_include_directories(${name} SYSTEM PRIVATE "${FILCH_RELACY_INCLUDE_DIR}")
    target_compile_options(${name} PRIVATE ${filch_model_flags})
  endif()
  filch_test(${name}_explorer ${ARGN} ${how} DEFINITIONS FILCH_MODEL LIBRARIES filch_explorer PREFIX explorer.)
  target_compile_options(${name}_explorer PRIVATE ${filch_model_flags})
endfunction()

# filch_libfuzzer(PROPERTY SOURCES a.cpp... [LIBRARIES lib...]): with FILCH_FUZZ, a program that libFuzzer drives, which tries the property that is called so
# in the sources and starts from the texts in corpus/PROPERTY.txt, and the ctest test that lets it run for FILCH_FUZZ_SECONDS of the environment (10).
function(filch_libfuzzer property)
  if(NOT FILCH_FUZZ OR NOT FILCH_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  set(name ${property}_libfuzzer)
  get_property(main GLOBAL PROPERTY filch_libfuzzer_main)
  add_executable(${name} EXCLUDE_FROM_ALL "${main}" ${arg_SOURCES})
  add_dependencies(libfuzzers ${name})
  target_link_libraries(${name} PRIVATE filch::inside filch_own_code ${arg_LIBRARIES})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  target_compile_definitions(${name} PRIVATE FILCH_FUZZ_PROPERTY="${property}")
  add_test(NAME ${name} COMMAND bash "${PROJECT_SOURCE_DIR}/scripts/fuzz.sh" "$<TARGET_FILE:${name}>" "${CMAKE_CURRENT_SOURCE_DIR}/corpus/${property}.txt")
  set_tests_properties(${name} PROPERTIES LABELS fuzz TIMEOUT 86400)
endfunction()

# filch_bench(NAME SOURCES a.cpp... [LIBRARIES lib...]): a Google Benchmark program beside the code it measures.
function(filch_bench name)
  if(NOT FILCH_BUILD_BENCH)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  find_package(benchmark REQUIRED)
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE filch::inside filch_own_code benchmark::benchmark_main ${arg_LIBRARIES})
endfunction()
