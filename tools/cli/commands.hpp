#pragma once
#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdlib>
#include <string>
#include <type_traits>

namespace filch::cli {

/// What the program returns; misuse is told apart from a wrong answer.
enum exit_status : int { all_well = 0, went_wrong = 1, misused = 2 };

// Each adds a command with its options. When that command was given, parsing runs it and stores
// what the program shall return.
void add_run_command(CLI::App& app, int& exit_code);
void add_compare_command(CLI::App& app, int& exit_code);
void add_explain_command(CLI::App& app, int& exit_code);
void add_analyze_command(CLI::App& app, int& exit_code);
void add_info_command(CLI::App& app, int& exit_code);
void add_machine_command(CLI::App& app, int& exit_code);
void add_report_command(CLI::App& app, int& exit_code);
void add_check_command(CLI::App& app, int& exit_code);
void add_diff_command(CLI::App& app, int& exit_code);
void add_sweep_command(CLI::App& app, int& exit_code);
void add_view_command(CLI::App& app, int& exit_code);
void add_snapshot_command(CLI::App& app, int& exit_code);
void add_export_command(CLI::App& app, int& exit_code);
void add_top_command(CLI::App& app, int& exit_code);
void add_metrics_command(CLI::App& app, int& exit_code);
void add_scale_command(CLI::App& app, int& exit_code);
void add_prove_command(CLI::App& app, int& exit_code);

/// Makes `parent` demand one of its commands; anything else is refused with what is nearest, or
/// with the list of what there is. `noun` says what they are: "workload".
void require_one_of(CLI::App& parent, const std::string& noun);

/// Declares an option that takes a number from `low` to `high`; the help shows what `value` is now
/// as the default.
template <class T>
void add_number(CLI::App& command, const std::string& name, T& value, const std::string& purpose,
                std::type_identity_t<T> low, std::type_identity_t<T> high) {
  CLI::Option* const option =
      command.add_option(name, value, purpose)->type_name("N")->capture_default_str();
  option->check(CLI::Range(low, high).description(""));
  if constexpr (std::is_floating_point_v<T>) {  // nan is neither too small nor too large
    option->check([](const std::string& text) {
      return std::isnan(std::strtod(text.c_str(), nullptr)) ? text + " is no number" : "";
    });
  }
}

}  // namespace filch::cli
