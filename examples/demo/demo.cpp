// SPDX-License-Identifier: Apache-2.0
// attache-demo COMMAND DIRECTORY: makes chart.png and report.pdf in the directory and a stand-in for the provider's
// CLI, lets the attache command run them through the claude driver, and shows what the stand-in was given.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <attache/sdk/child_process.hpp>
#include <attache/sdk/sha256.hpp>

#include "canary/canary.hpp"
#include "wire/capture.hpp"
#include "wire/dialect.hpp"

namespace kit = attache::conformance;
namespace input = attache::input;

namespace {

const std::vector<std::string> file_names{"chart.png", "report.pdf"};

std::uint64_t fresh_seed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

input::Digest digest_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  attache::sdk::Sha256 hash;
  std::string piece(65536, '\0');
  while (stream.read(piece.data(), static_cast<std::streamsize>(piece.size())), stream.gcount() > 0) {
    hash.update(std::string_view(piece).substr(0, static_cast<std::size_t>(stream.gcount())));
  }
  return hash.finish();
}

void make_file(input::Kind kind, std::string_view type, std::uint64_t size, kit::Random& random,
               const std::filesystem::path& file) {
  std::filesystem::rename(kit::make_canary(kind, type, size, random, file.parent_path()).path, file);
}

// Shows the command line, then what the command prints.
int run_command(const std::string& command, const std::vector<std::string>& arguments,
                const std::filesystem::path& directory) {
  std::string line = "$ attache";
  for (const std::string& argument : arguments) {
    line += argument.find(' ') == std::string::npos ? " " + argument : " \"" + argument + '"';
  }
  fmt::print("{}\n", line);
  attache::sdk::SpawnOptions options;
  options.executable = command;
  options.arguments = arguments;
  options.environment = {"PATH=/usr/bin:/bin", "HOME=" + directory.string()};
  options.working_directory = directory.string();
  attache::sdk::ChildProcess child = attache::sdk::ChildProcess::spawn(options);
  child.close_input();
  std::string told;
  const auto print = [](std::string_view text) { return fmt::print("{}", text), true; };
  const auto keep = [&](std::string_view text) { return told += text, true; };
  child.pump({print, keep, {}}, {});
  fmt::print("{}", told);
  return child.end(std::chrono::seconds(1)).value;
}

void show_item(const kit::CapturedItem& item) {
  if (item.type == kit::CapturedItem::Type::text) {
    fmt::print("  text      \"{}\"\n", item.text);
  } else if (item.rule != nullptr) {
    fmt::print("  {:<9} {:<16} {:>6} bytes  sha256 {}\n", input::to_string(item.rule->kind), item.media_type, item.size,
               attache::sdk::to_hex(item.sha256));
  } else {
    fmt::print("  unknown   {}\n", item.shape);
  }
}

bool show(const kit::TapHome& tap, const std::filesystem::path& directory) {
  std::vector<input::Digest> seen;
  std::size_t turns = 0;
  for (const kit::Capture& capture : tap.captures()) {
    for (const kit::CapturedTurn& turn : capture.turns) {
      ++turns;
      for (const kit::CapturedItem& item : turn.items) {
        show_item(item);
        if (item.type == kit::CapturedItem::Type::block && item.well_encoded) {
          seen.push_back(item.sha256);
        }
      }
    }
  }
  bool all = turns == 1 && seen.size() == file_names.size();
  for (std::size_t at = 0; at < file_names.size(); ++at) {
    const bool same = at < seen.size() && seen[at] == digest_of(directory / file_names[at]);
    fmt::print("{}: {}\n", file_names[at], same ? "arrived, byte for byte" : "DID NOT ARRIVE");
    all = all && same;
  }
  return all;
}

int demonstrate(const std::string& command, const std::filesystem::path& directory) {
  kit::Random random(fresh_seed());
  make_file(input::Kind::image, "image/png", 20'000, random, directory / file_names[0]);
  make_file(input::Kind::file, "application/pdf", 50'000, random, directory / file_names[1]);
  std::filesystem::create_directory(directory / "provider");
  const kit::TapHome tap =
      kit::TapHome::install(directory / "provider", kit::Dialect::find("claude-stream-json", {}), "ok");
  const int code = run_command(command,
                               {"run", "-d", "claude", "--image", file_names[0], "--file", file_names[1], "-s",
                                "executable=" + tap.executable().string(), "Does the chart agree with the report?"},
                               directory);
  fmt::print("exit code {}\n\nOn the wire to the provider:\n", code);
  return show(tap, directory) && code == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: attache-demo COMMAND DIRECTORY\n");
    return 2;
  }
  try {
    return demonstrate(argv[1], std::filesystem::canonical(argv[2]));
  } catch (const std::exception& error) {
    fmt::print(stderr, "attache-demo: {}\n", error.what());
    return 1;
  }
}
