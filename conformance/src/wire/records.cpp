// SPDX-License-Identifier: Apache-2.0
#include "wire/records.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wire/dialect_impl.hpp"
#include "wire/record_file.hpp"

namespace attache::conformance {
namespace {

std::int64_t now_us() {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

RecordWriter::RecordWriter(const std::filesystem::path& records) : begin_(now_us()) {
  for (int number = 1;; ++number) {
    directory_ = records / fmt::format("{:06}", number);
    if (std::filesystem::create_directory(directory_)) {  // atomic: false when another took the number
      break;
    }
  }
  events_ = open_append(directory_ / "events.jsonl");
}

RecordWriter::~RecordWriter() {
  close_file(events_);
}

void RecordWriter::start(const std::string& json) {
  const std::filesystem::path unfinished = directory_ / "start.part";
  {
    std::ofstream out(unfinished, std::ios::binary);
    out << json;
  }
  std::filesystem::rename(unfinished, directory_ / "start.json");
}

void RecordWriter::event(const std::string& name, const std::string& members_json) {
  Json line{{"event", name}, {"at", now_us() - begin_}};
  line.update(Json::parse(members_json));
  const std::lock_guard lock(mutex_);
  write_all(events_, line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::vector<std::filesystem::path> record_folders(const std::filesystem::path& records) {
  std::vector<std::filesystem::path> folders;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(records, none)) {
    folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

}  // namespace attache::conformance
