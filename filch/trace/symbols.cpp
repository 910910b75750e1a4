#include <filch/trace/symbols.hpp>

#include <filch/trace/process_files.hpp>
#include <filch/trace/site_names.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>

#if __has_include(<elf.h>)
#include <cxxabi.h>
#include <elf.h>

#include <cstdlib>
#include <cstring>
#include <optional>

namespace filch::inline v0_2::trace {
namespace {

// A process maps only ELF files of its own class, so names are looked up in no others.
#if __SIZEOF_POINTER__ == 8
using file_header = Elf64_Ehdr;
using program_header = Elf64_Phdr;
using section_header = Elf64_Shdr;
using symbol = Elf64_Sym;
constexpr unsigned char native_class = ELFCLASS64;
#else
using file_header = Elf32_Ehdr;
using program_header = Elf32_Phdr;
using section_header = Elf32_Shdr;
using symbol = Elf32_Sym;
constexpr unsigned char native_class = ELFCLASS32;
#endif

/// A struct of type `T` at `at`, if it lies wholly in the file.
template <class T>
std::optional<T> take(std::string_view file, std::uint64_t at) {
  T copied;
  if (at > file.size() || file.size() - at < sizeof(T)) return {};
  std::memcpy(&copied, file.data() + at, sizeof(T));
  return copied;
}

/// The part of the file that a section names, or nothing.
std::string_view contents_of(std::string_view file, const section_header& section) {
  if (section.sh_type == SHT_NOBITS || section.sh_offset > file.size()) return {};
  return file.substr(section.sh_offset, section.sh_size);
}

/// Leaves out the namespace of the version, such as v0_2, which users do not write.
std::string without_version(std::string text) {
  static constexpr std::string_view root = "filch::";
  for (std::size_t at = 0; (at = text.find(root, at)) != text.npos;) {
    at += root.size();
    const std::size_t end = text.find_first_not_of("v_0123456789", at);
    if (end != text.npos && text[at] == 'v' && text.compare(end, 2, "::") == 0)
      text.erase(at, end + 2 - at);
  }
  return text;
}

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text{
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free};
  return status == 0 && text ? without_version(text.get()) : name;
}

std::vector<section_header> sections_of(std::string_view file) {
  std::vector<section_header> sections;
  const auto header = take<file_header>(file, 0);
  const bool is_elf = header && std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
                      header->e_ident[EI_CLASS] == native_class &&
                      header->e_shentsize == sizeof(section_header);
  for (std::uint64_t i = 0; is_elf && i < header->e_shnum; ++i) {
    const auto section = take<section_header>(file, header->e_shoff + i * sizeof(section_header));
    if (!section) break;
    sections.push_back(*section);
  }
  return sections;
}

/// The address of the code at `offset` of the file, before the load bias is added.
std::optional<std::uint64_t> address_of(std::string_view file, std::uint64_t offset) {
  const auto header = take<file_header>(file, 0);
  for (std::uint64_t i = 0; header && i < header->e_phnum; ++i) {
    const auto segment = take<program_header>(file, header->e_phoff + i * sizeof(program_header));
    if (segment && segment->p_type == PT_LOAD && offset >= segment->p_offset &&
        offset - segment->p_offset < segment->p_filesz) {
      return segment->p_vaddr + (offset - segment->p_offset);
    }
  }
  return {};
}

std::string name_in(std::string_view symbols, std::string_view names, std::uint64_t address) {
  for (std::uint64_t at = 0; const auto each = take<symbol>(symbols, at); at += sizeof(symbol)) {
    const bool covers = address >= each->st_value &&
                        address - each->st_value < std::max<std::uint64_t>(each->st_size, 1);
    if ((each->st_info & 0xf) != STT_FUNC || !covers || each->st_name >= names.size()) continue;
    const std::string_view rest = names.substr(each->st_name);
    return demangled(std::string{rest.substr(0, rest.find('\0'))});
  }
  return {};
}

}  // namespace

std::string function_at(std::string_view file, std::uint64_t offset) {
  const auto address = address_of(file, offset);
  if (!address) return {};
  const std::vector<section_header> sections = sections_of(file);
  for (const std::uint32_t table : {std::uint32_t{SHT_SYMTAB}, std::uint32_t{SHT_DYNSYM}}) {
    for (const section_header& section : sections) {
      if (section.sh_type != table || section.sh_link >= sections.size()) continue;
      std::string name = name_in(contents_of(file, section),
                                 contents_of(file, sections[section.sh_link]), *address);
      if (!name.empty()) return name;
    }
  }
  return {};
}

}  // namespace filch::trace
#else
namespace filch::inline v0_2::trace {
std::string function_at(std::string_view, std::uint64_t) { return {}; }
}  // namespace filch::trace
#endif

namespace filch::inline v0_2::trace {
namespace {

/// A mapped file: only the pages that are looked at are read. Only an ordinary file is opened: a
/// pipe would block until a writer comes, and the name may come from another process.
class file_in_memory {
 public:
  explicit file_in_memory(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat about {};
    if (file >= 0 && ::fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
      bytes_ = static_cast<std::size_t>(about.st_size);
      data_ = ::mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file, 0);
    }
    if (file >= 0) ::close(file);
  }
  ~file_in_memory() {
    if (data_ != MAP_FAILED) ::munmap(data_, bytes_);
  }
  file_in_memory(const file_in_memory&) = delete;
  file_in_memory& operator=(const file_in_memory&) = delete;
  std::string_view contents() const {
    return data_ == MAP_FAILED ? std::string_view{}
                               : std::string_view{static_cast<const char*>(data_), bytes_};
  }

 private:
  std::size_t bytes_ = 0;
  void* data_ = MAP_FAILED;
};

}  // namespace

void name_sites(std::vector<event::call_site>& sites, std::string_view mappings) {
  const std::vector<mapped_file> modules = parse_mappings(mappings);
  std::map<std::string_view, std::unique_ptr<file_in_memory>> files;
  for (event::call_site& site : sites) {
    const auto found = std::ranges::find_if(modules, [&](const mapped_file& m) {
      return site.address >= m.begin && site.address < m.end;
    });
    if (found == modules.end()) continue;
    auto& file = files[found->file];
    if (file == nullptr) file = std::make_unique<file_in_memory>(std::string{found->file});
    site.module = found->file;
    site.offset = site.address - found->begin + found->offset;
    site.name = short_name(function_at(file->contents(), site.offset));
  }
}

}  // namespace filch::trace
