// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include <attache/sdk/stderr_tail.hpp>

namespace attache::sdk {

std::string as_utf8(std::string_view bytes) {
  using Json = nlohmann::json;
  return Json::parse(Json(bytes).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

void StderrTail::take(std::string_view chunk) {
  bytes_ += chunk.substr(chunk.size() - std::min(chunk.size(), kept));
  if (bytes_.size() > kept) bytes_.erase(0, bytes_.size() - kept);
}

void StderrTail::report(Run& run) {
  if (!bytes_.empty()) run.raw(RawStream::standard_error, as_utf8(std::exchange(bytes_, {})));
}

}  // namespace attache::sdk
