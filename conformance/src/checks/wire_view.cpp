// SPDX-License-Identifier: Apache-2.0
#include "checks/wire_view.hpp"

#include <set>

#include <fmt/format.h>

#include <attache/sdk/sha256.hpp>

namespace attache::conformance {

std::vector<SeenBlock> blocks_in(const std::vector<CapturedTurn>& turns) {
  std::vector<SeenBlock> blocks;
  for (const auto& turn : turns) {
    for (std::size_t i = 0; i < turn.items.size(); ++i) {
      if (turn.items[i].type == CapturedItem::Type::block) blocks.push_back({&turn.items[i], i});
    }
  }
  return blocks;
}

std::vector<std::string> texts_in(const std::vector<CapturedTurn>& turns) {
  std::vector<std::string> texts;
  for (const auto& turn : turns) {
    for (const auto& item : turn.items) {
      if (item.type == CapturedItem::Type::text) texts.push_back(item.text);
    }
  }
  return texts;
}

std::size_t count_on_wire(JobContext& context, const std::vector<Capture>& captures, const std::string& mark) {
  std::size_t count = 0;
  for (const auto& capture : captures) {
    std::set<std::uint64_t> places;
    for (const auto& hit : find_mark(capture.stdin_file, mark)) places.insert(hit.offset);
    count += places.size();
    for (const auto& argument : capture.argv) count += text_holds(context, argument, mark) ? 1 : 0;
    for (const auto& header : capture.headers) count += text_holds(context, header.value, mark) ? 1 : 0;
    count += text_holds(context, capture.target, mark) ? 1 : 0;
    count += text_holds(context, capture.working_directory, mark) ? 1 : 0;
    for (const auto& file : capture.files) {
      count += file.found_in == "environment" && text_holds(context, file.path, mark) ? 1 : 0;
    }
  }
  return count;
}

std::string short_digest(const input::Digest& digest) {
  return sdk::to_hex(digest).substr(0, 16);
}

void judge_block(Finding& finding, const SeenBlock& block, const Canary& canary, input::Mode mode,
                 const std::vector<Capture>& captures) {
  const CapturedItem& item = *block.item;
  finding.evidence(fmt::format("block {} {}", item.rule->name, item.shape));
  if (item.rule->encoding == "path" || item.rule->encoding == "reference") {
    finding.expect(item.rule->kind == canary.kind && item.rule->mode == mode,
                   fmt::format("the block is one for {} inputs", input::to_string(item.rule->kind)));
    finding.expect(item.rule->encoding == "path" || item.media_type == canary.media_type,
                   fmt::format("the reference says {}, the input is {}", item.media_type, canary.media_type));
    const ReferencedFile* file = nullptr;
    for (const auto& capture : captures) {
      for (const auto& candidate : capture.files) {
        if (candidate.path == item.text) file = &candidate;
      }
    }
    if (!finding.expect(file != nullptr && file->readable, "the provider could not open the file it was pointed to")) {
      return;
    }
    finding.expect(file->sha256 == canary.sha256, "the referenced file holds other bytes than the input");
    return;
  }
  finding.evidence(fmt::format("decoded {} bytes, sha256 {}…; input {} bytes, sha256 {}…", item.size,
                               short_digest(item.sha256), canary.size, short_digest(canary.sha256)));
  finding.expect(item.rule->kind == canary.kind && item.rule->mode == mode,
                 fmt::format("the block is one for {} inputs", input::to_string(item.rule->kind)));
  finding.expect(item.well_encoded, fmt::format("the value is not strictly {}", item.rule->encoding));
  finding.expect(item.sha256 == canary.sha256, "the block decodes to other bytes than the input");
  finding.expect(item.media_type.empty() ? item.rule->media_type.empty() : item.media_type == canary.media_type,
                 fmt::format("the block is labelled {}, the input is {}", item.media_type, canary.media_type));
}

bool judge_one_turn(Finding& finding, const std::vector<Capture>& captures) {
  std::size_t turns = 0;
  for (const auto& capture : captures) {
    turns += capture.turns.size();
    for (const auto& fault : capture.faults) finding.expect(false, "framing: " + fault);
  }
  return finding.expect(turns == 1, fmt::format("the provider saw {} turns instead of one", turns));
}

bool judge_one_turn(Finding& finding, const RunSeen& seen) {
  finding.expect(seen.good(), "the run failed: " + seen.outcome());
  return judge_one_turn(finding, seen.captures);
}

}  // namespace attache::conformance
