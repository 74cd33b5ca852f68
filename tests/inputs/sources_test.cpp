// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <fstream>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "inputs/materialize.hpp"
#include "support/bench.hpp"
#include "support/media.hpp"

namespace attache::testing {
namespace {

using input::Kind;

class SourcesTest : public InputsTest {
 protected:
  const std::string picture = png(1, 1);
  input::Input at(const std::filesystem::path& path) const { return input::from_path(Kind::image, path); }
};

TEST_F(SourcesTest, R_I1_NamedPipe) {
  const auto pipe = scratch / "a.png";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  expect_refusal({at(pipe)}, errc::input_invalid, "not_regular");
}

TEST_F(SourcesTest, R_I2_DirectoryDeviceAndSocket) {
  std::filesystem::create_directory(scratch / "a.png");
  expect_refusal({at(scratch / "a.png")}, errc::input_invalid, "not_regular");
  expect_refusal({at("/dev/null")}, errc::input_invalid, "not_regular");
  expect_refusal({at("/dev/zero")}, errc::input_invalid, "not_regular");
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, (scratch / "s").c_str(), sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  expect_refusal({at(scratch / "s")}, errc::input_invalid, "not_regular");
  ::close(socket);
}

TEST_F(SourcesTest, LinksAreRefusedUnlessFollowed) {
  const auto target = file("target.png", picture), link = scratch / "link.png";
  std::filesystem::create_symlink(target, link);
  expect_refusal({at(link)}, errc::input_invalid, "link_refused");
  expect_refusal({at(link).follow_links().follow_links(false)}, errc::input_invalid, "link_refused");
  EXPECT_EQ(expect_delivered(at(link).follow_links(), picture).name, "link.png");
  std::filesystem::create_directory(scratch / "real");
  std::filesystem::create_directory_symlink(scratch / "real", scratch / "alias");
  write_file(scratch / "real" / "b.png", picture);
  expect_delivered(at(scratch / "alias" / "b.png"), picture);
  std::filesystem::create_symlink("loop.png", scratch / "loop.png");
  EXPECT_EQ(refuse({at(scratch / "loop.png").follow_links()}).code(), errc::input_materialization_failed);
}

TEST_F(SourcesTest, R_I6_HardLinksAreFineAndTheCopyStandsAlone) {
  const auto original = file("a.png", picture), second = scratch / "b.png";
  std::filesystem::create_hard_link(original, second);
  const auto run = accept({at(second)});
  write_file(original, png(1, 1, "rewritten in place"));
  EXPECT_EQ(read_file(run.local_path(0)), picture);
}

TEST_F(SourcesTest, MissingAndImpossiblePaths) {
  expect_refusal({at(scratch / "missing.png")}, errc::input_materialization_failed, "open_failed");
  expect_refusal({at(file("plain", picture) / "below.png")}, errc::input_materialization_failed, "open_failed");
  expect_refusal({at("")}, errc::input_invalid, "path_invalid");
  const auto good = file("a.png", picture);
  expect_refusal({at(std::string(good.native()) + std::string("\0.txt", 5))}, errc::input_invalid, "path_invalid");
  expect_refusal({at(scratch / std::string(300, 'x'))}, errc::input_materialization_failed, "open_failed");
  expect_delivered(at(good), picture);
}

TEST_F(SourcesTest, UnreadableToTheUser) {
  const auto secret = file("secret.png", picture), open = file("open.png", picture);
  ASSERT_EQ(::chmod(secret.c_str(), 0), 0);
  ASSERT_EQ(::chmod(open.c_str(), 0444), 0);
  const int code = in_child_as_nobody([&] {
    if (accept({at(open)}).resolved().size() != 1) return 2;
    try {
      accept({at(secret)});
      return 3;
    } catch (const InputError& error) {
      if (error.code() != errc::input_materialization_failed || error.reason() != "open_failed") return 4;
      if (std::string_view(error.what()) != "input 1 (image): it may not be read") return 5;
    }
    return entries(base) == 0 ? 0 : 6;
  });
  EXPECT_EQ(code, 0);
}

TEST_F(SourcesTest, NothingStaysOpen) {
  const auto good = file("a.png", picture), bad = file("b.png", html());
  const auto before = entries("/proc/self/fd");
  accept({at(good), at(good)});
  refuse({at(good), at(bad)});
  refuse({at(good), at(scratch / "missing")});
  refuse({at(good).sha256({}), at(good)});
  inputs::plan({at(good), at(bad)}, terms());
  EXPECT_EQ(entries("/proc/self/fd"), before);
  const auto run = accept({at(good)});
  EXPECT_EQ(entries("/proc/self/fd"), before + 2) << "the base and the locked run directory";
}

/// Stops between peek and copy, where a source may change.
class HalfwayTest : public SourcesTest {
 protected:
  /// Gives the reason of the first finding; empty: copied.
  std::string materialize(const input::Input& given, const std::function<void(inputs::Subject&)>& meanwhile) {
    const inputs::Terms judged = terms();
    inputs::Findings findings(judged);
    inputs::Subject subject(0, given);
    inputs::declare(subject, judged, findings);
    inputs::peek(subject, findings);
    inputs::choose_mode(subject, judged, findings);
    inputs::check_limits(subject, judged, false, findings);
    EXPECT_TRUE(findings.all().empty());
    meanwhile(subject);
    const auto directory = inputs::RunDirectory::make(inputs::open_run_base(base));
    std::vector<std::byte> buffer(4096);
    inputs::CopyBudget budget(inputs::total_limit(judged));
    const auto copy = inputs::materialize(subject, *directory, judged, budget, buffer, findings);
    EXPECT_EQ(copy.has_value(), findings.all().empty());
    EXPECT_EQ(subject.source, nullptr);
    copied = subject.size.value_or(0);
    return findings.all().empty() ? "" : findings.all()[0].fault.reason;
  }
  std::uint64_t copied = 0;
};

TEST_F(HalfwayTest, ASourceThatChangesIsRefused) {
  const std::string large = png_padded(200000);
  const auto path = file("a.png", large);
  EXPECT_EQ(materialize(at(path), [](auto&) {}), "");
  const auto append = [&](auto&) { std::ofstream(path, std::ios::app | std::ios::binary) << "more"; };
  EXPECT_EQ(materialize(at(path), append), "source_changed");
  EXPECT_EQ(materialize(at(path), [&](auto&) { std::filesystem::resize_file(path, 100000); }), "source_changed");
  const auto rewrite = [&](auto&) {
    std::ofstream(path, std::ios::in | std::ios::out | std::ios::binary) << "x";
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  };
  EXPECT_EQ(materialize(at(path), rewrite), "source_changed");
}

TEST_F(HalfwayTest, ReplacingTheNameDoesNotMatter) {
  const std::string large = png_padded(200000);
  const auto path = file("a.png", large), other = file("b.png", png_padded(200001));
  EXPECT_EQ(materialize(at(path), [&](auto&) { std::filesystem::rename(other, path); }), "");
  EXPECT_EQ(copied, 200000u);
}

TEST_F(HalfwayTest, R_I3_GrowthPastTheLimitStopsOneByteAfterIt) {
  limits.max_input_bytes = 250000;
  const auto path = file("a.png", png_padded(200000));
  EXPECT_EQ(materialize(at(path), [&](auto&) { std::filesystem::resize_file(path, 50 << 20); }), "input_bytes_limit");
  EXPECT_EQ(copied, 250001u);
  limits = {};
  limits.max_total_bytes = 100000;
  const auto small = file("b.png", png_padded(90000));
  EXPECT_EQ(materialize(at(small), [&](auto&) { std::filesystem::resize_file(small, 50 << 20); }), "total_bytes_limit");
  EXPECT_EQ(copied, 100001u);
}

TEST_F(HalfwayTest, ACancelIsSeenBetweenChunks) {
  const auto path = file("a.png", png_padded(200000));
  try {
    materialize(at(path), [](inputs::Subject& subject) { subject.stop.request_stop(); });
    ADD_FAILURE() << "not cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), errc::cancelled);
  }
  EXPECT_EQ(entries(base), 0u);
}

TEST_F(SourcesTest, ACancelledRunOpensNothing) {
  std::stop_source stop;
  stop.request_stop();
  try {
    inputs::RunInputs::prepare({at(scratch / "missing.png")}, terms(), stop.get_token());
    ADD_FAILURE() << "not cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), errc::cancelled);
    EXPECT_TRUE(retry_safe(error));
  }
}

TEST_F(SourcesTest, AReadThatFailsIsTyped) {
  // A process's own memory is a regular file whose first page cannot be read.
  const auto error = refuse({at("/proc/self/mem").media_type("image/png")});
  EXPECT_EQ(error.code(), errc::input_materialization_failed);
  EXPECT_EQ(error.reason(), "read_failed");
}

}  // namespace
}  // namespace attache::testing
