#include <filch/dist/checkpoint.hpp>

#include <filch/dist/hash.hpp>
#include <filch/dist/report.hpp>
#include <filch/trace/bytes.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace filch::inline v0_2::dist {

namespace {

constexpr std::uint64_t format_version = 1;
constexpr std::string_view parts_end = ".part";

[[noreturn]] void cannot(const char* what, const std::string& path, int error) {
  throw checkpoint_error("filch: cannot " + std::string{what} + " the checkpoint " + path + ": " +
                         std::generic_category().message(error));
}

/// Closes at the end of the scope.
class descriptor {
 public:
  explicit descriptor(int number) noexcept : number_{number} {}
  ~descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  int number() const noexcept { return number_; }

 private:
  int number_;
};

/// Returns an `errno`, or 0.
int write_all(int to, std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t written = ::write(to, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(to) == 0 ? 0 : errno;
}

}  // namespace

checkpoint_files::checkpoint_files(std::string folder, std::uint64_t signature)
    : folder_{std::move(folder)}, signature_{signature} {
  std::error_code problem;
  std::filesystem::create_directories(folder_, problem);
  if (problem) cannot("make the folder of", folder_, problem.value());
}

std::string checkpoint_files::manifest_path() const { return folder_ + "/manifest"; }
std::string checkpoint_files::part_path(std::uint64_t number, std::uint64_t rank) const {
  return folder_ + "/" + std::to_string(number) + "." + std::to_string(rank) +
         std::string{parts_end};
}

/// The content, what it belongs to, and a hash of all that.
void checkpoint_files::write(const std::string& path, std::string content) const {
  trace::byte_writer head;
  head.put(format_version);
  head.put(signature_);
  head.put_text(content);
  const std::uint64_t hash = hash_of(head.bytes());
  head.put(hash);
  const std::string temporary = path + ".new";
  {
    const descriptor file{
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)};
    if (file.number() < 0) cannot("create", temporary, errno);
    if (const int error = write_all(file.number(), head.bytes()); error != 0)
      cannot("write", temporary, error);
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) cannot("rename", temporary, errno);
  const descriptor folder{::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  // Some file systems cannot: then the rename is as safe as they make it
  if (folder.number() >= 0) ::fsync(folder.number());
}

std::string checkpoint_files::read(const std::string& path) const {
  errno = 0;
  std::ifstream file{path, std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  if (!file.is_open() || file.bad()) cannot("read", path, errno);
  try {
    trace::byte_reader in{text, path};
    if (in.take() != format_version) in.fail("is of another version of filch");
    const std::uint64_t signature = in.take();
    std::string content{in.take_text()};
    const std::size_t hashed = text.size() - in.left();
    if (in.take() != hash_of(std::string_view{text}.substr(0, hashed)) || in.left() != 0)
      in.fail("is damaged");
    if (signature != signature_) in.fail("is of other types or parameters");
    return content;
  } catch (const trace::bad_file& problem) {
    throw checkpoint_error(std::string{"filch: the checkpoint "} + problem.what());
  }
}

std::optional<checkpoint_manifest> checkpoint_files::read_manifest() const {
  if (::access(manifest_path().c_str(), F_OK) != 0 && errno == ENOENT) return std::nullopt;
  const std::string content = read(manifest_path());
  trace::byte_reader in{content, manifest_path()};
  const std::uint64_t number = in.take();
  return checkpoint_manifest{number, in.take()};
}
void checkpoint_files::write_manifest(const checkpoint_manifest& what) const {
  trace::byte_writer out;
  out.put(what.number);
  out.put(what.ranks);
  write(manifest_path(), out.release());
}

checkpoint_part checkpoint_files::read_part(std::uint64_t number, std::uint64_t rank) const {
  const std::string path = part_path(number, rank), content = read(path);
  trace::byte_reader in{content, path};
  checkpoint_part made;
  made.bag = in.take_text();
  made.result = in.take_text();
  return made;
}
void checkpoint_files::write_part(std::uint64_t number, std::uint64_t rank,
                                  const checkpoint_part& what) const {
  trace::byte_writer out;
  out.put_text(what.bag);
  out.put_text(what.result);
  write(part_path(number, rank), out.release());
}

void checkpoint_files::remove_all_but(std::uint64_t number) const noexcept {
  namespace fs = std::filesystem;
  const std::string kept = std::to_string(number) + ".";
  std::error_code ignored;  // what stays costs room only
  for (fs::directory_iterator at{folder_, ignored}; at != fs::directory_iterator{};
       at.increment(ignored)) {
    const std::string name = at->path().filename().string();
    if (name.ends_with(parts_end) && !name.starts_with(kept)) fs::remove(at->path(), ignored);
    if (ignored) return;
  }
}

void checkpoint_files::remove() const noexcept {
  std::error_code ignored;  // a later run goes on from there, with the same result
  if (std::filesystem::remove(manifest_path(), ignored)) remove_all_but(~std::uint64_t{0});
}

}  // namespace filch::dist
