#include <filch/span/symbol_table.hpp>

#if __has_include(<elf.h>)
#include <elf.h>

#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include <vector>

namespace filch::span {
namespace {

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

/// What lies in a file, read piece by piece: a program with its debug information may be larger than is worth keeping.
class elf_file {
 public:
  explicit elf_file(const std::string& path) : file_(path, std::ios::binary | std::ios::ate) {
    if (file_) size_ = static_cast<std::uint64_t>(file_.tellg());
  }
  /// `count` objects from `offset` on; empty where the file is shorter.
  template <class T>
  std::vector<T> read(std::uint64_t offset, std::uint64_t count) {
    if (offset > size_ || count > (size_ - offset) / sizeof(T)) return {};
    std::vector<T> objects(count);
    file_.seekg(static_cast<std::streamoff>(offset));
    file_.read(reinterpret_cast<char*>(objects.data()), static_cast<std::streamsize>(count * sizeof(T)));
    return file_ ? objects : std::vector<T>{};
  }

 private:
  std::ifstream file_;
  std::uint64_t size_ = 0;
};

std::optional<file_header> header_of(elf_file& file) {
  const auto header = file.read<file_header>(0, 1);
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0 || header[0].e_ident[EI_CLASS] != native_class)
    return {};
  return header[0];
}

/// Where the first byte of the file is in the numbering of its symbols.
std::uint64_t image_base(elf_file& file, const file_header& header) {
  for (const program_header& each : file.read<program_header>(header.e_phoff, header.e_phnum)) {
    if (each.p_type == PT_LOAD) return each.p_vaddr - each.p_offset;
  }
  return 0;
}

std::string name_in(elf_file& file, const section_header& symbols, const section_header& names, std::uint64_t address) {
  for (const symbol& each : file.read<symbol>(symbols.sh_offset, symbols.sh_size / sizeof(symbol))) {
    if ((each.st_info & 0xf) != STT_FUNC || address < each.st_value) continue;
    if (address - each.st_value > each.st_size || (each.st_size != 0 && address - each.st_value == each.st_size)) continue;
    const std::vector<char> text = file.read<char>(names.sh_offset, names.sh_size);
    if (each.st_name >= text.size()) return {};
    const std::string_view rest(text.data() + each.st_name, text.size() - each.st_name);
    return std::string(rest.substr(0, rest.find('\0')));
  }
  return {};
}

}  // namespace

std::string symbol_at(const std::string& path, std::uint64_t offset) {
  elf_file file(path);
  const auto header = header_of(file);
  if (!header) return {};
  const std::uint64_t address = offset + image_base(file, *header);
  const auto sections = file.read<section_header>(header->e_shoff, header->e_shnum);
  for (const auto kind : {SHT_SYMTAB, SHT_DYNSYM}) {
    for (const section_header& each : sections) {
      if (each.sh_type != static_cast<std::uint32_t>(kind) || each.sh_link >= sections.size()) continue;
      if (std::string name = name_in(file, each, sections[each.sh_link], address); !name.empty()) return name;
    }
  }
  return {};
}

}  // namespace filch::span

#else

namespace filch::span {
std::string symbol_at(const std::string&, std::uint64_t) { return {}; }
}  // namespace filch::span

#endif
