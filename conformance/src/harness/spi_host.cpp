// SPDX-License-Identifier: Apache-2.0
#include "harness/spi_host.hpp"

#include <cstddef>

#include <fmt/format.h>

#include "harness/host_table.hpp"
#include "harness/library.hpp"

namespace attache::conformance {
namespace {

constexpr std::string_view status_words[] = {"ok",
                                             "invalid",
                                             "unsupported_kind",
                                             "unsupported_media_type",
                                             "unsupported_mode",
                                             "too_large",
                                             "launch_failed",
                                             "provider_refused",
                                             "provider_failed",
                                             "resume_rejected",
                                             "cancelled",
                                             "timeout",
                                             "contract",
                                             "internal"};
constexpr std::string_view delivery_words[] = {"not_started", "not_delivered", "indeterminate", "delivered"};

void require(bool holds, const char* what) {
  if (!holds) throw HarnessError(what);
}

attache_span span(const std::string& text) {
  return {text.data(), text.size()};
}

std::string document(HostState::Sink sink, attache_status status, const char* function) {
  if (status != ATTACHE_OK) throw HarnessError(fmt::format("{} returned {}", function, status_word(status)));
  if (!sink.document) throw HarnessError(fmt::format("{} returned ok without putting a document", function));
  return std::move(*sink.document);
}

}  // namespace

std::string_view status_word(attache_status status) noexcept {
  return status >= 0 && status <= ATTACHE_INTERNAL ? status_words[status] : "unknown";
}

std::string_view delivery_word(attache_delivery state) noexcept {
  return state <= ATTACHE_DELIVERED ? delivery_words[state] : "unknown";
}

std::string SpiRecord::all_texts() const {
  std::string all;
  auto add = [&](const std::string& text) { all.append(text).push_back('\n'); };
  for (const auto& event : events) {
    for (const auto* text : {&event.id, &event.name, &event.text, &event.json, &event.media_type}) add(*text);
  }
  for (const auto& checkpoint : checkpoints) add(checkpoint);
  if (error) {
    for (const auto* text : {&error->reason, &error->text, &error->request_id}) add(*text);
  }
  return all;
}

SpiDriver::SpiDriver(const std::filesystem::path& plugin) {
  auto entry = reinterpret_cast<attache_driver_entry_v1_fn>(open_entry(plugin, "attache_driver_entry_v1"));
  const attache_status status = entry(&HostState::table(), &table_);
  if (status != ATTACHE_OK) throw HarnessError(fmt::format("the entry returned {}", status_word(status)));
  require(table_ != nullptr, "the entry returned ok without a table");
  require(table_->struct_size >= offsetof(attache_driver, cancel) + sizeof(table_->cancel),
          "the table is smaller than that of SPI 1.0");
  require(table_->reserved0 == 0, "a reserved field of the table is not zero");
  require(table_->describe != nullptr, "describe is mandatory");
  require(table_->create != nullptr && table_->destroy != nullptr, "create and destroy are mandatory");
  require(table_->run != nullptr && table_->cancel != nullptr, "run and cancel are mandatory");
}

std::string SpiDriver::describe() const {
  const attache_sink sink = HostState::get().open_sink();
  const attache_status status = table_->describe(sink);
  return document(HostState::get().close_sink(sink), status, "describe");
}

SpiInstance::SpiInstance(const SpiDriver& driver, const std::string& config) : table_(driver.table()) {
  const attache_sink sink = HostState::get().open_sink();
  const attache_span text = span(config);
  const attache_status status = table_.create(&text, sink, &instance_);
  HostState::get().close_sink(sink);
  if (status != ATTACHE_OK) throw HarnessError(fmt::format("create returned {}", status_word(status)));
  require(instance_ != nullptr, "create returned ok without an instance");
}

void SpiInstance::destroy() noexcept {
  if (instance_ != nullptr) table_.destroy(instance_);
  instance_ = nullptr;
}

std::string SpiInstance::capabilities() const {
  if (table_.capabilities == nullptr) return {};
  const attache_sink sink = HostState::get().open_sink();
  const attache_status status = table_.capabilities(instance_, sink);
  return document(HostState::get().close_sink(sink), status, "capabilities");
}

SpiRecord SpiInstance::run(const attache_request& request) const {
  const attache_run run = HostState::get().begin_run();
  const attache_status status = table_.run(instance_, &request, run);
  SpiRecord record = HostState::get().end_run(run);
  record.status = status;
  return record;
}

}  // namespace attache::conformance
