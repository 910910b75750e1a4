# The deque with one mistake each: what the model checks of deque_model.cpp must be able to see.
# A mutant is the shipped header with one passage replaced; when the passage is gone from deque.hpp, configuring fails.
set(mutants_dir ${CMAKE_CURRENT_BINARY_DIR}/mutants)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/deque.hpp)
file(READ deque.hpp shipped_text)
add_custom_target(deque_mutants)

# Built only when the tests that need them run, by this fixture.
add_test(NAME deque_mutants.build COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target deque_mutants --config $<CONFIG>)
set_tests_properties(deque_mutants.build PROPERTIES FIXTURES_SETUP deque_mutants LABELS mutant TIMEOUT 1200)

# deque_mutant(NAME CLAIM FROM TO): a test that passes when the model check of that name finds the mistake.
function(deque_mutant name claim from to)
  string(FIND "${shipped_text}" "${from}" first)
  string(FIND "${shipped_text}" "${from}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "deque_mutants.cmake: mutant ${name} must replace a passage that stands once in deque.hpp: ${from}")
  endif()
  string(REPLACE "${from}" "${to}" mutant_text "${shipped_text}")
  file(CONFIGURE OUTPUT ${mutants_dir}/${name}/filch/queue/deque.hpp CONTENT "${mutant_text}" @ONLY)

  add_executable(deque_mutant_${name} EXCLUDE_FROM_ALL deque_model.cpp)
  target_include_directories(deque_mutant_${name} BEFORE PRIVATE ${mutants_dir}/${name})
  target_compile_definitions(deque_mutant_${name} PRIVATE FILCH_MODEL FILCH_RELACY)
  target_compile_options(deque_mutant_${name} PRIVATE -O0 -g0 $<$<CXX_COMPILER_ID:GNU>:-fno-lifetime-dse>)
  target_link_libraries(deque_mutant_${name} PRIVATE filch::filch GTest::gtest_main)
  add_dependencies(deque_mutants deque_mutant_${name})
  add_test(NAME deque_mutant.${name} COMMAND deque_mutant_${name} --gtest_filter=deque_model.${claim})
  set_tests_properties(deque_mutant.${name} PROPERTIES FIXTURES_REQUIRED deque_mutants LABELS mutant TIMEOUT 120
                       PASS_REGULAR_EXPRESSION "broken by execution [0-9]+.*1 FAILED TEST")
endfunction()

# Hazards 2 to 11 of the literature and of other projects' trackers, as far as one passage can bring them back.
deque_mutant(push_into_the_array_from_before_growth growing_under_a_thief_loses_nothing
  "make_room(b, 1);\n    newest_->put(b, item);"
  "array* const stale = newest_.get();\n    make_room(b, 1);\n    stale->put(b, item);")
deque_mutant(unsigned_indices popping_before_any_push_does_no_harm
  "if (t < b) return newest_->get(b);"
  "if (std::uint64_t(t) < std::uint64_t(b)) return newest_->get(b);")
deque_mutant(steal_reads_the_slot_after_its_claim slots_are_reused_only_after_their_items_are_gone
  "if (!claim(t)) return {steal_outcome::lost_race};\n    return {steal_outcome::got_job, item};"
  "if (!claim(t)) return {steal_outcome::lost_race};\n    return {steal_outcome::got_job, array_.load(acquire<edge::grow>)->get(t)};")
deque_mutant(steal_claims_two_at_once growing_under_a_thief_loses_nothing
  "return top_.compare_exchange(t, t + 1,"
  "return top_.compare_exchange(t, t + (bottom_.load(relaxed) - t > 2 ? 2 : 1),")
deque_mutant(growth_frees_the_old_array growing_under_a_thief_loses_nothing
  "larger->older = std::move(newest_);"
  "")
deque_mutant(growth_forgets_the_oldest_item growing_under_a_thief_loses_nothing
  "std::int64_t i = t; i < b; ++i"
  "std::int64_t i = t + 1; i < b; ++i")
deque_mutant(growth_comes_one_item_late growing_under_a_thief_loses_nothing
  "b - t + item_count <= newest_->capacity()"
  "b - t + item_count <= newest_->capacity() + 1")
deque_mutant(bottom_stays_low_after_a_lost_duel the_last_item_goes_to_the_owner_or_the_thief
  "bottom_.store(b + 1, relaxed);\n    return won"
  "if (won || t > b + 1) bottom_.store(b + 1, relaxed);\n    return won")
deque_mutant(pop_of_the_last_item_without_a_claim the_last_item_goes_to_the_owner_or_the_thief
  "t == b && claim(t)"
  "t == b")
deque_mutant(steal_of_one_item_too_many every_job_is_taken_once_by_an_owner_and_a_thief
  "if (t >= b) return {steal_outcome::was_empty};"
  "if (t > b) return {steal_outcome::was_empty};")
deque_mutant(oldest_taken_without_a_claim an_owner_that_takes_the_oldest_shares_with_a_thief
  "if (claim(t)) return item;"
  "top_.store(t + 1, seq_cst<edge::claim>);\n      return item;")
deque_mutant(a_lost_race_called_empty outcomes_tell_the_truth
  "return {steal_outcome::lost_race};"
  "return {steal_outcome::was_empty};")

# Each end of `edge::last_item` alone. The fourth, the thief's look at top, has no mutant: see *Edges* in README.md.
deque_mutant(pop_lowers_bottom_in_no_common_order every_job_is_taken_once_by_an_owner_and_a_thief
  "bottom_.store(b, both(release<edge::publish>, seq_cst<edge::last_item>));"
  "bottom_.store(b, release<edge::publish>);")
deque_mutant(pop_reads_top_in_no_common_order every_job_is_taken_once_by_an_owner_and_a_thief
  "std::int64_t t = top_.load(both(seq_cst<edge::last_item>, seq_cst<edge::claim>));\n    if (t < b)"
  "std::int64_t t = top_.load(acquire<edge::reuse>);\n    if (t < b)")
deque_mutant(steal_reads_bottom_in_no_common_order every_job_is_taken_once_by_an_owner_and_a_thief
  "bottom_.load(both(acquire<edge::publish>, seq_cst<edge::last_item>));"
  "bottom_.load(acquire<edge::publish>);")
