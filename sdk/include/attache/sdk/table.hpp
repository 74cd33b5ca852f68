// SPDX-License-Identifier: Apache-2.0
// From a driver class to the SPI's table of functions. ATTACHE_DRIVER uses it; nobody else has to.
#pragma once

#include <cstddef>
#include <exception>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>

#include <attache/sdk/driver.hpp>
#include <attache/sdk/spi.h>

/// Written by attache_add_driver(): an attache_descriptor_header and the bytes of descriptor.json.
extern "C" ATTACHE_EXPORT const unsigned char attache_descriptor_v1[];

namespace attache::sdk::detail {

/// The SPI table of a driver class. No exception leaves any of its functions.
template <class Class>
struct Table {
  static attache_status enter(const attache_host* given, const attache_driver** driver) noexcept {
    if (given == nullptr || driver == nullptr || !usable(*given)) return ATTACHE_CONTRACT;
    host = given;
    static const attache_driver table = make();
    *driver = &table;
    return ATTACHE_OK;
  }

 private:
  struct Instance {
    explicit Instance(std::string_view config) : driver(config) {}
    Class driver;
    std::mutex mutex;
    std::map<RunId, std::stop_source> runs;
  };
  /// Makes a run reachable for cancel() while it goes on.
  struct Reachable {
    Reachable(Instance& to, RunId run, const std::stop_source& stop) : instance(to), id(run) {
      const std::lock_guard lock(instance.mutex);
      instance.runs.insert_or_assign(id, stop);
    }
    ~Reachable() {
      const std::lock_guard lock(instance.mutex);
      instance.runs.erase(id);
    }
    Instance& instance;
    RunId id;
  };

  static inline const attache_host* host = nullptr;

  static bool usable(const attache_host& h) noexcept {
    constexpr auto size_of_1_0 = offsetof(attache_host, cancelled) + sizeof h.cancelled;
    return h.struct_size >= size_of_1_0 && h.reserved0 == 0 && h.put && h.fail && h.emit && h.set_delivery &&
           h.set_checkpoint && h.set_error && h.retain && h.release && h.cancelled;
  }

  static attache_driver make() noexcept {
    attache_driver table{};
    table.struct_size = sizeof table;
    table.minor = ATTACHE_SPI_MINOR;
    table.describe = &describe;
    table.create = &create;
    table.destroy = &destroy;
    if constexpr (!std::is_same_v<decltype(&Class::capabilities), std::string (Driver::*)()>) {
      table.capabilities = &capabilities;
    }
    if constexpr (!std::is_same_v<decltype(&Class::inspect), std::string (Driver::*)()>) table.inspect = &inspect;
    if constexpr (!std::is_same_v<decltype(&Class::prepare), void (Driver::*)()>) table.prepare = &prepare;
    table.run = &run;
    table.cancel = &cancel;
    return table;
  }

  static Instance& live(attache_instance* instance) {
    require(instance != nullptr);
    return *reinterpret_cast<Instance*>(instance);
  }

  static bool slug(const std::string& reason) noexcept {
    return !reason.empty() && reason.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
  }

  /// Runs `body`; a failure is given to `tell` first. A status that the function may not return becomes `internal`.
  template <class Body, class Tell>
  static attache_status guard(std::initializer_list<Status> allowed, const Body& body, const Tell& tell) noexcept {
    try {
      try {
        body();
        return ATTACHE_OK;
      } catch (const Failure& failure) {
        bool known = allowed.size() == 0 && failure.status() > Status::ok && failure.status() <= Status::internal;
        for (const Status one : allowed) known = known || one == failure.status();
        attache_error error = failure.error();
        if (!known) error.status = ATTACHE_INTERNAL;
        if (!slug(failure.reason())) error.reason = span("unspecified");
        tell(error);
        return error.status;
      } catch (const std::bad_alloc&) {
        return internal("out_of_memory", "the driver ran out of memory", tell);
      } catch (const std::exception&) {
        return internal("exception", "the driver failed with an exception", tell);
      } catch (...) {
        return internal("unknown_exception", "the driver failed with an exception of an unknown type", tell);
      }
    } catch (...) {
      return ATTACHE_INTERNAL;
    }
  }
  template <class Tell>
  static attache_status internal(std::string_view reason, std::string_view text, const Tell& tell) {
    attache_error error{};
    error.struct_size = sizeof error;
    error.status = ATTACHE_INTERNAL;
    error.input_index = -1;
    error.reason = span(reason);
    error.text = span(text);
    tell(error);
    return ATTACHE_INTERNAL;
  }
  static auto to(attache_sink sink) noexcept {
    return [sink](const attache_error& error) { host->fail(sink, &error); };
  }
  static void put(attache_sink sink, std::string_view json) {
    const attache_span text = span(json);
    if (host->put(sink, &text) != ATTACHE_OK) {
      throw Failure(Status::internal, "output_refused", "the host refused the document");
    }
  }

  static attache_status describe(attache_sink sink) noexcept {
    return guard(
        {Status::internal},
        [&] {
          attache_descriptor_header header;
          unsigned char* const to_bytes = reinterpret_cast<unsigned char*>(&header);
          for (std::size_t i = 0; i < sizeof header; ++i) to_bytes[i] = attache_descriptor_v1[i];
          put(sink, {reinterpret_cast<const char*>(attache_descriptor_v1) + sizeof header, header.length});
        },
        to(sink));
  }
  static attache_status create(const attache_span* config, attache_sink sink, attache_instance** instance) noexcept {
    return guard(
        {Status::invalid},
        [&] {
          if (config == nullptr || instance == nullptr || (config->data == nullptr && config->size != 0)) {
            throw Failure(Status::internal, "malformed_call", "the call breaks a rule of the SPI");
          }
          *instance = nullptr;
          *instance = reinterpret_cast<attache_instance*>(new Instance(view(*config)));
        },
        to(sink));
  }
  static void destroy(attache_instance* instance) noexcept { delete reinterpret_cast<Instance*>(instance); }

  static attache_status capabilities(attache_instance* instance, attache_sink sink) noexcept {
    return guard(
        {Status::internal}, [&] { put(sink, live(instance).driver.capabilities()); }, to(sink));
  }
  static attache_status inspect(attache_instance* instance, attache_sink sink) noexcept {
    return guard(
        {Status::launch_failed, Status::provider_failed, Status::timeout},
        [&] { put(sink, live(instance).driver.inspect()); }, to(sink));
  }
  static attache_status prepare(attache_instance* instance, attache_sink sink) noexcept {
    return guard(
        {Status::launch_failed}, [&] { live(instance).driver.prepare(); }, to(sink));
  }

  static attache_status run(attache_instance* instance, const attache_request* request, attache_run id) noexcept {
    const auto tell = [&](const attache_error& error) { host->set_error(id, &error); };
    std::unique_ptr<Run> reports(new (std::nothrow) Run(host, id));
    if (!reports) return ATTACHE_INTERNAL;
    const attache_status status = guard(
        {},
        [&] {
          const Reachable reachable(live(instance), id, reports->stop_);
          try {
            if (!reports->cancelled()) live(instance).driver.run(Request(request), *reports);
          } catch (...) {
            if (!reports->cancelled()) throw;
          }
          if (reports->cancelled()) throw Failure(Status::cancelled, "cancelled", "the run was cancelled");
        },
        tell);
    reports->end(status);
    return status;
  }
  static attache_status cancel(attache_instance* instance, attache_run id) noexcept {
    guard(
        {},
        [&] {
          std::stop_source stop{std::nostopstate};
          {
            const std::lock_guard lock(live(instance).mutex);
            if (const auto found = live(instance).runs.find(id); found != live(instance).runs.end())
              stop = found->second;
          }
          stop.request_stop();
          live(instance).driver.cancel(id);
        },
        [](const attache_error&) {});
    return ATTACHE_OK;
  }
};

}  // namespace attache::sdk::detail
