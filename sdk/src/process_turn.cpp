// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include <attache/sdk/process_turn.hpp>

#include "turn_process.hpp"

namespace attache::sdk {
namespace {

/// Says that the turn begins to leave, just before its first byte does.
class AnnouncedSource : public ByteSource {
 public:
  AnnouncedSource(std::unique_ptr<ByteSource> source, Run& run, bool& announced)
      : source_(std::move(source)), run_(run), announced_(announced) {}
  std::size_t read(std::span<char> buffer) override {
    const std::size_t count = source_->read(buffer);
    if (count != 0 && !std::exchange(announced_, true)) run_.indeterminate();
    return count;
  }

 private:
  std::unique_ptr<ByteSource> source_;
  Run& run_;
  bool& announced_;
};

class Turn {
 public:
  Turn(const Request& request, Run& run, ChildProcess& process, const TurnHandlers& handlers,
       const TurnOptions& options)
      : run_(run), process_(process), handlers_(handlers), lines_(options.lines), limits_(limits_of(request)) {}

  /// True when on_frame said that the turn is over.
  bool talk() {
    ChildProcess::Handlers on;
    on.on_stdout = [this](std::string_view chunk) { return take(lines_.feed(chunk, each_)); };
    on.on_stderr = [this](std::string_view chunk) {
      if (handlers_.on_stderr) handlers_.on_stderr(chunk);
      return true;
    };
    on.on_written = [this](const WriteState& state) {
      if (state.complete) run_.delivered();
      return true;
    };
    const PumpEnd end = process_.pump(on, limits_);
    throw_if_stopped(end);
    if (end != PumpEnd::stopped) {
      if (std::optional<Frame> last = lines_.finish()) each_(*last);
    }
    return over_;
  }

 private:
  bool take(JsonLines::Status status) const {
    if (status == JsonLines::Status::too_long) {
      throw Failure(Status::provider_failed, "frame_too_long", "the provider wrote a frame beyond every limit");
    }
    return !over_;
  }

  Run& run_;
  ChildProcess& process_;
  const TurnHandlers& handlers_;
  JsonLines lines_;
  ChildProcess::Limits limits_;
  bool over_ = false;
  const std::function<bool(Frame&)> each_ = [this](Frame& frame) {
    over_ = handlers_.on_frame(frame);
    return !over_;
  };
};

}  // namespace

Failure frame_failure(const FrameError& error, const Request& request) {
  const bool content = error.reason() == "not_utf8";
  Failure failure(content ? Status::invalid : Status::contract, content ? "text_not_utf8" : error.reason(),
                  content ? "the text file is not UTF-8" : "the input's file is not what the request said");
  if (error.slot() < request.inputs().size()) failure.input(request.inputs()[error.slot()].index());
  return failure;
}

FrameSlot slot_of(const Input& input, Encoding encoding) {
  return {std::string(input.local_path()), encoding, input.size(), input.sha256()};
}

ExitStatus run_process_turn(const Request& request, Run& run, const SpawnOptions& spawn, const JsonFrame& frame,
                            const TurnHandlers& handlers, const TurnOptions& options) {
  bool announced = false;
  ChildProcess process = start_provider(request, run, spawn);
  const std::stop_callback on_cancel(run.stop_token(), [&process] { process.request_stop(); });
  bool over = false;
  try {
    process.send(std::make_unique<AnnouncedSource>(frame.source(), run, announced));
    over = Turn(request, run, process, handlers, options).talk();
  } catch (const FrameError& error) {
    process.end(options.stop_grace);
    Failure failure = frame_failure(error, request);
    if (error.slot() < options.slots.size()) failure.input(options.slots[error.slot()]);
    throw failure;
  } catch (...) {
    process.end(options.stop_grace);
    throw;
  }
  const bool read = process.write_state().complete;
  const ExitStatus exit = process.end(over ? options.exit_grace : options.stop_grace);
  if (!over) throw no_result(announced, exit);
  if (!read) throw turn_not_read();
  return exit;
}

}  // namespace attache::sdk
