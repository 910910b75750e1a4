// The `filch` program: its commands are in files of their own.
#include <filch/filch.hpp>
#include <fmt/format.h>
#include <tools/cli/commands.hpp>
#include <tools/cli/report.hpp>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <system_error>

namespace filch::cli {

namespace {

/// Names of files and of what stands in recordings may hold anything. Line by line.
std::string readable(std::string_view text) {
  std::string clean;
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    clean += name_text(text.substr(0, end)) + '\n';
    text.remove_prefix(end + 1);
  }
  return clean + name_text(text);
}

/// "filch run uts": the command that was given, as far as it was understood.
std::string full_name(const CLI::App* app) {
  const auto chosen = app->get_subcommands();
  return chosen.empty() ? app->get_name() : app->get_name() + " " + full_name(chosen.front());
}

int parse_and_run(int argc, const char* const* argv) {
  CLI::App app{"filch, a work-stealing runtime: run, compare, record, explain.", "filch"};
  int exit_code = all_well;
  app.set_version_flag("--version", "filch " FILCH_VERSION);
  app.get_formatter()->column_width(26);
  app.failure_message([](const CLI::App* given, const CLI::Error& error) {
    return fmt::format("filch: {}\nTry `{} --help`.\n", readable(error.what()), full_name(given));
  });
  add_prove_command(app, exit_code);
  add_run_command(app, exit_code);
#ifdef FILCH_HAS_COMPARE
  add_compare_command(app, exit_code);
#endif
  add_analyze_command(app, exit_code);
  add_info_command(app, exit_code);
  add_machine_command(app, exit_code);
  add_explain_command(app, exit_code);
  add_report_command(app, exit_code);
  add_check_command(app, exit_code);
  add_diff_command(app, exit_code);
  add_sweep_command(app, exit_code);
  add_scale_command(app, exit_code);
  add_view_command(app, exit_code);
  add_snapshot_command(app, exit_code);
  add_export_command(app, exit_code);
  add_top_command(app, exit_code);
  add_metrics_command(app, exit_code);
  app.footer(
      "Examples:\n"
      "  filch prove                        what hurts elsewhere, tried here and now\n"
      "  filch run uts                      count a tree of four million nodes\n"
      "  filch run duplicates ~/Documents   find files with equal content\n"
      "  filch compare uts                  the same tree on filch and its rivals\n"
      "  filch analyze fft                  how parallel it is, and what is in the way\n"
      "  filch info                         how many workers, and why\n"
      "  filch machine --measure            what memory and kernel of this machine cost\n"
      "  filch explain                      watch work stealing, step by step\n"
      "  filch report run.filch             where the time of a recorded run went\n"
      "  filch view run.filch               the same with a timeline, in the browser\n"
      "  filch sweep --workers 1,2 -- ./app the same run on one worker and on two\n"
      "  filch scale fib                    the scheduler on a simulated machine\n"
      "  filch snapshot                     which processes record\n"
      "  filch top 4711                     what the workers of one of them do now\n"
      "\nExit status: 0 all well, 1 a wrong result or a failure, 2 misuse.");
  require_one_of(app, "command");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? all_well : misused;
  }
  return exit_code;
}

/// The rest of the buffer may find no room, either.
void finish_output() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(),
                          "cannot write the output");
}

void complain(std::string_view problem) { fmt::print(stderr, "filch: {}\n", readable(problem)); }

}  // namespace

}  // namespace filch::cli

int main(int argc, char** argv) {
  try {
    const int exit_code = filch::cli::parse_and_run(argc, argv);
    filch::cli::finish_output();
    return exit_code;
  } catch (const std::bad_alloc&) {
    filch::cli::complain("not enough memory for this size");
  } catch (const std::exception& failure) {
    filch::cli::complain(failure.what());
  }
  return filch::cli::went_wrong;
}
