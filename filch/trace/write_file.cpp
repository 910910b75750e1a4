#include <filch/trace/analysis_part.hpp>
#include <filch/trace/bytes.hpp>
#include <filch/trace/compress.hpp>
#include <filch/trace/file.hpp>
#include <filch/trace/file_format.hpp>
#include <filch/trace/graphs_part.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#if defined(__linux__)
#include <sys/xattr.h>
#endif
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

namespace filch::inline v0_2::trace {
namespace {

void put_part(byte_writer& file, std::string_view name, const byte_writer& contents) {
  const std::string& bytes = contents.bytes();
  const std::string smaller = compressed(bytes);
  file.put_text(name);
  file.put(static_cast<std::uint64_t>(smaller.empty() ? packing::plain : packing::deflate));
  file.put(bytes.size());
  file.put(checksum(bytes));
  file.put_text(smaller.empty() ? bytes : smaller);
}

byte_writer about_part(const event::recording& what) {
  byte_writer part;
  part.put_text(what.program);
  part.put_signed(what.process_id);
  part.put_signed(what.length_ns);
  part.put(what.arguments.size());
  for (const std::string& each : what.arguments) part.put_text(each);
  return part;
}

byte_writer names_part() {
  byte_writer part;
  part.put(event::schema.size());
  for (const event::description& each : event::schema) part.put_text(each.name);
  part.put(event::activity_names.size());
  for (const std::string_view each : event::activity_names) part.put_text(each);
  return part;
}

byte_writer pools_part(const event::recording& what) {
  byte_writer part;
  part.put(what.pools.size());
  for (const event::recorded_pool& each : what.pools) part.put(each.slot_count);
  return part;
}

byte_writer workers_part(const event::recording& what) {
  byte_writer part;
  part.put(what.workers.size());
  for (const event::recorded_worker& each : what.workers) {
    part.put(each.pool);
    part.put(each.index);
    part.put_signed(each.thread_id);
    part.put_signed(each.complete_from_ns);
    part.put(each.lost);
  }
  return part;
}

byte_writer sites_part(const event::recording& what) {
  byte_writer part;
  part.put(what.sites.size());
  for (const event::call_site& each : what.sites) put_site(part, each);
  return part;
}

/// Empty if there is nothing to write.
byte_writer facts_part(const event::recording& what) {
  byte_writer part;
  for (const fact& each : facts) {
    if (what.*each.value == 0) continue;
    part.put_text(each.name);
    part.put(what.*each.value);
  }
  return part;
}

byte_writer column_of(const std::vector<event::entry>& entries, const column& which) {
  byte_writer values;
  std::uint64_t before = 0;
  for (const event::entry& each : entries) {
    const std::uint64_t value = which.get(each);
    values.put(which.how == coding::steps ? value - before : value);
    before = value;
  }
  return values;
}

byte_writer worker_part(std::uint32_t worker, const std::vector<event::entry>& entries) {
  byte_writer part;
  part.put(worker);
  part.put(entries.size());
  part.put(file_columns.size());
  for (const column& each : file_columns) {
    part.put_text(each.name);
    part.put(static_cast<std::uint64_t>(each.how));
    part.put_text(column_of(entries, each).bytes());
  }
  return part;
}

[[noreturn]] void fail(int error, const std::string& path) {
  throw std::system_error(error, std::generic_category(),
                          "filch: cannot write the recording to " + path);
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// Returns 0, or the error. Closes the file.
int write_and_close(int file, std::string_view bytes) {
  const int error = write_all(file, bytes) ? 0 : errno;
  return ::close(file) == 0 || error != 0 ? error : errno;
}

int write_in_place(const std::string& path, std::string_view bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  return file < 0 ? errno : write_and_close(file, bytes);
}

bool is_regular(const std::string& path) {
  struct stat about {};
  return ::lstat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode);
}

/// The regular file that `path` is, would be, or leads to. None if it is another kind of file, such
/// as a pipe or a device.
std::optional<std::string> regular_file_at(const std::string& path) {
  struct stat about {};
  if (::lstat(path.c_str(), &about) != 0 || S_ISREG(about.st_mode)) return path;
  const std::unique_ptr<char, decltype(&::free)> target{::realpath(path.c_str(), nullptr), &::free};
  if (target == nullptr || !is_regular(target.get())) return std::nullopt;
  return target.get();
}

/// Whether the file has permissions beyond those of owner, group and others.
bool has_access_list([[maybe_unused]] const std::string& path) {
#if defined(__linux__)
  return ::getxattr(path.c_str(), "system.posix_acl_access", nullptr, 0) > 0;
#else
  return false;
#endif
}

/// Gives `file` the owner and permissions of the file that it replaces. False: that is not
/// possible, or the old file has an access list or several names.
bool takes_after(const std::string& path, int file) {
  struct stat old {
  }, made{};
  if (::lstat(path.c_str(), &old) != 0) return true;
  const bool has_its_owner =
      ::fstat(file, &made) == 0 && made.st_uid == old.st_uid && made.st_gid == old.st_gid;
  return old.st_nlink == 1 && !has_access_list(path) &&
         (has_its_owner || ::fchown(file, old.st_uid, old.st_gid) == 0) &&
         ::fchmod(file, old.st_mode & 07777) == 0;
}

/// Writes a file beside `path` and puts it in its place: a full disk must not destroy the old
/// recording. Returns 0, or the error of writing; nothing if no file can be made beside it, or
/// `path` cannot be replaced, such as a file that a container has mounted.
std::optional<int> replace(const std::string& path, std::string_view bytes,
                           bool by_any_file = false) {
  const std::string beside = path + '.' + std::to_string(::getpid()) + ".partial";
  const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return std::nullopt;
  const bool can_replace = takes_after(path, file) || by_any_file;
  const int error = write_and_close(file, can_replace ? bytes : std::string_view{});
  if (error == 0 && can_replace && ::rename(beside.c_str(), path.c_str()) == 0) return 0;
  ::unlink(beside.c_str());
  return error == 0 ? std::nullopt : std::optional{error};
}

}  // namespace

std::string to_bytes(const event::recording& what) {
  byte_writer file;
  std::string bytes{file_magic};
  file.put(file_version);
  put_part(file, part::about, about_part(what));
  put_part(file, part::names, names_part());
  put_part(file, part::pools, pools_part(what));
  put_part(file, part::workers, workers_part(what));
  put_part(file, part::sites, sites_part(what));
  std::vector<std::vector<event::entry>> of_worker(what.workers.size());
  for (const event::entry& each : what.entries) of_worker[each.worker].push_back(each);
  for (std::uint32_t worker = 0; worker < of_worker.size(); ++worker) {
    if (!of_worker[worker].empty())
      put_part(file, part::worker, worker_part(worker, of_worker[worker]));
  }
  if (what.analyzed) put_part(file, part::analysis, analysis_part(*what.analyzed));
  if (!what.graphs.empty()) put_part(file, part::graphs, graphs_part(what.graphs));
  if (const byte_writer told = facts_part(what); !told.bytes().empty())
    put_part(file, part::facts, told);
  byte_writer end;
  end.put(what.entries.size());
  put_part(file, part::end, end);
  return bytes + file.bytes();
}

void write_file(const event::recording& what, const std::string& path) {
  const std::string bytes = to_bytes(what);
  std::optional<int> error;
  const std::optional<std::string> file = regular_file_at(path);
  if (file) error = replace(*file, bytes);
  if (!error) error = write_in_place(path, bytes);
  // As another user's, in a folder of both
  if (*error == EACCES && file) error = replace(*file, bytes, true).value_or(*error);
  if (*error != 0) fail(*error, path);
}

std::error_code what_prevents_writing(const std::string& path) {
  if (::access(path.c_str(), W_OK) == 0) return {};
  if (errno == ENOENT) {
    const auto slash = path.rfind('/');
    const std::string parent = slash == path.npos ? "." : path.substr(0, slash + 1);
    if (::access(parent.c_str(), W_OK | X_OK) == 0) return {};
  }
  return {errno, std::generic_category()};
}

}  // namespace filch::trace
