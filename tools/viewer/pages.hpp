#pragma once
#include <string_view>

namespace filch::viewer {

/// The page of `filch explain`, without data: `tools/viewer/dist/explain.html`.
std::string_view explain_page() noexcept;

/// The page of `filch report --html`, without data: `tools/viewer/dist/report.html`.
std::string_view report_page() noexcept;

/// The page of `filch-scale --html`, without data: `tools/viewer/dist/scale.html`.
std::string_view scale_page() noexcept;

}  // namespace filch::viewer
