/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver of SPI 1.0, built with its frozen header. Answers with the prompt.
 */
#include <string.h>

#include "spi_1_0.h"

extern ATTACHE_EXPORT const unsigned char attache_descriptor_v1[];

static const attache_host* host;

static attache_span text_of(const char* text) {
  attache_span span = {text, strlen(text)};
  return span;
}

static attache_event event_of(uint32_t type) {
  attache_event event;
  memset(&event, 0, sizeof event);
  event.struct_size = sizeof event;
  event.type = type;
  return event;
}

static attache_status describe(attache_sink sink) {
  attache_descriptor_header header;
  attache_span json;
  memcpy(&header, attache_descriptor_v1, sizeof header);
  json.data = (const char*)attache_descriptor_v1 + sizeof header;
  json.size = header.length;
  return host->put(sink, &json);
}

static attache_status create(const attache_span* config, attache_sink sink, attache_instance** instance) {
  (void)config;
  (void)sink;
  *instance = (attache_instance*)&host;
  return ATTACHE_OK;
}

static void destroy(attache_instance* instance) {
  (void)instance;
}

static attache_status run(attache_instance* instance, const attache_request* request, attache_run handle) {
  const int complete = request->struct_size >= sizeof *request && host->struct_size >= sizeof *host;
  attache_event started = event_of(ATTACHE_EVENT_STARTED);
  attache_event piece = event_of(ATTACHE_EVENT_TEXT_DELTA);
  attache_event completed = event_of(ATTACHE_EVENT_COMPLETED);
  uint64_t i;
  (void)instance;
  host->set_delivery(handle, ATTACHE_NOT_DELIVERED);
  started.text = text_of("model of 1.0");
  host->emit(handle, &started);
  host->retain(handle);
  host->set_delivery(handle, ATTACHE_INDETERMINATE);
  host->set_delivery(handle, ATTACHE_DELIVERED);
  for (i = 0; i < request->input_count; ++i) {
    attache_event receipt = event_of(ATTACHE_EVENT_RECEIPT);
    receipt.id = request->inputs[i]->id;
    receipt.code = ATTACHE_RECEIPT_EXACT;
    receipt.size = request->inputs[i]->size;
    memcpy(receipt.sha256, request->inputs[i]->sha256, sizeof receipt.sha256);
    receipt.has_sha256 = 1;
    host->emit(handle, &receipt);
  }
  piece.text = complete && host->cancelled(handle) == 0 ? request->prompt : text_of("incomplete");
  host->emit(handle, &piece);
  completed.text = piece.text;
  completed.code = ATTACHE_OK;
  host->release(handle);
  host->emit(handle, &completed);
  return ATTACHE_OK;
}

static attache_status cancel(attache_instance* instance, attache_run handle) {
  (void)instance;
  (void)handle;
  return ATTACHE_OK;
}

static attache_driver table;

attache_status attache_driver_entry_v1(const attache_host* given, const attache_driver** driver) {
  host = given;
  table.struct_size = sizeof table;
  table.minor = ATTACHE_SPI_MINOR;
  table.describe = describe;
  table.create = create;
  table.destroy = destroy;
  table.run = run;
  table.cancel = cancel;
  *driver = &table;
  return ATTACHE_OK;
}
