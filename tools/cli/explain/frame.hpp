#pragma once
#include <tools/cli/explain/story.hpp>

namespace filch::cli::explain {

/// What is on the screen: a scene under one of its schedulers, or a duel, after some steps.
struct position {
  std::size_t scene = 0;  ///< The duels follow the scenes.
  std::size_t run = 0;
  std::size_t step = 0;
};

bool is_duel(const story& all, const position& at);
/// How many there are of each at `at`; a duel has one run.
std::size_t scene_count(const story& all);
std::size_t run_count(const story& all, const position& at);
std::size_t step_count(const story& all, const position& at);

/// The screen as lines of at most `columns` characters, fewer than 24 of them. `tone` paints.
using painter = std::string (*)(std::string_view text, bool is_strong);
std::vector<std::string> frame_of(const story& all, const position& at, std::size_t columns,
                                  painter paint);

/// The sentence of each step with its clock, one a line, and what came of it.
std::string transcript_of(const story& all, const position& at);

}  // namespace filch::cli::explain
