#include <filch/trace/export.hpp>
#include <filch/trace/file.hpp>
#include <fmt/format.h>
#include <tools/cli/commands.hpp>
#include <tools/cli/report.hpp>

#include <array>
#include <cerrno>
#include <memory>
#include <system_error>

namespace filch::cli {

namespace {

struct format {
  const char* option;
  const char* purpose;
  std::string (*convert)(const event::recording&);
  bool is_text;
};

constexpr std::array<format, 4> formats{{
    {"--chrome", "JSON for chrome://tracing and speedscope", trace::to_chrome, true},
    {"--perfetto", "A trace for ui.perfetto.dev", trace::to_perfetto, false},
    {"--csv", "A line an event", trace::to_csv, true},
    {"--folded", "Nanoseconds of each worker's activities, for flame graphs", trace::to_folded,
     true},
}};

struct export_request {
  std::string file;
  std::string out;
  std::array<bool, formats.size()> wanted{};
};

[[noreturn]] void fail(const std::string& path) {
  throw std::system_error(errno, std::generic_category(), "cannot write " + path);
}

void write(const std::string& bytes, const std::string& path) {
  const bool is_stdout = path.empty();
  std::FILE* const stream = is_stdout ? stdout : std::fopen(path.c_str(), "wb");
  if (stream == nullptr) fail(path);
  const bool is_whole = std::fwrite(bytes.data(), 1, bytes.size(), stream) == bytes.size() &&
                        std::fflush(stream) == 0;
  if (!is_whole) fail(is_stdout ? "the output" : path);
  if (!is_stdout && std::fclose(stream) != 0) fail(path);
}

int convert(const export_request& request) {
  const auto chosen =
      static_cast<std::size_t>(std::ranges::find(request.wanted, true) - request.wanted.begin());
  const format& to = formats[chosen];
  if (!to.is_text && request.out.empty() && is_terminal(stdout)) {
    fmt::print(stderr, "filch: {} is not for a terminal; say where to with -o FILE\n", to.option);
    return misused;
  }
  write(to.convert(trace::read_file(request.file)), request.out);
  return all_well;
}

}  // namespace

void add_export_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("export", "Give a recording to other programs");
  auto request = std::make_shared<export_request>();
  command->add_option("file", request->file, "A recording")->type_name("FILE")->required();
  command->add_option("-o,--out", request->out, "Where to; the standard output without it")
      ->type_name("FILE");
  CLI::Option_group* group = command->add_option_group("Formats");
  for (std::size_t i = 0; i < formats.size(); ++i)
    group->add_flag(formats[i].option, request->wanted[i], formats[i].purpose);
  group->require_option(1);
  command->footer(
      "Examples:\n"
      "  filch export out.filch --perfetto -o out.pftrace\n"
      "  filch export out.filch --csv | sort -t, -k4 | less\n"
      "  filch export out.filch --folded | flamegraph.pl > out.svg");
  command->callback([request, &exit_code] { exit_code = convert(*request); });
}

}  // namespace filch::cli
