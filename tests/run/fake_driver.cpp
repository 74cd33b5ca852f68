// SPDX-License-Identifier: Apache-2.0
#include "fake_driver.hpp"

#include <cstring>
#include <memory>
#include <stdexcept>

#include "loader/loaded_driver.hpp"
#include "spi/host_table.hpp"

namespace attache::test {
namespace {

FakeDriver* current = nullptr;

FakeDriver& fake(attache_instance* instance) {
  return *reinterpret_cast<FakeDriver*>(instance);
}

attache_status describe(attache_sink sink) {
  const attache_span json = span(current->descriptor_json);
  return FakeDriver::host().put(sink, &json);
}

attache_status create(const attache_span* config, attache_sink sink, attache_instance** instance) {
  const attache_status status = current->create ? current->create(view(*config), sink) : ATTACHE_OK;
  if (status == ATTACHE_OK) {
    ++current->created;
    *instance = reinterpret_cast<attache_instance*>(current);
  }
  return status;
}

void destroy(attache_instance* instance) {
  FakeDriver& driver = fake(instance);
  if (driver.destroy) driver.destroy();
  ++driver.destroyed;
}

attache_status capabilities(attache_instance* instance, attache_sink sink) {
  return fake(instance).capabilities(sink);
}

attache_status inspect(attache_instance* instance, attache_sink sink) {
  return fake(instance).inspect(sink);
}

attache_status prepare(attache_instance* instance, attache_sink sink) {
  return fake(instance).prepare(sink);
}

attache_status run(attache_instance* instance, const attache_request* request, attache_run handle) {
  FakeDriver& driver = fake(instance);
  ++driver.entered;
  return driver.run(*request, Calls(handle));
}

attache_status cancel(attache_instance* instance, attache_run handle) {
  FakeDriver& driver = fake(instance);
  if (driver.cancel) driver.cancel(Calls(handle));
  ++driver.cancels;
  return ATTACHE_OK;
}

}  // namespace

attache_span span(std::string_view text) {
  return {text.data(), text.size()};
}

std::string_view view(const attache_span& text) {
  return text.data == nullptr ? std::string_view{} : std::string_view(text.data, text.size);
}

attache_event event(std::uint32_t type) {
  attache_event out{};
  out.struct_size = sizeof out;
  out.type = type;
  return out;
}

FakeDriver::FakeDriver(Run function) : run(std::move(function)), descriptor_json(default_descriptor()) {
  current = this;
}

FakeDriver::~FakeDriver() {
  current = nullptr;
}

Driver FakeDriver::driver() const {
  const DescriptorParse parse = parse_descriptor(descriptor_json);
  if (!parse.descriptor)
    throw std::logic_error("test descriptor: " + parse.faults.at(0).pointer + parse.faults[0].text);
  auto loaded = std::make_shared<LoadedDriver>();
  loaded->descriptor = *parse.descriptor;
  attache_driver table{};
  table.struct_size = sizeof table;
  table.describe = test::describe;
  table.create = test::create;
  table.destroy = test::destroy;
  table.capabilities = capabilities ? test::capabilities : nullptr;
  table.inspect = inspect ? test::inspect : nullptr;
  table.prepare = prepare ? test::prepare : nullptr;
  table.run = test::run;
  table.cancel = test::cancel;
  table_ = table;
  loaded->table = &table_;
  return DriverAccess::make(std::move(loaded));
}

const attache_host& FakeDriver::host() {
  return spi::host_table();
}

attache_status FakeDriver::put(attache_sink sink, std::string_view json) {
  const attache_span text = span(json);
  return host().put(sink, &text);
}

attache_status FakeDriver::fail(attache_sink sink, attache_status status, std::string_view reason,
                                std::string_view text) {
  attache_error error{};
  error.struct_size = sizeof error;
  error.status = status;
  error.input_index = -1;
  error.reason = span(reason);
  error.text = span(text);
  host().fail(sink, &error);
  return status;
}

void FakeDriver::describe(std::string_view piece, std::string_view other) {
  const std::size_t at = descriptor_json.find(piece);
  if (at == std::string::npos) throw std::logic_error("the descriptor has no such piece");
  descriptor_json.replace(at, piece.size(), other);
}

attache_status Calls::emit(attache_event value) const {
  return FakeDriver::host().emit(run_, &value);
}

attache_status Calls::started() const {
  attache_event out = event(ATTACHE_EVENT_STARTED);
  out.name = span("fake 1.0");
  out.text = span("model-1");
  return emit(out);
}

attache_status Calls::text(std::string_view piece) const {
  attache_event out = event(ATTACHE_EVENT_TEXT_DELTA);
  out.text = span(piece);
  return emit(out);
}

attache_status Calls::raw(std::string_view piece, std::uint32_t code) const {
  attache_event out = event(ATTACHE_EVENT_RAW);
  out.code = code;
  out.text = span(piece);
  return emit(out);
}

attache_status Calls::notice(std::string_view slug, std::string_view text, std::string_view input) const {
  attache_event out = event(ATTACHE_EVENT_NOTICE);
  out.name = span(slug);
  out.text = span(text);
  out.id = span(input);
  return emit(out);
}

attache_status Calls::receipt(std::string_view input, std::uint32_t outcome, const std::uint8_t* sha256) const {
  attache_event out = event(ATTACHE_EVENT_RECEIPT);
  out.id = span(input);
  out.code = outcome;
  if (sha256 != nullptr) {
    out.has_sha256 = 1;
    std::memcpy(out.sha256, sha256, sizeof out.sha256);
  }
  return emit(out);
}

attache_status Calls::completed(std::string_view answer, attache_status status) const {
  attache_event out = event(ATTACHE_EVENT_COMPLETED);
  out.text = span(answer);
  out.code = static_cast<std::uint32_t>(status);
  return emit(out);
}

attache_status Calls::delivery(attache_delivery state) const {
  return FakeDriver::host().set_delivery(run_, state);
}

attache_status Calls::checkpoint(std::string_view json) const {
  const attache_span text = span(json);
  return FakeDriver::host().set_checkpoint(run_, &text);
}

attache_status Calls::error(attache_status status, std::string_view reason, std::string_view text, std::int64_t index,
                            std::uint64_t limit) const {
  attache_error out{};
  out.struct_size = sizeof out;
  out.status = status;
  out.input_index = index;
  out.limit = limit;
  out.reason = span(reason);
  out.text = span(text);
  return FakeDriver::host().set_error(run_, &out);
}

attache_status Calls::retain() const {
  return FakeDriver::host().retain(run_);
}

attache_status Calls::release() const {
  return FakeDriver::host().release(run_);
}

bool Calls::cancelled() const {
  return FakeDriver::host().cancelled(run_) != 0;
}

attache_status Calls::answer(std::string_view answer) const {
  started();
  delivery(ATTACHE_NOT_DELIVERED);
  delivery(ATTACHE_INDETERMINATE);
  delivery(ATTACHE_DELIVERED);
  text(answer);
  completed(answer);
  return ATTACHE_OK;
}

std::string default_descriptor() {
  return R"({
  "schema": 1, "id": "fake", "name": "Fake", "version": "1.0.0",
  "spi": {"major": 1, "built_minor": 0, "min_minor": 0},
  "transport": {"type": "process", "protocol": "none", "option": "executable", "test_config": {}},
  "inputs": {
    "image": {"modes": [{"mode": "native", "media_types": ["image/png", "image/jpeg"], "encoding": "base64"}],
              "alternative": "Send it as PNG."},
    "file": {"modes": [{"mode": "native", "media_types": ["text/plain"], "max_bytes": 1048576, "encoding": "text",
                        "exact": {"max_bytes": 100000}}]},
    "audio": {"modes": [{"mode": "native", "media_types": ["audio/*"], "encoding": "base64"}]},
    "video": {"modes": []}
  },
  "features": {"cancel": true, "streaming": true, "receipts": true},
  "max_parallel_runs": 8,
  "config": {"type": "object", "additionalProperties": false,
             "properties": {"executable": {"type": "string"}, "token": {"type": "string"}}}
})";
}

}  // namespace attache::test
