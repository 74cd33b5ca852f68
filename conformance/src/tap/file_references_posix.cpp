// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <attache/sdk/sha256.hpp>

#include "tap/file_references.hpp"

namespace attache::conformance {
namespace {

constexpr std::string_view separators = " \t\r\n\"'`<>|";
constexpr std::size_t most_references = 256;
constexpr std::size_t longest_path = 4095;

/// False when there is no such regular file; `file.readable` says whether it could be read to its end.
bool open_and_hash(const std::string& path, ReferencedFile& file) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return false;
  }
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    return true;
  }
  sdk::Sha256 hash;
  std::vector<char> buffer(64 * 1024);
  ssize_t count = 0;
  while ((count = ::read(descriptor, buffer.data(), buffer.size())) > 0) {
    hash.update(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
    file.size += static_cast<std::uint64_t>(count);
  }
  ::close(descriptor);
  file.readable = count == 0;
  file.sha256 = hash.finish();
  return true;
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// The path of a file URL; anything else as it is.
std::string local_path(std::string_view written) {
  constexpr std::string_view scheme = "file://";
  if (written.substr(0, scheme.size()) != scheme) {
    return std::string(written);
  }
  std::string path;
  written.remove_prefix(scheme.size());
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i] == '%' && i + 2 < written.size() && hex_value(written[i + 1]) >= 0 &&
        hex_value(written[i + 2]) >= 0) {
      path.push_back(static_cast<char>(hex_value(written[i + 1]) * 16 + hex_value(written[i + 2])));
      i += 2;
    } else {
      path.push_back(written[i]);
    }
  }
  return path;
}

}  // namespace

void FileReferences::scan(std::string_view text, const std::string& found_in) {
  for (std::size_t from = text.find_first_not_of(separators); from != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(separators, from), text.size());
    token(text.substr(from, end - from), found_in);
    from = text.find_first_not_of(separators, end);
  }
}

void FileReferences::token(std::string_view token, const std::string& found_in) {
  token.remove_prefix(std::min(token.find_first_not_of("([{,;:"), token.size()));
  const bool named = token.substr(0, 1) == "@";
  token.remove_prefix(named ? 1 : 0);
  const std::size_t value = token.find('=');
  if (value != std::string_view::npos && token.substr(0, 1) == "-") {
    token.remove_prefix(value + 1);
  }
  const bool candidate = named || token.find('/') != std::string_view::npos;
  if (!candidate || token.empty() || token.size() > longest_path || seen_.size() >= most_references) {
    return;
  }
  // A sentence's punctuation may follow the path.
  for (std::string_view written = token;; written.remove_suffix(1)) {
    ReferencedFile file;
    file.path = written;
    file.found_in = found_in;
    if (open_and_hash(local_path(written), file)) {
      if (seen_.insert(found_in + file.path).second) {
        report_(file);
      }
      return;
    }
    if (written.size() < 2 || std::string_view(".,;:!?)]}").find(written.back()) == std::string_view::npos) {
      break;
    }
  }
  struct stat status {};
  const std::string path = local_path(token);
  const bool absolute = path[0] == '/' && path.find('/', 1) != std::string::npos;
  if (absolute && ::stat(path.c_str(), &status) != 0 && seen_.insert(found_in + std::string(token)).second) {
    ReferencedFile file;
    file.path = token;
    file.found_in = found_in;
    report_(file);
  }
}

}  // namespace attache::conformance
