#include <filch/trace/segment.hpp>

#include <filch/base/clock.hpp>
#include <filch/base/exceptions.hpp>
#include <filch/trace/process_files.hpp>
#include <filch/trace/spool.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>  // tidy: seam the age of a file is told by the file system's clock, not by ours
#include <cstring>
#include <filesystem>
#include <new>
#include <optional>
#include <stdexcept>
#include <system_error>

namespace filch::inline v0_2::trace {
namespace {

constexpr const char* folder = "/dev/shm";
constexpr std::string_view file_prefix = "filch.";

[[noreturn]] void fail(int error, const char* deed, const std::string& path) {
  throw std::system_error(error, std::generic_category(),
                          std::string{"filch: cannot "} + deed + " " + path);
}

std::size_t whole_pages(std::size_t bytes) noexcept {
  constexpr std::size_t page = 65536;  // the largest page size of Linux on any machine
  return (bytes + page - 1) / page * page;
}

/// The process to which a segment of this name belongs.
std::optional<std::int64_t> process_of(std::string_view name) noexcept {
  if (!name.starts_with(file_prefix)) return {};
  std::int64_t process_id = 0;
  const auto parsed =
      std::from_chars(name.data() + file_prefix.size(), name.data() + name.size(), process_id);
  if (parsed.ec != std::errc{} || parsed.ptr != name.data() + name.size()) return {};
  return process_id;
}

// Any user may put a file into the folder, under the number of any process. A file of our own user
// is trusted. Root also reads those of other users, but only if the file's owner runs the process.
bool is_trusted(uid_t owner, const std::string& path) {
  if (owner == ::geteuid()) return true;
  const auto process_id = process_of(std::filesystem::path{path}.filename().string());
  return ::geteuid() == 0 && process_id && user_of(*process_id) == owner;
}

/// A trusted file, opened for reading for as long as a constructor needs it.
class trusted_file {
 public:
  explicit trusted_file(const std::string& path)
      : file_{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)} {
    if (file_ < 0) fail(errno, "open", path);
    struct stat about {};
    if (::fstat(file_, &about) == 0 && is_trusted(about.st_uid, path)) return;
    ::close(file_);
    throw std::runtime_error(
        "filch: " + path + " is not read: it belongs to user " + std::to_string(about.st_uid) +
        ", not to the user that reads it, nor, for root, to the user that runs the process");
  }
  ~trusted_file() { ::close(file_); }
  trusted_file(const trusted_file&) = delete;
  trusted_file& operator=(const trusted_file&) = delete;
  operator int() const noexcept { return file_; }

 private:
  int file_;
};

/// Allocates the memory of these bytes, and makes the file longer if it is shorter. Returns 0, or
/// the error.
int take_memory(int file, std::size_t offset, std::size_t bytes) noexcept {
#if defined(__APPLE__)
  return ::ftruncate(file, static_cast<off_t>(offset + bytes)) == 0
             ? 0
             : errno;  // it cannot allocate, only reserve
#else
  // In pieces, as some kernels stop at a signal: under a profiler's signals a whole call would
  // never succeed.
  constexpr std::size_t piece = std::size_t{1} << 20;
  const std::size_t begin = offset;
  for (const std::size_t end = offset + bytes; offset < end; offset += piece) {
    int error = EINTR;
    while (error == EINTR)
      error = ::posix_fallocate(file, static_cast<off_t>(offset),
                                static_cast<off_t>(std::min(piece, end - offset)));
    if (error == 0) continue;
    // Give the allocated end of the file back: others need that memory, too.
    [[maybe_unused]] const int given_back = ::ftruncate(file, static_cast<off_t>(begin));
    return error;
  }
  return 0;
#endif
}

mapping map_file(int file, std::size_t offset, std::size_t bytes, int protection) noexcept {
  void* const data =
      ::mmap(nullptr, bytes, protection, MAP_SHARED, file, static_cast<off_t>(offset));
  return data == MAP_FAILED ? mapping{} : mapping{data, bytes};
}

int create(const std::string& path) {
  constexpr int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
  int file = ::open(path.c_str(), flags, 0600);
  if (file < 0 && errno == EEXIST) {
    if (::unlink(path.c_str()) != 0) fail(errno, "remove the old", path);
    file = ::open(path.c_str(), flags, 0600);
  }
  if (file < 0) fail(errno, "create", path);
  // A program that has closed its standard output must not print into this file.
  const int apart = ::fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  ::close(file);
  if (apart < 0) fail(error, "keep open", path);
  return apart;
}

void describe_process(segment_header& header) {
  header.process_id = ::getpid();
  header.process_started = process_start(header.process_id);
  header.calibration_ns = base::now_ns();
  header.calibration_ticks = base::ticks();
  const std::string name = own_program();
  name.copy(header.program.data(), std::min(name.size(), name_bytes - 1));
  const std::string arguments = arguments_text(header.process_id);
  arguments.copy(header.arguments.data(), std::min(arguments.size(), path_bytes - 1));
  const std::string lines = executable_lines(header.process_id);
  // A line that does not fit is left out whole.
  const std::size_t fitting =
      lines.size() < mappings_bytes ? lines.size() : lines.rfind('\n', mappings_bytes - 2) + 1;
  lines.copy(header.mappings.data(), fitting);
}

}  // namespace

mapping::~mapping() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
}

own_segment::own_segment(std::string path)
    : path_{std::move(path)}, file_{create(path_)}, rings_(most_rows) {
  const std::size_t bytes = whole_pages(sizeof(segment_header));
  const int refused = take_memory(file_, 0, bytes);
  if (refused == 0) head_ = map_file(file_, 0, bytes, PROT_READ | PROT_WRITE);
  if (head_.data() == nullptr) {
    const int error = refused != 0 ? refused : errno;
    ::close(file_);
    ::unlink(path_.c_str());
    fail(error, ("take " + std::to_string(bytes) + " bytes for").c_str(), path_);
  }
  bytes_ = bytes;
  describe_process(*::new (head_.data()) segment_header);
  header().file_bytes.store(bytes_, base::relaxed);
  // relaxed: a reader waits for the first owner of a row
  header().magic.store(segment_header::expected_magic, base::relaxed);
}

own_segment::~own_segment() {
  ::close(file_);
  unlink();
}

void own_segment::unlink() noexcept {
  if (!path_.empty()) ::unlink(path_.c_str());
  path_.clear();
}

bool own_segment::add_ring(row& of) noexcept {
  for (std::uint64_t places = ring_places_; places >= least_ring_places; places /= 2) {
    const std::size_t bytes = whole_pages(sizeof(counter_snapshot) + places * sizeof(item));
    if (take_memory(file_, bytes_, bytes) != 0) continue;
    mapping added = map_file(file_, bytes_, bytes, PROT_READ | PROT_WRITE);
    if (added.data() == nullptr) return false;
    const auto index = static_cast<std::size_t>(&of - header().rows.data());
    rings_[index] = std::move(added);
    of.ring_offset.store(bytes_ + sizeof(counter_snapshot),
                         // relaxed, as the next one: the owner comes later (edge::change_hands)
                         base::relaxed);
    of.ring_places.store(places, base::relaxed);
    bytes_ += bytes;
    header().file_bytes.store(bytes_, base::relaxed);
    return true;
  }
  return false;
}

char* own_segment::memory_of(const row& of) const noexcept {
  return static_cast<char*>(rings_[static_cast<std::size_t>(&of - header().rows.data())].data());
}

ring own_segment::ring_of(const row& of) const noexcept {
  auto& mine = const_cast<row&>(of);
  return {mine.head, reinterpret_cast<word*>(memory_of(of) + sizeof(counter_snapshot)),
          of.ring_places.load(base::relaxed)};
}

counter_snapshot& own_segment::snapshot_of(const row& of) const noexcept {
  return *reinterpret_cast<counter_snapshot*>(memory_of(of));
}

segment_view::segment_view(const std::string& path) : segment_view{trusted_file{path}, path} {}

segment_view::segment_view(int file, const std::string& path) {
  struct stat about {};
  const bool is_known = ::fstat(file, &about) == 0;
  const auto bytes = static_cast<std::size_t>(about.st_size);
  user_ = about.st_uid;
  if (is_known && bytes >= sizeof(segment_header)) all_ = map_file(file, 0, bytes, PROT_READ);
  const int error = errno;
  if (bytes < sizeof(segment_header))
    throw std::runtime_error("filch: " + path +
                             " is too short to be a recording process's segment");
  if (all_.data() == nullptr) fail(error, "map", path);
  if (header().magic.load(base::relaxed) != segment_header::expected_magic) {
    throw std::runtime_error("filch: " + path +
                             " is no recording process's segment, or is not complete yet");
  }
  if (header().version != segment_header::present_version ||
      header().bytes != sizeof(segment_header)) {
    throw std::runtime_error("filch: " + path + " was written by another version of filch");
  }
}

std::size_t segment_view::row_count() const noexcept {
  return static_cast<std::size_t>(
      std::min<std::uint64_t>(header().row_count.load(base::relaxed), most_rows));
}

std::span<const word> segment_view::words_of(const row& of) const noexcept {
  const std::uint64_t offset = of.ring_offset.load(base::relaxed),
                      places = of.ring_places.load(base::relaxed);
  const bool fits = places >= 2 && places <= most_ring_places && (places & (places - 1)) == 0 &&
                    offset % alignof(counter_snapshot) == 0 &&
                    offset >= sizeof(segment_header) + sizeof(counter_snapshot) &&
                    offset <= all_.bytes() && places <= (all_.bytes() - offset) / sizeof(item);
  if (!fits) return {};
  return {reinterpret_cast<const word*>(static_cast<const char*>(all_.data()) + offset),
          2 * places};
}

const counter_snapshot* segment_view::snapshot_of(const row& of) const noexcept {
  const std::span<const word> words = words_of(of);
  return words.empty()
             ? nullptr
             : reinterpret_cast<const counter_snapshot*>(
                   reinterpret_cast<const char*>(words.data()) - sizeof(counter_snapshot));
}

bool segment_view::is_alive() const {
  const std::uint64_t started = process_start(header().process_id);
  return started != 0 && started == header().process_started;
}

std::string segment_path(std::int64_t process_id) {
  return std::string{folder} + "/" + std::string{file_prefix} + std::to_string(process_id);
}

std::vector<std::int64_t> segments_present() {
  std::vector<std::int64_t> found;
  std::error_code ignored;  // no folder: no segments
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (const auto process_id = process_of(name)) found.push_back(*process_id);
  }
  std::ranges::sort(found);
  return found;
}

void remove_segment(std::int64_t process_id) noexcept {
  const std::string path = segment_path(process_id);
  FILCH_TRY { remove_spool(segment_view{path}.header()); }
  FILCH_CATCH_ALL {}  // it is of another version, or a stranger's
  ::unlink(path.c_str());
}

void remove_stale_segments() noexcept {
  constexpr std::chrono::hours kept{1};
  const auto now = std::filesystem::file_time_type::clock::now();
  FILCH_TRY {
    for (const std::int64_t process_id : segments_present()) {
      struct stat about {};
      const std::string path = segment_path(process_id);
      const bool is_ours = ::lstat(path.c_str(), &about) == 0 && about.st_uid == ::geteuid();
      std::error_code gone;  // another process may remove it meanwhile
      const auto written = std::filesystem::last_write_time(path, gone);
      if (is_ours && process_start(process_id) == 0 && !gone && now - written > kept)
        remove_segment(process_id);
    }
  }
  FILCH_CATCH_ALL {}  // no memory, or a folder that cannot be read: they stay for another time
}

}  // namespace filch::trace
