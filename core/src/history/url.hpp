// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace attache::history {

/// The reason a URL cannot be passed to a provider, url_malformed or url_user_info; empty: none. An absolute URL with
/// a scheme and an authority, in ASCII, without user info; which schemes are taken is not decided here.
std::string_view url_fault(std::string_view url) noexcept;

}  // namespace attache::history
