// SPDX-License-Identifier: Apache-2.0
#include "tap/echo.hpp"

#include <algorithm>
#include <map>
#include <optional>
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

constexpr std::string_view value_marker = "\"${value}\"";

/// What an element is turned into: the form around its value.
struct Form {
  std::string before, after;
  std::string value;  ///< pointer in the element
};

/// Nothing: the element stays as it came.
std::optional<Form> form_of(const Json& element, const Json& each, const Dialect::Impl& dialect) {
  if (!each.is_object() || each.empty()) {
    return std::nullopt;
  }
  const BlockRule* rule = dialect.rule_of(element);
  const auto found = each.find(rule == nullptr ? "text" : rule->name);
  if (found == each.end()) {
    return std::nullopt;
  }
  const std::string text = found->dump();
  const std::size_t at = text.find(value_marker);
  return Form{text.substr(0, at), text.substr(at + value_marker.size()),
              rule == nullptr ? dialect.text_data : rule->data};
}

class ElementWriter {
 public:
  ElementWriter(const EchoSource& source, const std::string& content_pointer, const Json& content, const Json& edit,
                std::vector<std::optional<Form>> forms, const Write& write)
      : in_(source.file),
        pointer_(content_pointer),
        edit_(edit),
        set_(edit.is_object() && edit.contains("set") ? edit.at("set") : Json::object()),
        forms_(std::move(forms)),
        write_(write) {
    std::vector<std::string> pointers;
    for (std::size_t i = 0; i < content.size(); ++i) {
      pointers.push_back(element(i));
      for (const auto& member : set_.items()) {
        pointers.push_back(element(i) + member.key());
      }
      if (forms_[i]) {
        pointers.push_back(element(i) + forms_[i]->value);
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
    return forms_[index] ? write_formed(index, edited) : write_as_is(index, edited);
  }

 private:
  std::string element(std::size_t index) const { return pointer_ + "/" + std::to_string(index); }

  bool write_as_is(std::size_t index, bool edited) {
    std::vector<Splice> splices;
    for (const auto& member : set_.items()) {
      const auto found = spans_.find(element(index) + member.key());
      if (edited && found != spans_.end()) {
        splices.push_back({found->second, member.value().dump()});
      }
    }
    return copy_spliced(in_, spans_.at(element(index)), std::move(splices), write_);
  }

  bool write_formed(std::size_t index, bool edited) {
    const Form& form = *forms_[index];
    const auto changed = set_.find(form.value);
    const auto span = spans_.find(element(index) + form.value);
    if (!write_(form.before)) {
      return false;
    }
    if (edited && changed != set_.end()) {
      return write_(changed->dump()) && write_(form.after);
    }
    return (span == spans_.end() ? write_("null") : copy(in_, span->second, write_)) && write_(form.after);
  }

  FileStream in_;
  std::string pointer_;
  const Json& edit_;
  Json set_;
  std::vector<std::optional<Form>> forms_;
  const Write& write_;
  std::map<std::string, ByteRange> spans_;
  bool first_ = true;
};

bool write_content(const EchoSource& source, const TurnPlace& place, const Json& edit, const Json& each,
                   const Dialect::Impl& dialect, const Write& write) {
  if (!place.content->is_array()) {
    const auto spans = json_spans(source.file, source.place, {place.pointer});
    FileStream in(source.file);
    return copy(in, spans.at(place.pointer), write);
  }
  const std::vector<std::size_t> edited = targets(*place.content, edit, dialect);
  std::vector<std::optional<Form>> forms;
  for (const Json& element : *place.content) {
    forms.push_back(form_of(element, each, dialect));
  }
  ElementWriter elements(source, place.pointer, *place.content, edit, std::move(forms), write);
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

bool write_echo(const std::string& frame_text, const Json& edit, const Json& each, const EchoSource& source,
                const Dialect::Impl& dialect, const Write& write) {
  constexpr std::string_view marker = "\"${content}\"";
  const std::vector<TurnPlace> places = turns_of(*source.frame, dialect);
  const std::size_t at = frame_text.find(marker);
  if (places.empty() || places.back().content == nullptr || at == std::string::npos) {
    return false;
  }
  return write(std::string_view(frame_text).substr(0, at)) &&
         write_content(source, places.back(), edit, each, dialect, write) &&
         write(frame_text.substr(at + marker.size()) + "\n");
}

}  // namespace attache::conformance
