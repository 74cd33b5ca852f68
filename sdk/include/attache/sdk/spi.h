/* SPDX-License-Identifier: Apache-2.0
 *
 * The Attache SPI, version 1.1: the C contract between core and a driver.
 *
 * Conventions
 *  1. Fixed-width integers only. Text is a span: pointer + length, UTF-8, no terminator, {NULL, 0} = absent.
 *  2. Every struct begins with its own size in bytes, set by whoever fills it. A reader uses the smaller of
 *     that size and the one it was built with; a field beyond it reads as zero. Fields are appended, never
 *     moved, retyped or reused. Reserved fields are zero; a reader refuses a struct where they are not.
 *  3. Inputs of a call are borrowed: valid until the call returns, never freed by the callee. Outputs are
 *     pushed into host callbacks, which copy before they return. Nothing is ever freed across the line.
 *     Exception: a request, with all it points at, stays valid until the run ended (run() returned and
 *     every retain() was matched by release()); so does the path that private_directory() gives.
 *  4. Nothing unwinds across: no C++ exception, no longjmp.
 *  5. Thread tags: [any] any thread at any time; [run] the thread that called run(); [during run] any thread
 *     between entry of run() and the end of the run. A driver function is never entered from inside one of
 *     the host's callbacks.
 *  6. An unknown value of an enumerated field has the rule stated beside the enumeration.
 *  7. A NULL function pointer in a table, or one beyond its size, means "not provided"; only the ones marked
 *     optional may be absent. The default then is stated with the function.
 *  8. A driver writes nothing to standard output or error and changes neither environment, locale, working
 *     directory nor signal dispositions of the process.
 */
#ifndef ATTACHE_SDK_SPI_H
#define ATTACHE_SDK_SPI_H

#include <stddef.h>
#include <stdint.h>

#define ATTACHE_SPI_MAJOR 1u /* also in the names of the two exported symbols */
#define ATTACHE_SPI_MINOR 1u /* 1: report_process_group, private_directory, file_* of an input */

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Values ------------------------------------------------------------------------------------------- */

typedef struct attache_span {
  const char* data;
  uint64_t size;
} attache_span;

/* Outcome of a call. Unknown values are read as ATTACHE_INTERNAL. */
typedef int32_t attache_status;
#define ATTACHE_OK 0
#define ATTACHE_INVALID 1                /* configuration, request or input is wrong; index says which input */
#define ATTACHE_UNSUPPORTED_KIND 2       /* no mode for this kind */
#define ATTACHE_UNSUPPORTED_MEDIA_TYPE 3 /* no mode of this kind takes this type */
#define ATTACHE_UNSUPPORTED_MODE 4       /* kind and type are taken, but not in this mode */
#define ATTACHE_TOO_LARGE 5              /* over a limit of the provider; `limit` of the error says which value */
#define ATTACHE_LAUNCH_FAILED 6          /* the provider could not be started or reached */
#define ATTACHE_PROVIDER_REFUSED 7       /* the provider answered and said no: permanent for this request */
#define ATTACHE_PROVIDER_FAILED 8        /* the provider died, broke its protocol, or failed in mid-turn */
#define ATTACHE_RESUME_REJECTED 9        /* the checkpoint names a session the provider does not have */
#define ATTACHE_CANCELLED 10
#define ATTACHE_TIMEOUT 11
#define ATTACHE_CONTRACT 12 /* the other side broke a rule of this header */
#define ATTACHE_INTERNAL 13

/* What is known about the provider having received the turn. Only ever grows within a run.
 * Unknown values are read as ATTACHE_INDETERMINATE. */
typedef uint32_t attache_delivery;
#define ATTACHE_NOT_STARTED 0u
#define ATTACHE_NOT_DELIVERED 1u /* certain: not one byte of the turn reached the provider */
#define ATTACHE_INDETERMINATE 2u /* part of it was written, or the answer got lost */
#define ATTACHE_DELIVERED 3u     /* the whole turn was accepted by the transport */

/* Kind of an input. A driver answers an unknown kind with ATTACHE_UNSUPPORTED_KIND. */
#define ATTACHE_KIND_IMAGE 1u
#define ATTACHE_KIND_FILE 2u
#define ATTACHE_KIND_AUDIO 3u
#define ATTACHE_KIND_VIDEO 4u

/* How an input is to be delivered. A driver answers an unknown mode with ATTACHE_UNSUPPORTED_MODE. */
#define ATTACHE_MODE_NATIVE 1u              /* a typed block of the provider's protocol that keeps the modality */
#define ATTACHE_MODE_WORKSPACE_REFERENCE 2u /* a file the provider can open, named in a block of its own */
#define ATTACHE_MODE_PROVIDER_URL 3u        /* a URL the provider fetches; never fetched by host or driver */

/* Role of a history message. A driver answers an unknown role with ATTACHE_INVALID. */
#define ATTACHE_ROLE_USER 1u
#define ATTACHE_ROLE_ASSISTANT 2u
#define ATTACHE_ROLE_SYSTEM 3u
#define ATTACHE_ROLE_TOOL 4u

/* What the provider did with an input. Unknown values are read as ATTACHE_RECEIPT_UNKNOWN. */
#define ATTACHE_RECEIPT_EXACT 1u   /* same SHA-256, compared by the driver with what the provider showed */
#define ATTACHE_RECEIPT_ALTERED 2u /* other bytes; media_type, size, sha256 of the event where known */
#define ATTACHE_RECEIPT_DROPPED 3u /* not taken, or replaced by text */
#define ATTACHE_RECEIPT_UNKNOWN 4u /* the protocol does not show it */

/* ---- Request ------------------------------------------------------------------------------------------ */

/* One resolved input. Size and SHA-256 are always observed values. */
typedef struct attache_input {
  uint64_t struct_size;
  attache_span id;         /* unique in the run, stable, safe to show; never a path */
  uint32_t index;          /* position in the caller's argument order, from 0 */
  uint32_t kind;           /* ATTACHE_KIND_* */
  uint32_t mode;           /* ATTACHE_MODE_*: implement exactly this one or fail before delivery */
  uint32_t exact;          /* 1: the caller refuses anything but an exact receipt */
  attache_span name;       /* sanitized display basename; never a path, never an argument of a command */
  attache_span media_type; /* lower case, no parameters */
  attache_span local_path; /* absolute, run-owned, read-only; bytes as the file system has them, not
                              necessarily UTF-8; empty for PROVIDER_URL. Must not be kept or logged. */
  attache_span url;        /* PROVIDER_URL only */
  uint64_t size;           /* bytes */
  uint8_t sha256[32];

  /* Since 1.1: what fstat() says of local_path after the host's last change to it. All zero: not told. The host tells
   * it only where the file system gives every later change another changed time, so that a driver which finds the same
   * before its first read and after its last one has read the bytes of sha256 and need not hash them. */
  uint64_t file_device;
  uint64_t file_inode;
  int64_t file_changed_ns; /* st_ctim, nanoseconds since 1970 */
} attache_input;

/* One non-text part of a history message. Exactly one of local_path and url is set. */
typedef struct attache_part {
  uint64_t struct_size;
  uint32_t kind;
  uint32_t reserved0;
  attache_span name;
  attache_span media_type;
  attache_span local_path;
  attache_span url;
  uint64_t size;
  uint8_t sha256[32];
} attache_part;

/* One earlier message of a conversation kept by the host, oldest first. Parts only on user messages. */
typedef struct attache_message {
  uint64_t struct_size;
  uint32_t role; /* ATTACHE_ROLE_* */
  uint32_t reserved0;
  attache_span text;
  const attache_part* const* parts;
  uint64_t part_count;
} attache_message;

typedef struct attache_request {
  uint64_t struct_size;
  attache_span prompt;                /* the first text part; empty only when there are inputs */
  const attache_input* const* inputs; /* in argument order, after the prompt */
  uint64_t input_count;
  const attache_message* const* history; /* only for drivers that declare features.history */
  uint64_t history_count;
  attache_span workspace;     /* absolute directory the provider works in; empty: none given */
  attache_span thread;        /* opaque id of the thread this turn belongs to; empty: none. A driver may keep a
                                 provider process per thread and must never share one between threads. */
  attache_span checkpoint;    /* JSON from an earlier set_checkpoint; empty: a new session */
  attache_span output_schema; /* JSON Schema for the answer; empty: free text */
  attache_span options;       /* JSON object of per-run options; empty: none */
  uint64_t deadline_ms;       /* for the whole run, from entry; 0: none */
  uint64_t idle_ms;           /* longest time without a byte in either direction; 0: none */
  uint32_t fork;              /* 1: continue `checkpoint` on a fork, leaving the original as it was */
  uint32_t forbid_retention;  /* 1: use the provider's switch against keeping inputs, or fail before launch */
} attache_request;

/* ---- Events and errors -------------------------------------------------------------------------------- */

/* Event types. The first event of a run is STARTED, the last one COMPLETED; both exactly once, also when the
 * run fails after it was entered. A host ignores unknown types. */
#define ATTACHE_EVENT_STARTED 1u         /* text: model, name: provider and its version, where known */
#define ATTACHE_EVENT_TEXT_DELTA 2u      /* text: a piece of the answer */
#define ATTACHE_EVENT_REASONING_DELTA 3u /* text: a piece of the model's reasoning */
#define ATTACHE_EVENT_TOOL_CALL 4u       /* id: call, name: tool, json: arguments */
#define ATTACHE_EVENT_TOOL_RESULT 5u     /* id: call, text: result, code: 1 when it is an error */
#define ATTACHE_EVENT_NOTICE 6u     /* name: stable slug, text: one safe sentence, id: input where it is about one */
#define ATTACHE_EVENT_RECEIPT 7u    /* id: input, code: ATTACHE_RECEIPT_*; media_type, size, sha256 of what was taken */
#define ATTACHE_EVENT_USAGE 8u      /* json: {"input_tokens":n,"output_tokens":n,...} */
#define ATTACHE_EVENT_TRANSCRIPT 9u /* json: one normalized item of the provider's transcript, payloads removed */
#define ATTACHE_EVENT_RAW 10u       /* code: ATTACHE_RAW_*; text: a chunk, payloads removed */
#define ATTACHE_EVENT_COMPLETED 11u /* text: the whole final answer; code: the status run() will return */

#define ATTACHE_RAW_STDOUT 1u
#define ATTACHE_RAW_STDERR 2u
#define ATTACHE_RAW_WIRE 3u

typedef struct attache_event {
  uint64_t struct_size;
  uint32_t type; /* ATTACHE_EVENT_* */
  uint32_t code;
  attache_span id;
  attache_span name;
  attache_span text;
  attache_span json;
  attache_span media_type;
  uint64_t size;
  uint8_t sha256[32];
  uint32_t has_sha256; /* 1: sha256 is set */
  uint32_t reserved0;
} attache_event;

/* Why a call failed. The text holds no path, no content, no credential and no payload of the provider. */
typedef struct attache_error {
  uint64_t struct_size;
  attache_status status;
  uint32_t provider_code;  /* HTTP status or exit code where there is one, else 0 */
  int64_t input_index;     /* the input it is about, or -1 */
  uint64_t limit;          /* the limit that was passed, or 0 */
  attache_span reason;     /* stable slug: [a-z0-9_]+ */
  attache_span text;       /* one sentence */
  attache_span request_id; /* the provider's own id for the request, where it gave one */
} attache_error;

/* ---- Tables ------------------------------------------------------------------------------------------- */

typedef uint64_t attache_run;                     /* slot + generation, never a pointer; 0 is no run */
typedef uint64_t attache_sink;                    /* where one call puts its output; dead when that call returns */
typedef struct attache_instance attache_instance; /* the driver's own */

/* What the host gives to the driver; valid for the life of the process.
 * A callback with a handle that is over returns ATTACHE_CONTRACT, does nothing, and is counted. */
typedef struct attache_host {
  uint64_t struct_size;
  uint32_t minor; /* the SPI minor the host implements */
  uint32_t reserved0;

  /* [during the call the sink was given to] The output document of describe, capabilities, inspect; once.
   * OK, CONTRACT. */
  attache_status (*put)(attache_sink sink, const attache_span* json);

  /* [during the call the sink was given to] Why that call is about to return a failure. OK, CONTRACT. */
  attache_status (*fail)(attache_sink sink, const attache_error* error);

  /* [during run] Serialised by the host; blocks only while a bounded queue is full.
   * OK, CANCELLED (the run is cancelled: stop), CONTRACT (order broken, or the run is over). */
  attache_status (*emit)(attache_run run, const attache_event* event);

  /* [during run] Call with NOT_DELIVERED before the provider is started, with INDETERMINATE before the first
   * byte of the turn is written, with DELIVERED once the last one was taken. OK, CONTRACT (went backwards). */
  attache_status (*set_delivery)(attache_run run, attache_delivery state);

  /* [during run] The state to resume from; kept only when the run ends well. OK, CONTRACT. */
  attache_status (*set_checkpoint)(attache_run run, const attache_span* json);

  /* [during run] Why run() is about to return a failure; the first call wins. OK, CONTRACT. */
  attache_status (*set_error)(attache_run run, const attache_error* error);

  /* [during run] An event source that outlives run() holds one reference. The run, its inputs and the request
   * live until run() has returned and the count is zero. OK, CONTRACT. */
  attache_status (*retain)(attache_run run);
  attache_status (*release)(attache_run run);

  /* [during run] 1 once the run is cancelled (or over), else 0. */
  uint32_t (*cancelled)(attache_run run);

  /* Since 1.1: a host of 1.0 has none of what follows; its struct_size ends before it. */

  /* [during run] A process group that works for the run, told by every run it works for, as soon as its leader is
   * started. The driver still ends it. The host notes it with the run, so that the next host can end it should this
   * one be killed. `pgid`: number of group and leader, above 1. `start_time`: when the leader started, as field 22 of
   * /proc/<pgid>/stat has it, not 0; what is then another process of that number is left alone.
   * OK, INTERNAL (could not be noted; the run may go on), CONTRACT (a wrong number, or over 256 groups in a run). */
  attache_status (*report_process_group)(attache_run run, int64_t pgid, uint64_t start_time);

  /* [during run] A directory of the run's own (0700), for files of the provider such as its TMPDIR: made at the first
   * call, the same at every further one, removed by the host with all in it once the run has ended, or by the next
   * host should this one be killed. *path: absolute, valid until the run ended; as local_path, not to be kept or
   * logged. OK, INTERNAL (it could not be made), CONTRACT. */
  attache_status (*private_directory)(attache_run run, attache_span* path);
} attache_host;

/* What the driver gives to the host; valid for the life of the process. */
typedef struct attache_driver {
  uint64_t struct_size;
  uint32_t minor; /* the SPI minor the driver was built with */
  uint32_t reserved0;

  /* [any] Puts the descriptor: the same bytes as attache_descriptor_v1 holds. OK, INTERNAL. */
  attache_status (*describe)(attache_sink sink);

  /* [any] A new instance from a JSON object that satisfies the descriptor's config schema. Starts nothing and
   * connects to nothing. OK, INVALID, INTERNAL; on failure *instance stays NULL. */
  attache_status (*create)(const attache_span* config, attache_sink sink, attache_instance** instance);

  /* [any] No run is active and none begins. Joins every thread and ends every process of the instance. */
  void (*destroy)(attache_instance* instance);

  /* [any] Optional; default: the descriptor's inputs. Puts {"inputs":…,"limits":…} as in the descriptor: what
   * this configuration leaves of it. Starts nothing. OK, INTERNAL. */
  attache_status (*capabilities)(attache_instance* instance, attache_sink sink);

  /* [any] Optional; default: nothing is known. May start the provider, delivers nothing. Puts
   * {"version":…,"account":…,"models":[…],"inputs":…}. OK, LAUNCH_FAILED, PROVIDER_FAILED, TIMEOUT, INTERNAL. */
  attache_status (*inspect)(attache_instance* instance, attache_sink sink);

  /* [any] Optional; default: nothing to warm. OK, LAUNCH_FAILED, INTERNAL. */
  attache_status (*prepare)(attache_instance* instance, attache_sink sink);

  /* [run] The only execution function: one turn. Called from up to max_parallel_runs threads at once. Any
   * status; a failure was told through set_error first. */
  attache_status (*run)(attache_instance* instance, const attache_request* request, attache_run run);

  /* [any] Idempotent; may come before, during and after the run. run() then ends the provider's process group
   * or connection and returns CANCELLED within the grace of the host. OK. */
  attache_status (*cancel)(attache_instance* instance, attache_run run);
} attache_driver;

/* ---- Exported symbols --------------------------------------------------------------------------------- */

#if defined(_WIN32)
#define ATTACHE_EXPORT __declspec(dllexport)
#else
#define ATTACHE_EXPORT __attribute__((visibility("default")))
#endif

/* The first symbol, `attache_descriptor_v1`: one read-only object, this header directly followed by `length`
 * bytes of JSON. attache_add_driver() generates it from descriptor.json. */
#define ATTACHE_DESCRIPTOR_MAGIC "ATTACHE\x1a" /* 8 bytes, no terminator */
#define ATTACHE_DESCRIPTOR_SCHEMA 1u
#define ATTACHE_DESCRIPTOR_MAX_LENGTH 65536u
typedef struct attache_descriptor_header {
  uint8_t magic[8];
  uint32_t schema;
  uint32_t length;
} attache_descriptor_header;

/* The second symbol. [any] `host` lives for the process. Sets *driver to a static table; runs once per process,
 * starts nothing. OK, CONTRACT (a host too old: its minor is below the descriptor's min_minor), INTERNAL. */
ATTACHE_EXPORT attache_status attache_driver_entry_v1(const attache_host* host, const attache_driver** driver);
typedef attache_status (*attache_driver_entry_v1_fn)(const attache_host* host, const attache_driver** driver);

#ifdef __cplusplus
}
#endif

#endif
