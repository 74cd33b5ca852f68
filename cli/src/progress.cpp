// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <chrono>
#include <stop_token>
#include <string>

#include <fmt/format.h>

#include "layout.hpp"

namespace attache::cli {
namespace {
constexpr std::uint64_t worth_showing = 1u << 20;
constexpr std::chrono::milliseconds period{200};
}  // namespace

Progress::Progress(Printer& printer, std::size_t inputs, std::uint64_t bytes) : printer_(printer) {
  if (!printer.shows_status() || bytes < worth_showing) {
    return;
  }
  const std::string what = fmt::format("sending {} input{}, {}", inputs, inputs == 1 ? "" : "s", human_size(bytes));
  thread_ = std::jthread([this, what](const std::stop_token& stop) {
    const auto begin = std::chrono::steady_clock::now();
    while (!stop.stop_requested()) {
      const auto seconds =
          std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin).count();
      printer_.status(fmt::format("{} … {} s", what, seconds));
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, stop, period, [] { return false; });
    }
    printer_.status({});
  });
}

Progress::~Progress() {
  done();
}

void Progress::done() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
}

}  // namespace attache::cli
