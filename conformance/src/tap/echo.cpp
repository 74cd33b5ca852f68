// SPDX-License-Identifier: Apache-2.0
#include "tap/echo.hpp"

#include <algorithm>
#include <vector>

#include <nlohmann/json.hpp>

#include "wire/dialect_match.hpp"
#include "wire/file_stream.hpp"

namespace attache::conformance {
namespace {

using Write = std::function<bool(std::string_view)>;

/// A range of the file that is left out, and what is written instead.
struct Splice {
  ByteRange range;
  std::string text;
};

bool copy(FileStream& in, ByteRange range, const Write& write) {
  bool going = true;
  in.read_range(range.begin, range.end, [&](std::string_view bytes, std::uint64_t) { return going = write(bytes); });
  return going;
}

bool copy_spliced(FileStream& in, ByteRange range, std::vector<Splice> splices, const Write& write) {
  std::sort(splices.begin(), splices.end(),
            [](const Splice& a, const Splice& b) { return a.range.begin < b.range.begin; });
  for (const Splice& splice : splices) {
    if (!copy(in, {range.begin, splice.range.begin}, write) || !write(splice.text)) {
      return false;
    }
    range.begin = splice.range.end;
  }
  return copy(in, range, write);
}

/// Indices of the elements an edit is about.
std::vector<std::size_t> targets(const Json& content, const Json& edit, const Dialect::Impl& dialect) {
  std::vector<std::size_t> list;
  if (edit.is_null()) {
    return list;
  }
  for (std::size_t i = 0; i < content.size(); ++i) {
    if (dialect.rule_of(content[i]) != nullptr) {
      list.push_back(i);
    }
  }
  const auto blocks = edit.at("blocks").get<std::string>();
  if (list.empty() || blocks == "all") {
    return list;
  }
  return {blocks == "first" ? list.front() : list.back()};
}

class ElementWriter {
 public:
  ElementWriter(const EchoSource& source, const std::string& content_pointer, const Json& content, const Json& edit,
                const Write& write)
      : in_(source.file),
        pointer_(content_pointer),
        edit_(edit),
        set_(edit.is_object() && edit.contains("set") ? edit.at("set") : Json::object()),
        write_(write) {
    std::vector<std::string> pointers;
    for (std::size_t i = 0; i < content.size(); ++i) {
      pointers.push_back(element(i));
      for (const auto& member : set_.items()) {
        pointers.push_back(element(i) + member.key());
      }
    }
    spans_ = json_spans(source.file, source.place, pointers);
  }

  bool write(std::size_t index, bool edited) {
    if (edited && edit_.contains("remove")) {
      return true;
    }
    const bool comma = !first_;
    first_ = false;
    if (comma && !write_(",")) {
      return false;
    }
    if (edited && edit_.contains("replace")) {
      return write_(edit_.at("replace").dump());
    }
    std::vector<Splice> splices;
    for (const auto& member : set_.items()) {
      const auto found = spans_.find(element(index) + member.key());
      if (edited && found != spans_.end()) {
        splices.push_back({found->second, member.value().dump()});
      }
    }
    return copy_spliced(in_, spans_.at(element(index)), std::move(splices), write_);
  }

 private:
  std::string element(std::size_t index) const { return pointer_ + "/" + std::to_string(index); }

  FileStream in_;
  std::string pointer_;
  const Json& edit_;
  Json set_;
  const Write& write_;
  std::map<std::string, ByteRange> spans_;
  bool first_ = true;
};

bool write_content(const EchoSource& source, const TurnPlace& place, const Json& edit, const Dialect::Impl& dialect,
                   const Write& write) {
  if (!place.content->is_array()) {
    const auto spans = json_spans(source.file, source.place, {place.pointer});
    FileStream in(source.file);
    return copy(in, spans.at(place.pointer), write);
  }
  const std::vector<std::size_t> edited = targets(*place.content, edit, dialect);
  ElementWriter elements(source, place.pointer, *place.content, edit, write);
  if (!write("[")) {
    return false;
  }
  for (std::size_t i = 0; i < place.content->size(); ++i) {
    if (!elements.write(i, std::find(edited.begin(), edited.end(), i) != edited.end())) {
      return false;
    }
  }
  return write("]");
}

}  // namespace

bool write_echo(const std::string& frame_text, const Json& edit, const EchoSource& source, const Dialect::Impl& dialect,
                const Write& write) {
  constexpr std::string_view marker = "\"${content}\"";
  const std::vector<TurnPlace> places = turns_of(*source.frame, dialect);
  const std::size_t at = frame_text.find(marker);
  if (places.empty() || places.back().content == nullptr || at == std::string::npos) {
    return false;
  }
  return write(std::string_view(frame_text).substr(0, at)) &&
         write_content(source, places.back(), edit, dialect, write) &&
         write(frame_text.substr(at + marker.size()) + "\n");
}

}  // namespace attache::conformance
