#pragma once
#include <string_view>

namespace filch::viewer {

/// The page of `filch explain`, without data: `tools/viewer/dist/explain.html`.
std::string_view explain_page() noexcept;

}  // namespace filch::viewer
