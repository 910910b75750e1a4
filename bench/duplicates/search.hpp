#pragma once
// The search for duplicates, written once over a way to run loops.
#include <bench/duplicates/files.hpp>

#include <iterator>
#include <map>

namespace bench::duplicates {

struct parameters {
  std::vector<std::filesystem::path> roots;
};

/// Files of the same size and content, sorted by path; there are at least two.
struct group {
  std::uint64_t size = 0;
  std::vector<std::filesystem::path> paths;

  std::uint64_t wasted_bytes() const noexcept { return size * (paths.size() - 1); }
  bool operator==(const group&) const = default;
};

struct answer {
  /// All that were looked at, sorted by path. Empty files and second names are left out.
  std::vector<file> files;
  std::vector<group> groups;         ///< The most wasteful first.
  std::vector<unreadable> failures;  ///< Sorted by path.
};

/// Hears how far a search is. Called by any thread, several at once.
class observer {
 public:
  virtual ~observer() = default;
  /// A phase of `steps` steps begins; 0 if their number is unknown.
  virtual void begin(const char* /*phase*/, std::size_t /*steps*/) {}
  virtual void step() {}
};

inline observer& no_observer() {
  static observer nobody;
  return nobody;
}

/// How a search runs its loops and its waits; here, one after another. Other ways have the same two
/// members.
struct one_by_one {
  template <class Body>
  void for_each_index(std::size_t count, const Body& body) const {
    for (std::size_t i = 0; i < count; ++i) body(i);
  }
  template <class Wait>
  auto wait_for(const Wait& wait) const {
    return wait();
  }
};

template <class T>
void append(std::vector<T>& all, std::vector<T>&& more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// Finds all groups of equal files below some roots. `How` decides what may run in parallel and
/// nothing else.
template <class How>
class search {
 public:
  search(How how, observer& watcher) : how_{how}, watcher_{watcher} {}

  answer operator()(const parameters& p) {
    answer result = list_files(p);
    const std::vector<std::vector<file>> classes =
        same_head(same_size(result.files), result.failures);
    std::vector<answer> parts(classes.size());
    watcher_.begin("comparing", classes.size());
    how_.for_each_index(classes.size(), [&](std::size_t i) {
      split_by_content(classes[i], parts[i]);
      watcher_.step();
    });
    for (answer& part : parts) {
      append(result.groups, std::move(part.groups));
      append(result.failures, std::move(part.failures));
    }
    std::ranges::sort(result.groups, [](const group& a, const group& b) {
      return a.wasted_bytes() != b.wasted_bytes() ? a.wasted_bytes() > b.wasted_bytes()
                                                  : a.paths < b.paths;
    });
    std::ranges::sort(result.failures, {}, &unreadable::path);
    return result;
  }

 private:
  /// Lists what is below `folder`, folders side by side.
  listing walk(const std::filesystem::path& folder) {
    listing here = how_.wait_for([&] { return list_folder(folder); });
    watcher_.step();
    std::vector<listing> below(here.folders.size());
    how_.for_each_index(below.size(), [&](std::size_t i) { below[i] = walk(here.folders[i]); });
    for (listing& part : below) {
      append(here.files, std::move(part.files));
      append(here.failures, std::move(part.failures));
    }
    return here;
  }

  /// A root that is a symbolic link is followed: a user that names it means its target.
  answer list_files(const parameters& p) {
    watcher_.begin("listing folders", 0);
    listing all;
    for (const std::filesystem::path& root : p.roots) {
      std::error_code ignored;
      const std::filesystem::path real =
          std::filesystem::is_symlink(root, ignored) ? std::filesystem::canonical(root) : root;
      look_at(real, all);
    }
    std::vector<listing> below(all.folders.size());
    for (std::size_t i = 0; i < below.size(); ++i) below[i] = walk(all.folders[i]);
    for (listing& part : below) {
      append(all.files, std::move(part.files));
      append(all.failures, std::move(part.failures));
    }
    return {one_name_each(std::move(all.files)), {}, std::move(all.failures)};
  }

  /// Drops empty files and all but the first name of each file, so that overlapping roots do no
  /// harm.
  static std::vector<file> one_name_each(std::vector<file> files) {
    std::erase_if(files, [](const file& f) { return f.size == 0; });
    std::ranges::sort(files, {}, [](const file& f) { return std::tie(f.identity, f.path); });
    files.erase(std::unique(files.begin(), files.end(),
                            [](const file& a, const file& b) { return a.identity == b.identity; }),
                files.end());
    std::ranges::sort(files, {}, &file::path);
    return files;
  }

  static std::vector<file> same_size(const std::vector<file>& files) {
    std::map<std::uint64_t, std::size_t> count_of_size;
    for (const file& f : files) ++count_of_size[f.size];
    std::vector<file> candidates;
    std::ranges::copy_if(files, std::back_inserter(candidates),
                         [&](const file& f) { return count_of_size[f.size] > 1; });
    return candidates;
  }

  /// Reads the first page of every candidate and puts together those that agree in it.
  std::vector<std::vector<file>> same_head(const std::vector<file>& candidates,
                                           std::vector<unreadable>& failures) {
    std::vector<head> heads(candidates.size());
    watcher_.begin("reading", candidates.size());
    how_.for_each_index(candidates.size(), [&](std::size_t i) {
      heads[i] = how_.wait_for([&] { return read_head(candidates[i]); });
      watcher_.step();
    });
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<file>> by_head;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (heads[i].error) {
        failures.push_back({candidates[i].path, heads[i].error});
      } else {
        by_head[{candidates[i].size, heads[i].fingerprint}].push_back(candidates[i]);
      }
    }
    std::vector<std::vector<file>> classes;
    for (auto& [key, members] : by_head) {
      if (members.size() > 1) classes.push_back(std::move(members));
    }
    return classes;
  }

  /// Compares all files with the first of them, then goes on with those that differ from it, until
  /// none are left.
  ///
  /// Cost: d rounds for d different contents that share their first page; each comparison ends at
  /// the first difference.
  void split_by_content(std::vector<file> files, answer& result) {
    while (files.size() > 1) {
      std::vector<comparison> outcomes(files.size());
      how_.for_each_index(files.size() - 1, [&](std::size_t i) {
        outcomes[i + 1] = how_.wait_for([&] { return compare_content(files[0], files[i + 1]); });
      });
      files = sort_out(std::move(files), outcomes, result);
    }
  }

  /// Books the group around the first file and the failures, and returns the files still to be
  /// compared.
  static std::vector<file> sort_out(std::vector<file> files,
                                    const std::vector<comparison>& outcomes, answer& result) {
    const auto first_lost =
        std::ranges::find_if(outcomes, [](const comparison& c) { return bool(c.left_error); });
    const bool lost = first_lost != outcomes.end();
    if (lost) result.failures.push_back({files[0].path, first_lost->left_error});
    group equal{files[0].size, {files[0].path}};
    std::vector<file> rest;
    for (std::size_t i = 1; i < files.size(); ++i) {
      if (outcomes[i].right_error) {
        result.failures.push_back({files[i].path, outcomes[i].right_error});
      } else if (outcomes[i].equal && !lost) {
        equal.paths.push_back(files[i].path);
      } else {
        rest.push_back(std::move(files[i]));
      }
    }
    if (equal.paths.size() > 1) result.groups.push_back(std::move(equal));
    return rest;
  }

  How how_;
  observer& watcher_;
};

}  // namespace bench::duplicates
