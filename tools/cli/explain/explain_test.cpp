#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <tools/cli/explain/json.hpp>
#include <tools/cli/explain/player.hpp>
#include <tools/cli/page.hpp>
#include <tools/viewer/pages.hpp>

#include <algorithm>

namespace {

using namespace filch::cli::explain;
using filch::cli::with_data;

const story& first_story() {
  static const story told = tell(1);
  return told;
}

std::string unpainted(std::string_view text, bool) { return std::string{text}; }

template <class Check>
void for_all_positions(const story& all, Check check) {
  for (position at; at.scene < scene_count(all); ++at.scene) {
    for (at.run = 0; at.run < run_count(all, at); ++at.run) {
      for (at.step = 0; at.step <= step_count(all, at); ++at.step) check(at);
    }
  }
}

TEST(frames, fit_a_screen_of_80_by_24_with_its_line_of_keys) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const story all = tell(seed);
    for_all_positions(all, [&](const position& at) {
      const auto lines = frame_of(all, at, 80, unpainted);
      ASSERT_LE(lines.size(), 23u) << at.scene << ' ' << at.step;
      for (const std::string& line : lines) ASSERT_LE(line.size(), 80u) << line;
    });
  }
}

TEST(frames, show_the_sentence_of_the_step_and_every_waiting_task) {
  const story& all = first_story();
  for_all_positions(all, [&](const position& at) {
    if (is_duel(all, at) || at.step == 0) return;
    std::string words;
    for (const std::string& line : frame_of(all, at, 120, unpainted)) words += line + '\n';
    const scene& shown = all.scenes[at.scene];
    ASSERT_NE(words.find(shown.runs[at.run].told.steps[at.step - 1].sentence), std::string::npos)
        << words;
    const auto now = picture_after(shown, shown.runs[at.run], at.step);
    for (filch::sim::worker_index w = 0; w < worker_count; ++w) {
      for (const auto task : now.queue_of(w))
        ASSERT_NE(words.find(shown.what[task].name), std::string::npos) << words;
    }
  });
}

TEST(player, steps_stop_at_both_ends) {
  player shown{first_story(), {}};
  EXPECT_TRUE(shown.press(key::back));
  EXPECT_EQ(shown.at().step, 0u);
  shown.press(key::last);
  const std::size_t last = shown.at().step;
  EXPECT_EQ(last, step_count(first_story(), shown.at()));
  shown.press(key::forward);
  EXPECT_EQ(shown.at().step, last);
  EXPECT_FALSE(shown.press(key::quit));
}

TEST(player, plays_to_the_end_and_then_from_the_start) {
  player shown{first_story(), {}};
  shown.press(key::play);
  for (int i = 0; i < 10'000 && shown.is_playing(); ++i) shown.tick();
  EXPECT_FALSE(shown.is_playing());
  EXPECT_EQ(shown.at().step, step_count(first_story(), shown.at()));
  shown.press(key::play);
  EXPECT_EQ(shown.at().step, 0u);
}

TEST(player, goes_round_all_schedulers_and_scenes) {
  player shown{first_story(), {}};
  for (std::size_t i = 0; i < first_story().scenes[0].runs.size(); ++i) shown.press(key::next_run);
  EXPECT_EQ(shown.at().run, 0u);
  shown.press(key::previous_run);
  EXPECT_EQ(shown.at().run, first_story().scenes[0].runs.size() - 1);
  for (std::size_t i = 0; i < scene_count(first_story()); ++i) shown.press(key::next_scene);
  EXPECT_EQ(shown.at().scene, 0u);
}

TEST(player, knows_the_keys_of_terminals_also_when_they_come_together) {
  std::string typed = " \033[C\033[D\033[1~q\033[99~\003";
  std::vector<key> keys;
  while (!typed.empty()) keys.push_back(take_key(typed));
  EXPECT_EQ(keys, (std::vector{key::play, key::forward, key::back, key::first, key::quit, key::none,
                               key::quit}));
  for (std::string alone : {"\033", "\033[", "\033[12"}) {
    take_key(alone);
    EXPECT_TRUE(alone.empty()) << "what was broken off does not hold up what comes";
  }
}

TEST(story_json, has_a_version_and_keyframes_that_follow_from_the_moves) {
  const nlohmann::ordered_json all = as_json(first_story());
  EXPECT_EQ(all["format"], "filch.explain");
  EXPECT_EQ(all["version"], format_version);
  EXPECT_EQ(all["duels"].size(), 7u);
  for (const auto& scene : all["scenes"]) {
    for (const auto& run : scene["runs"]) {
      auto places = run["keyframes"][0]["places"];
      std::size_t done = 0;
      for (const auto& keyframe : run["keyframes"]) {
        for (; done < keyframe["after"]; ++done) {
          const auto& move = run["steps"][done]["move"];
          if (move.is_null()) continue;
          auto& from = places[move[1].get<std::string>()];
          from.erase(from.begin() + move[2].get<std::ptrdiff_t>());
          auto& to = places[move[3].get<std::string>()];
          to.insert(to.begin() + move[4].get<std::ptrdiff_t>(), move[0]);
        }
        EXPECT_EQ(places, keyframe["places"]) << scene["id"] << run["scheduler"] << done;
      }
    }
  }
}

TEST(story_json, names_workers_and_tasks_by_number_or_null) {
  const nlohmann::ordered_json all = as_json(first_story());
  for (const auto& scene : all["scenes"]) {
    const std::size_t task_count = scene["tasks"].size();
    const auto is_below = [](const auto& value, std::size_t bound) {
      return value.is_null() || value.template get<std::size_t>() < bound;
    };
    for (const auto& task : scene["tasks"]) {
      EXPECT_TRUE(is_below(task["parent"], task_count)) << task;
      EXPECT_TRUE(is_below(task["next"], task_count)) << task;
    }
    for (const auto& run : scene["runs"]) {
      for (const auto& step : run["steps"]) {
        EXPECT_TRUE(is_below(step["task"], task_count)) << step;
        EXPECT_TRUE(is_below(step["other"], worker_count)) << step;
      }
    }
  }
}

TEST(page, holds_the_data_and_nothing_in_it_ends_the_script) {
  const std::string page =
      with_data(R"(<script id="filch-data">null</script><p>)", R"({"a":"</script><!--"})");
  EXPECT_EQ(page, "<script id=\"filch-data\">{\"a\":\"\\u003c/script>\\u003c!--\"}</script><p>");
}

TEST(page, the_shipped_one_takes_the_story) {
  const std::string page = with_data(filch::viewer::explain_page(), as_json(first_story()).dump());
  const std::size_t begin = page.find("id=\"filch-data\">") + 16;
  const auto data =
      nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  EXPECT_EQ(data["seed"], 1);
}

}  // namespace
