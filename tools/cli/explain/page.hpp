#pragma once
#include <string>
#include <string_view>

namespace filch::cli::explain {

/// `page` with `data`, which is JSON, where it keeps its data. Nothing in the data can end the script element it stands in.
std::string with_data(std::string_view page, std::string_view data);

}  // namespace filch::cli::explain
