#include <filch/trace/spool.hpp>

#include <filch/base/exceptions.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace filch::inline v0_2::trace {
namespace {

constexpr std::string_view spool_suffix = ".spool";
constexpr std::uint64_t most_chunks = std::uint64_t{1} << 32;

std::string ending_of(std::int64_t process_id) {
  return "." + std::to_string(process_id) + std::string{spool_suffix};
}

bool read_all(int file, void* into, std::size_t bytes, std::uint64_t offset) noexcept {
  auto* at = static_cast<char*>(into);
  while (bytes != 0) {
    const ssize_t count = ::pread(file, at, bytes, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    offset += static_cast<std::uint64_t>(count);
    bytes -= static_cast<std::size_t>(count);
  }
  return true;
}

/// Replaces a file that a dead process with our process id has left.
int create_spool(const std::string& path) noexcept {
  constexpr int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
  const int file = ::open(path.c_str(), flags, 0600);
  if (file >= 0 || errno != EEXIST || ::unlink(path.c_str()) != 0) return file;
  return ::open(path.c_str(), flags, 0600);
}

std::string name_in(const segment_header& header) {
  return {header.spool.data(), ::strnlen(header.spool.data(), header.spool.size())};
}

/// A write beyond the limit of the process would end it with a signal.
std::uint64_t allowed_bytes(std::uint64_t wanted) noexcept {
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return wanted;
  return std::min<std::uint64_t>(wanted, limit.rlim_cur);
}

}  // namespace

// -------------------------------------------------------------------------------------------------
// the writers
int own_spool::open(const std::string& path, std::uint64_t most_bytes, std::uint64_t ring_places,
                    segment_header& header) noexcept {
  if (!path_.empty() || most_bytes == 0) return 0;
  if (path.size() >= header.spool.size()) return ENAMETOOLONG;
  const std::uint64_t items = chunk_items(ring_places), bytes = chunk_bytes(items);
  const std::uint64_t chunks = std::max(most_bytes / bytes, fewest_chunks);
  if (chunks * bytes > allowed_bytes(chunks * bytes)) return EFBIG;
  const int made = create_spool(path);
  if (made < 0) return errno;
  // A program that has closed its standard output must not print into this file.
  const int apart =
      file_ < 0 ? ::fcntl(made, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : ::dup2(made, file_);
  const int error = apart < 0 ? errno : 0;
  if (error == 0) ::fcntl(apart, F_SETFD, FD_CLOEXEC);
  ::close(made);
  if (error != 0) {
    ::unlink(path.c_str());
    return error;
  }
  if (file_ < 0) file_ = apart;  // else it is the same already, and workers may read it
  path_ = path;
  header.spool.fill('\0');
  path.copy(header.spool.data(), path.size());
  header.spool_items.store(items, base::relaxed);
  // relaxed: a reader that sees half of the name finds no such file
  header.spool_chunks.store(chunks, base::relaxed);
  next_.store(0, base::relaxed);
  chunk_items_.store(items, base::relaxed);
  chunk_count_.store(chunks, base::release<edge::switch_on>);
  return 0;
}

void own_spool::close(segment_header& header) noexcept {
  chunk_count_.store(0, base::relaxed);  // relaxed: one more chunk goes to a file without a name
  header.spool_chunks.store(0, base::relaxed);
  if (path_.empty()) return;
  [[maybe_unused]] const int given_back = ::ftruncate(file_, 0);
  unlink();
}

void own_spool::unlink() noexcept {
  if (!path_.empty()) ::unlink(path_.c_str());
  path_.clear();
}

void own_spool::forget() noexcept {
  chunk_count_.store(0, base::relaxed);
  path_.clear();
  if (file_ >= 0) ::close(std::exchange(file_, -1));
}

bool own_spool::write(const void* data, std::size_t bytes, std::uint64_t offset) noexcept {
  const auto* at = static_cast<const char*>(data);
  while (bytes != 0) {
    const ssize_t count = ::pwrite(file_, at, bytes, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    offset += static_cast<std::uint64_t>(count);
    bytes -= static_cast<std::size_t>(count);
  }
  return true;
}

// The header comes last. A process that is killed meanwhile leaves a chunk that readers skip, and
// its items are still in the ring.
void own_spool::keep(std::uint64_t owner, std::uint64_t first,
                     std::span<const word> items) noexcept {
  const std::uint64_t chunks = chunk_count_.load(base::acquire<edge::switch_on>),
                      count = items.size() / 2;
  const std::uint64_t room = chunk_items_.load(base::relaxed);
  if (chunks == 0 || count > room) return;
  const int error = errno;  // the program's own
  const std::uint64_t number = next_.fetch_add(1, base::relaxed);
  const std::uint64_t place = number % chunks * chunk_bytes(room);
  constexpr chunk_header none{};
  const chunk_header made{number + 1, owner, first, count};
  const bool is_kept = (number < chunks || write(&none, sizeof none, place)) &&
                       write(items.data(), items.size_bytes(), place + sizeof made) &&
                       write(&made, sizeof made, place);
  // The disk is full: from now on overwritten records are lost
  if (!is_kept) chunk_count_.store(0, base::relaxed);
  errno = error;
}

// -------------------------------------------------------------------------------------------------
// the readers
spool_view::spool_view(const segment_header& header, std::uint32_t user) {
  const std::uint64_t chunks = header.spool_chunks.load(base::relaxed);
  chunk_items_ = header.spool_items.load(base::relaxed);
  if (chunks == 0 || chunks > most_chunks || chunk_items_ == 0 ||
      chunk_items_ > own_spool::most_chunk_items)
    return;
  file_ = ::open(name_in(header).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  struct stat about {};
  if (file_ < 0 || ::fstat(file_, &about) != 0 || !S_ISREG(about.st_mode) || about.st_uid != user)
    return;
  const auto size = static_cast<std::uint64_t>(about.st_size);
  for (std::uint64_t place = 0; place + sizeof(chunk_header) <= size;
       place += chunk_bytes(chunk_items_)) {
    chunk found{{}, place};
    if (!read_all(file_, &found.what, sizeof found.what, place)) break;
    const chunk_header& what = found.what;
    const bool is_whole = what.number != 0 && what.count != 0 && what.count <= chunk_items_ &&
                          what.first + what.count > what.first;
    if (is_whole) chunks_.push_back(found);
  }
  std::ranges::sort(chunks_, {}, [](const chunk& each) {
    return std::pair{each.what.owner, each.what.first};
  });
}

spool_view::~spool_view() {
  if (file_ >= 0) ::close(file_);
}

std::vector<item> spool_view::items_of(const chunk& from) const {
  std::vector<item> items(from.what.count);
  chunk_header after;
  const bool is_read =
      read_all(file_, items.data(), items.size() * sizeof(item), from.place + sizeof after) &&
      read_all(file_, &after, sizeof after, from.place);
  // A newer chunk is there by now
  if (!is_read || after.number != from.what.number) items.clear();
  return items;
}

std::vector<item> spool_view::before(std::uint64_t owner, std::uint64_t first, std::uint64_t end,
                                     std::uint64_t begin_ticks) const {
  std::vector<std::vector<item>> found;  // the youngest first
  const auto key = [](const chunk& each) { return std::pair{each.what.owner, each.what.first}; };
  auto next = std::ranges::lower_bound(chunks_, std::pair{owner, end}, {}, key);
  while (end > first && next != chunks_.begin()) {
    const chunk& each = *--next;
    if (each.what.owner != owner || each.what.first + each.what.count < end) break;
    std::vector<item> items = items_of(each);
    if (items.empty()) break;
    items.resize(end - each.what.first);
    if (each.what.first < first)
      items.erase(items.begin(),
                  items.begin() + static_cast<std::ptrdiff_t>(first - each.what.first));
    end = std::max(each.what.first, first);
    found.push_back(std::move(items));
    if (found.back().front()[0] < begin_ticks) break;
  }
  std::vector<item> all;
  for (auto each = found.rbegin(); each != found.rend(); ++each)
    all.insert(all.end(), each->begin(), each->end());
  return all;
}

std::string spool_path(const std::string& file, std::int64_t process_id) {
  std::error_code ignored;
  const std::filesystem::path path = std::filesystem::absolute(file, ignored);
  const bool is_ordinary =
      !std::filesystem::exists(path, ignored) || std::filesystem::is_regular_file(path, ignored);
  return is_ordinary && !file.empty() ? path.string() + ending_of(process_id) : std::string{};
}

// The file that the segment names is removed only if it has the name of a spool of that process,
// and belongs to our user.
void remove_spool(const segment_header& header) noexcept {
  FILCH_TRY {
    const std::string path = name_in(header);
    struct stat about {};
    const bool is_ours = path.ends_with(ending_of(header.process_id)) &&
                         ::lstat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode) &&
                         about.st_uid == ::geteuid();
    if (is_ours) ::unlink(path.c_str());
  }
  FILCH_CATCH_ALL {}  // no memory: it stays for another time
}

}  // namespace filch::trace
