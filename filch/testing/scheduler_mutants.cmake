# The scheduler with one mistake each: what hazards_test and the random programs must be able to see.
# A mutant is a shipped source with one passage replaced, linked before the library; when the passage is gone, configuring fails.
set(mutants_dir ${CMAKE_CURRENT_BINARY_DIR}/mutants)
add_custom_target(scheduler_mutants)
add_library(scheduler_checks OBJECT EXCLUDE_FROM_ALL hazards_test.cpp random_program_test.cpp random_programs_slow_test.cpp)
target_link_libraries(scheduler_checks PRIVATE filch::testing GTest::gtest)

# Built only when the tests that need them run, by this fixture.
add_test(NAME scheduler_mutants.build COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target scheduler_mutants --config $<CONFIG>)
set_tests_properties(scheduler_mutants.build PROPERTIES FIXTURES_SETUP scheduler_mutants LABELS mutant TIMEOUT 1200)

# scheduler_mutant(NAME FILE CLAIM FROM TO): a test that passes when the test CLAIM finds the mistake in FILE, and says at which seed.
function(scheduler_mutant name file claim from to)
  set(shipped ${PROJECT_SOURCE_DIR}/filch/${file})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${shipped})
  file(READ ${shipped} shipped_text)
  string(FIND "${shipped_text}" "${from}" first)
  string(FIND "${shipped_text}" "${from}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "scheduler_mutants.cmake: mutant ${name} must replace a passage that stands once in ${file}: ${from}")
  endif()
  string(REPLACE "${from}" "${to}" mutant_text "${shipped_text}")
  file(CONFIGURE OUTPUT ${mutants_dir}/${name}.cpp CONTENT "${mutant_text}" @ONLY)

  add_executable(scheduler_mutant_${name} EXCLUDE_FROM_ALL ${mutants_dir}/${name}.cpp $<TARGET_OBJECTS:scheduler_checks>)
  target_compile_options(scheduler_mutant_${name} PRIVATE -g0)
  target_link_libraries(scheduler_mutant_${name} PRIVATE filch::testing GTest::gtest_main)
  add_dependencies(scheduler_mutants scheduler_mutant_${name})
  # Through a shell: some die of a signal, which would count more than what they said.
  add_test(NAME scheduler_mutant.${name}
           COMMAND sh -c "\"$1\" --gtest_filter=${claim} || exit 1" sh $<TARGET_FILE:scheduler_mutant_${name}>)
  set_tests_properties(scheduler_mutant.${name} PROPERTIES FIXTURES_REQUIRED scheduler_mutants LABELS mutant TIMEOUT 300
                       PASS_REGULAR_EXPRESSION "seed [0-9]+ fails: |dies while it runs seed [0-9]+")
endfunction()

# Falling asleep and waking: hazards 25, 26, 28, 31, 33, 36, 39 and 40 of other projects' trackers.
scheduler_mutant(no_recheck_before_sleep sched/roster.cpp hazards.callers_from_outside_get_their_turn
  "  if (lost_interest ? core_.detached_waits() : core_.work_visible()) wake_one(&me);\n"
  "")
scheduler_mutant(a_submission_wakes_nobody sched/core.cpp hazards.a_job_that_waits_for_one_it_submitted_gets_it
  "  crew.notify(here);\n"
  "")
scheduler_mutant(the_last_searcher_leaves_no_successor sched/worker.cpp hazards.two_submitted_jobs_that_must_overlap_do
  "if (core.crew.idle().end_search() && core.crew.idle().peek().free_slots != 0) core.offer_slot(this);"
  "core.crew.idle().end_search();")
scheduler_mutant(waiting_work_is_not_noted sched/roster.cpp hazards.callers_from_outside_get_their_turn
  "if (is_needed) idle_.note_waiting_work();"
  "")
scheduler_mutant(ready_queues_are_never_robbed sched/thief.cpp hazards.jobs_behind_one_that_waits_run_elsewhere
  "return rob_ready_queues(draw);"
  "return draw == 1 && rob_ready_queues(draw);")
scheduler_mutant(who_gets_up_stays_among_the_sleepers sched/roster.cpp hazards.two_sides_of_a_join_that_must_overlap_do
  "    remove_sleeper(me);\n    if (watcher_"
  "    if (watcher_")
scheduler_mutant(the_end_of_a_pool_wakes_one_sleeper sched/roster.cpp hazards.sleepers_notice_the_end_of_the_pool
  "while (worker* const woken = pop_sleeper())"
  "if (worker* const woken = pop_sleeper())")
scheduler_mutant(a_lock_marked_uncontended base/mutex.cpp hazards.a_join_returns_though_others_work_on
  "state_.exchange(contended,"
  "state_.exchange(held,")
scheduler_mutant(a_search_ends_before_it_forces sched/thief.cpp hazards.two_sides_of_a_join_that_must_overlap_do
  "    // Before the end of the search"
  "    if (now - begin > enough) break;\n    // Before the end of the search")
scheduler_mutant(nobody_is_forced sched/thief.cpp hazards.two_sides_of_a_join_that_must_overlap_do
  "if (now - asked_at_ >= patience && force_the_silent()) continue;"
  "")
scheduler_mutant(an_answer_wakes_nobody sched/worker.cpp hazards.two_sides_of_a_join_that_must_overlap_do
  "if (asked == queue::request::placed) core.crew.notify(this);"
  "")

# Joining and blocking: hazards 29, 44, 45, 46, 48 and 50.
scheduler_mutant(a_spurious_wake_taken_for_a_token base/parker.cpp random_programs.run_everything_exactly_once
  "    while (state_.load(std::memory_order_relaxed) == sleeping) {\n      futex_wait(state_, sleeping);\n    }"
  "    futex_wait(state_, sleeping);")
scheduler_mutant(a_waiter_overwrites_the_completion sched/stalled_join.cpp random_programs.run_everything_exactly_once
  "if (at->completion.compare_exchange(nobody, handle, base::release<queue::fork_edge::complete>)) {"
  "at->completion.store(handle, base::release<queue::fork_edge::complete>);\n  if (nobody == 0) {")
scheduler_mutant(an_early_resume_is_forgotten sched/roster.cpp hazards.all_workers_may_wait_for_children
  "    claim.was_resumed = true;\n"
  "")
scheduler_mutant(who_waits_for_a_slot_is_passed_over sched/roster.cpp hazards.blocking_calls_let_the_work_behind_them_run
  "  if (waiting_first_ != nullptr) {\n    slot_claim* const first"
  "  if (waiting_first_ != nullptr && free_slots_ != nullptr) {\n    slot_claim* const first")
scheduler_mutant(a_group_counts_jobs_as_done_too_early fork/group_state.cpp hazards.a_group_waits_for_what_its_last_job_adds
  "    if (--unfinished_ == 0) sleeper = std::exchange(sleeper_, nullptr);"
  "    if (--unfinished_ <= 1) sleeper = std::exchange(sleeper_, nullptr), unfinished_ = 0;")
scheduler_mutant(a_group_sleeps_without_a_last_look fork/group_state.cpp hazards.a_group_waits_for_what_its_last_job_adds
  "    if (unfinished_ == 0) return;\n    sleeper_"
  "    sleeper_")
scheduler_mutant(a_stolen_job_is_not_waited_for sched/slow_fork.cpp hazards.two_sides_of_a_join_that_must_overlap_do
  "  if (outcome == queue::pop_outcome::stolen) me.wait_for_stolen(at);\n"
  "")
scheduler_mutant(a_blocking_call_offers_nothing sched/worker.cpp hazards.blocking_calls_let_the_work_behind_them_run
  "  core.crew.release(claim);\n  core.offer_slot(this);"
  "  core.crew.release(claim);")
scheduler_mutant(a_blocking_call_comes_back_without_a_slot sched/visit.cpp random_programs.run_everything_exactly_once
  "  worker_->take_slot();\n  current_stack = worker_;\n  innermost"
  "  current_stack = worker_;\n  innermost")
scheduler_mutant(a_group_throws_the_youngest_exception fork/group_state.cpp random_programs.run_everything_exactly_once
  "number < error_number_"
  "number > error_number_")

# Ends: hazards 57 and 58.
scheduler_mutant(a_pool_joins_its_own_thread sched/pool.cpp hazards.a_pool_may_be_destroyed_by_its_own_job
  "if (sched::slot_leave::find(*core_) != nullptr) {"
  "if (core_ == nullptr) {")
scheduler_mutant(the_destructor_does_not_drain sched/core.cpp hazards.blocking_calls_let_the_work_behind_them_run
  "  while (unfinished_.load(base::acquire<edge::announce>) != 0) {\n    drained_.park();\n  }\n"
  "")
scheduler_mutant(the_last_job_wakes_nobody sched/core.cpp hazards.a_pool_that_ends_finishes_what_its_jobs_submit
  "== 1) drained_.unpark();"
  "== 2) drained_.unpark();")
scheduler_mutant(a_stopped_pool_refuses_its_running_jobs sched/pool.cpp random_programs.run_everything_exactly_once
  "if (core_->is_stopped() && sched::slot_leave::find(*core_) == nullptr) throw"
  "if (core_->is_stopped()) throw")
