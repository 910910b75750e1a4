#pragma once
#include <bench/duplicates/search.hpp>
#include <filch/base/sync.hpp>

#include <cstdio>

namespace filch::cli {

/// Shows on one line of a terminal how far a search is; silent anywhere else.
///
/// Threads: `step` may be called by any; whichever notices that the line is old draws it, so there
/// is no thread of its own.
class progress_bar final : public bench::duplicates::observer {
 public:
  explicit progress_bar(std::FILE* stream);
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;
  ~progress_bar() override { clear(); }

  void begin(const char* phase, std::size_t steps) override;
  void step() override;
  /// Removes the line, so that something else can be printed.
  void clear();

  /// The line itself: "comparing  [=======>       ]  52 %  177 of 340".
  static std::string line(const char* phase, std::size_t done, std::size_t steps, unsigned columns);

 private:
  void draw();

  std::FILE* stream_;
  bool shown_;
  const char* phase_ = "";                          ///< Writer: `begin`, while no thread steps.
  std::size_t steps_ = 0;                           ///< Writer: `begin`, while no thread steps.
  base::atomic<std::size_t> done_{0};               ///< Writers: all threads that step.
  base::atomic<std::uint64_t> next_drawing_ns_{0};  ///< Writer: the thread that wins the drawing.
};

}  // namespace filch::cli
