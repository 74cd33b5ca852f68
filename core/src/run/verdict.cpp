// SPDX-License-Identifier: Apache-2.0
#include "run/verdict.hpp"

#include <utility>

#include <fmt/format.h>

#include "run/driver_words.hpp"

namespace attache::run {
namespace {

bool is_about_inputs(attache_status status) {
  return status >= ATTACHE_INVALID && status <= ATTACHE_TOO_LARGE;
}

InputErrorFields fields_of(const Evidence& evidence, std::size_t index) {
  InputErrorFields fields;
  fields.driver = evidence.descriptor.id;
  if (index < evidence.result.inputs.size()) {
    const ResolvedInput& input = evidence.result.inputs[index];
    fields.index = input.index;
    fields.kind = input.kind;
    fields.media_type = input.media_type;
    fields.alternative = evidence.capabilities.of(input.kind).alternative;
  }
  return fields;
}

Failure told_by_driver(const Evidence& evidence) {
  Failure failure;
  failure.code = code_of(evidence.status);
  const spi::DriverError told = evidence.attempt.error.value_or(spi::DriverError{});
  failure.reason = told.reason.empty() ? "unspecified" : told.reason;
  failure.text = told.text.empty() ? make_error_code(failure.code).message() : told.text;
  failure.provider_code = told.provider_code;
  failure.request_id = told.request_id;
  const bool has_index =
      told.input_index >= 0 && static_cast<std::uint64_t>(told.input_index) < evidence.result.inputs.size();
  if (has_index || is_about_inputs(evidence.status)) {
    InputErrorFields fields =
        fields_of(evidence, has_index ? static_cast<std::size_t>(told.input_index) : evidence.result.inputs.size());
    if (told.limit != 0) {
      fields.limit = told.limit;
      fields.limit_owner = "driver";
    }
    failure.input = std::move(fields);
  }
  return failure;
}

std::optional<Failure> judge_receipts(const Evidence& evidence) {
  for (std::size_t i = 0; i < evidence.result.receipts.size(); ++i) {
    const Receipt& receipt = evidence.result.receipts[i];
    const bool dropped = receipt.outcome == Receipt::Outcome::dropped;
    const bool inexact = evidence.wants_exact[i] && receipt.outcome != Receipt::Outcome::exact;
    if (dropped || inexact) {
      return Failure{errc::input_dropped,
                     dropped ? "dropped" : "not_exact",
                     dropped ? fmt::format("the provider took the run but not input {}", i + 1)
                             : fmt::format("input {} was to arrive exactly, but the receipt says {}", i + 1,
                                           to_string(receipt.outcome)),
                     fields_of(evidence, i),
                     0,
                     {}};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Failure> judge(const Evidence& evidence) {
  if (evidence.status == ATTACHE_CANCELLED && evidence.cause != Cause::none) {
    return ended_for(evidence.cause);
  }
  if (evidence.attempt.too_much) {
    return Failure{
        errc::provider_failed, "answer_too_large", "the provider said more than 64 MiB", std::nullopt, 0, {}};
  }
  if (evidence.status != ATTACHE_OK) {
    return told_by_driver(evidence);
  }
  if (evidence.attempt.delivery != ATTACHE_DELIVERED) {
    return Failure{errc::driver_contract,
                   "delivery_missing",
                   "the driver reported success without having reported delivery",
                   std::nullopt,
                   0,
                   {}};
  }
  return judge_receipts(evidence);
}

Failure ended_for(Cause cause) {
  switch (cause) {
    case Cause::deadline:
      return {errc::timeout, "deadline", "the run passed its deadline", std::nullopt, 0, {}};
    case Cause::idle:
      return {errc::timeout, "idle", "the provider was silent for longer than the idle limit", std::nullopt, 0, {}};
    case Cause::agent_closed:
      return {errc::cancelled, "agent_closed", "the agent was closed during the run", std::nullopt, 0, {}};
    default:
      return {errc::cancelled, "cancelled", "the run was cancelled", std::nullopt, 0, {}};
  }
}

Error early_error(const Failure& failure) {
  const bool closed = failure.reason == "agent_closed";
  return {closed ? errc::agent_closed : failure.code, failure.reason, failure.text};
}

RunError run_error(const Failure& failure, Result result) {
  RunError error(failure.code, failure.reason, failure.text, std::move(result), failure.input);
  error.provider_code = failure.provider_code;
  error.request_id = failure.request_id;
  return error;
}

}  // namespace attache::run
