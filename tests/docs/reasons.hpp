// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace attache::test {

/// What the string literals of some C++ sources can become.
struct Slugs {
  /// Reasons, from the constructs that carry one, each with the codes that stand beside it ("errc::CODE, REASON").
  std::map<std::string, std::set<std::string>> reasons;
  std::set<std::string> notices;
  std::set<std::string> words;  ///< every literal that could be a slug, whatever it is used for
  std::set<std::string> parts;  ///< every literal that could be a part of one: "{}_slug", "slug_"
};

/// Adds what one source holds. Comments and the content of other literals do not count.
void scan(std::string_view source, Slugs& out);

/// All sources below a directory.
Slugs scan_sources(const std::string& directory);

/// The slugs in the first column of the tables of a page whose header begins with `header`, each with the words in
/// backticks of its second column.
std::map<std::string, std::set<std::string>> listed_slugs(std::string_view page, std::string_view header);

}  // namespace attache::test
