#pragma once
// Pages of tools/viewer with data in them.
#include <string>
#include <string_view>

namespace filch::cli {

/// `page` with `data`, which is JSON, where it keeps its data. Nothing in the data can end the
/// script element it stands in.
std::string with_data(std::string_view page, std::string_view data);

/// Writes `text` to a file and says so. Throws: `std::system_error` naming the file.
void write_page(const std::string& file, std::string_view text);

}  // namespace filch::cli
