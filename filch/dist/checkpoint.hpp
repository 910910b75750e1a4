#pragma once
#include <filch/base/language.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace filch::inline v0_2::dist {

/// What one rank has written: its bag and its partial result, as bytes.
struct checkpoint_part {
  std::string bag;
  std::string result;
};

/// Of all ranks, written last: a checkpoint without it does not count.
struct checkpoint_manifest {
  std::uint64_t number = 0;  ///< Later ones are greater.
  std::uint64_t ranks = 0;   ///< That have a part.

  bool operator==(const checkpoint_manifest&) const = default;
};

/// The checkpoints of a run, in a folder that all ranks see. A file is written under another name,
/// brought to disk, and renamed: at any moment the manifest names parts that are whole. Only their
/// owner can read them (0600).
/// Threads: one at a time in a process; ranks write parts of their own.
/// Throws:  `checkpoint_error` naming the file, from every function but the last two.
class FILCH_EXPORT checkpoint_files {
 public:
  /// `signature` is of types and parameters.
  checkpoint_files(std::string folder, std::uint64_t signature);

  /// Nothing if there is no checkpoint.
  std::optional<checkpoint_manifest> read_manifest() const;
  void write_manifest(const checkpoint_manifest& what) const;
  checkpoint_part read_part(std::uint64_t number, std::uint64_t rank) const;
  void write_part(std::uint64_t number, std::uint64_t rank, const checkpoint_part& what) const;
  /// Parts of other checkpoints. What cannot be removed stays.
  void remove_all_but(std::uint64_t number) const noexcept;
  /// The manifest first.
  void remove() const noexcept;

 private:
  std::string manifest_path() const;
  std::string part_path(std::uint64_t number, std::uint64_t rank) const;
  void write(const std::string& path, std::string content) const;
  std::string read(const std::string& path) const;

  std::string folder_;
  std::uint64_t signature_;
};

}  // namespace filch::dist
