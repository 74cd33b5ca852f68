// SPDX-License-Identifier: Apache-2.0
#include "inputs/media_type.hpp"

#include "inputs/signature.hpp"
#include "support/bench.hpp"
#include "support/media.hpp"

namespace attache::testing {
namespace {

using input::Kind;
using MediaTypeTest = InputsTest;

TEST(MediaType, IsLoweredStrippedAndFolded) {
  const auto normal = inputs::normalize_media_type;
  EXPECT_EQ(normal("image/png"), "image/png");
  EXPECT_EQ(normal(" IMAGE/PNG ; charset=binary"), "image/png");
  EXPECT_EQ(normal("image/pjpeg"), "image/jpeg");
  EXPECT_EQ(normal("audio/vnd.wave"), "audio/wav");
  EXPECT_EQ(normal("application/vnd.x-y+json;v=\"1\""), "application/vnd.x-y+json");
  for (const auto* absent : {"", "  ", "application/octet-stream", "Application/Octet-Stream; x=y"}) {
    EXPECT_EQ(normal(absent), "") << absent;
  }
  for (const auto* malformed : {"png", "image/", "/png", "image/*", "image/png/x", "im age/png", "image/p\nng",
                                "image/\xc3\xa9", ";charset=x", "image/.png"}) {
    EXPECT_FALSE(normal(malformed)) << malformed;
  }
  EXPECT_TRUE(normal("a/" + std::string(127, 'b')));
  EXPECT_FALSE(normal("a/" + std::string(128, 'b')));
}

TEST(MediaType, ExtensionsGoBothWays) {
  EXPECT_EQ(inputs::media_type_of_name("A.B.JPEG"), "image/jpeg");
  EXPECT_EQ(inputs::media_type_of_name("pdf"), "");
  EXPECT_EQ(inputs::media_type_of_name("a.pdf "), "");
  EXPECT_EQ(inputs::extension_of("image/jpeg"), ".jpg");
  EXPECT_EQ(inputs::extension_of("application/x-unheard-of"), ".bin");
}

TEST(Signature, KnowsEveryFormat) {
  using inputs::Format;
  const auto of = [](std::string_view content) { return inputs::detect(as_bytes(content)); };
  EXPECT_EQ(of(png(1, 1)), Format::png);
  EXPECT_EQ(of(jpeg(1, 1)), Format::jpeg);
  EXPECT_EQ(of(gif(1, 1)), Format::gif);
  EXPECT_EQ(of(webp_lossless(1, 1)), Format::webp);
  EXPECT_EQ(of(bmp(1, 1)), Format::bmp);
  EXPECT_EQ(of(tiff()), Format::tiff);
  EXPECT_EQ(of(iso_media("heic", "mif1")), Format::heic);
  EXPECT_EQ(of(iso_media("mif1", "mif1heic")), Format::heic);
  EXPECT_EQ(of(iso_media("mif1", "mif1avif")), Format::avif);
  EXPECT_EQ(of(iso_media("mif1", "mif1")), Format::heif);
  EXPECT_EQ(of(iso_media("avif")), Format::avif);
  EXPECT_EQ(of(iso_media("isom")), Format::mp4);
  EXPECT_EQ(of(iso_media("M4A ")), Format::m4a);
  EXPECT_EQ(of(iso_media("qt  ")), Format::quicktime);
  EXPECT_EQ(of(std::string("\0\0\0\x08moov", 8)), Format::quicktime_atoms);
  EXPECT_EQ(of(pdf()), Format::pdf);
  EXPECT_EQ(of(docx()), Format::zip);
  EXPECT_EQ(of(wav()), Format::wav);
  EXPECT_EQ(of("ID3\4"), Format::id3);
  EXPECT_EQ(of(mp3()), Format::mp3_frame);
  EXPECT_EQ(of(std::string(3, '\0') + mp3()), Format::mp3_frame);
  EXPECT_EQ(of("\xff\xf1\x50\x80"), Format::aac_frame);
  EXPECT_EQ(of(ogg_opus()), Format::ogg);
  EXPECT_EQ(of("fLaC"), Format::flac);
  EXPECT_EQ(of(std::string("FORM\0\0\0\4AIFC", 12)), Format::aiff);
  EXPECT_EQ(of("\x1a\x45\xdf\xa3"), Format::matroska);
  for (const std::string& other : {html(), svg(), std::string("BM is how this text starts"), std::string(100, '\0'),
                                   std::string("\x89PN"), std::string()}) {
    EXPECT_EQ(of(other), Format::unknown) << other.substr(0, 10);
  }
}

TEST_F(MediaTypeTest, R_A1_ImageJpgAlias) {
  const std::string content = jpeg(1, 1);
  for (const auto* declared : {"image/jpg", "image/pjpeg", "IMAGE/JPG"}) {
    EXPECT_EQ(expect_delivered(bytes(Kind::image, declared, content).name("photo.jpg"), content).media_type,
              "image/jpeg");
  }
}

TEST_F(MediaTypeTest, R_A2_AudioMpegIsNeverWav) {
  driver.inputs.audio.modes = {mode(input::Mode::native, {"audio/mpeg", "audio/wav"}, "base64")};
  const std::string content = mp3();
  for (const auto* declared : {"audio/mpeg", "audio/mp3"}) {
    EXPECT_EQ(expect_delivered(bytes(Kind::audio, declared, content), content).media_type, "audio/mpeg");
  }
  expect_refusal({bytes(Kind::audio, "audio/wav", content)}, errc::input_invalid, "media_type_mismatch");
  expect_refusal({bytes(Kind::audio, "audio/x-unheard-of", content)}, errc::input_media_type_unsupported,
                 "media_type_unsupported");
}

TEST_F(MediaTypeTest, R_A3_ParametersAreDropped) {
  const std::string content = png(1, 1);
  EXPECT_EQ(expect_delivered(bytes(Kind::image, "image/png; charset=binary", content), content).media_type,
            "image/png");
}

TEST_F(MediaTypeTest, R_A4_BytesContradictTheLabel) {
  const std::string content = jpeg(1, 1);
  expect_refusal({bytes(Kind::image, "image/png", content).name("shot.png").sha256(digest_of(content))},
                 errc::input_invalid, "media_type_mismatch");
  expect_delivered(bytes(Kind::image, "image/jpeg", content).name("shot.png"), content);
}

TEST_F(MediaTypeTest, R_A5_OctetStreamCountsAsAbsent) {
  driver.inputs.video.modes = {mode(input::Mode::native, {"video/mp4"}, "base64")};
  const std::string picture = png(1, 1), film = iso_media("isom");
  const auto* octets = "application/octet-stream";
  EXPECT_EQ(expect_delivered(bytes(Kind::image, octets, picture), picture).media_type, "image/png");
  EXPECT_EQ(expect_delivered(bytes(Kind::video, octets, film), film).media_type, "video/mp4");
  expect_refusal({bytes(Kind::file, octets, "no marker, no name")}, errc::input_invalid, "media_type_unknown");
}

TEST_F(MediaTypeTest, R_A6_AnAbsentTypeIsResolved) {
  const std::string content = png(1, 1), text = "hello";
  EXPECT_EQ(expect_delivered(input::from_path(Kind::image, file("a", content)), content).media_type, "image/png");
  EXPECT_EQ(expect_delivered(bytes(Kind::image, "", content), content).media_type, "image/png");
  EXPECT_EQ(expect_delivered(bytes(Kind::image, "image/gif", content).media_type(""), content).media_type, "image/png");
  EXPECT_EQ(expect_delivered(input::from_path(Kind::file, file("notes.txt", text)), text).media_type, "text/plain");
  EXPECT_EQ(expect_delivered(bytes(Kind::file, "", text).name("notes.TXT"), text).media_type, "text/plain");
}

TEST_F(MediaTypeTest, R_A7_SvgIsNoPicture) {
  const std::string content = svg();
  expect_refusal({bytes(Kind::image, "image/svg+xml", content)}, errc::input_media_type_unsupported,
                 "media_type_unsupported");
  driver.inputs.file.modes.push_back(mode(input::Mode::native, {"image/svg+xml"}, "text"));
  expect_delivered(bytes(Kind::file, "image/svg+xml", content), content);
  const std::string picture = png(1, 1);
  expect_refusal({bytes(Kind::file, "image/svg+xml", picture)}, errc::input_invalid, "media_type_mismatch");
}

TEST_F(MediaTypeTest, R_A8_OldRasterTypes) {
  const std::string old = bmp(1, 1), scan = tiff();
  expect_refusal({bytes(Kind::image, "image/bmp", old)}, errc::input_media_type_unsupported, "media_type_unsupported");
  const auto error = refuse({bytes(Kind::image, "image/tiff", scan)});
  EXPECT_EQ(error.code(), errc::input_media_type_unsupported);
  EXPECT_STREQ(error.what(),
               "input 1 (image, image/tiff): the driver \"claude\" takes no image/tiff in any mode; "
               "send it as PNG");
  driver.inputs.image.modes[0].media_types = {"image/*"};
  expect_delivered(bytes(Kind::image, "image/bmp", old), old);
  expect_delivered(bytes(Kind::image, "image/tiff", scan), scan);
}

TEST_F(MediaTypeTest, R_A9_HeicIsTheDriversMatter) {
  const std::string content = iso_media("heic", "mif1") + std::string(64, '\0');
  expect_refusal({bytes(Kind::image, "image/heic", content)}, errc::input_media_type_unsupported,
                 "media_type_unsupported");
  driver.inputs.image.modes[0].media_types.emplace_back("image/heic");
  expect_delivered(bytes(Kind::image, "image/heic", content), content);
}

TEST_F(MediaTypeTest, R_A10_OfficeFilesKeepTheirType) {
  const std::string content = docx();
  const auto* type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  expect_refusal({bytes(Kind::file, type, content)}, errc::input_media_type_unsupported, "media_type_unsupported");
  driver.inputs.file.modes.push_back(mode(input::Mode::native, {type}, "base64"));
  expect_delivered(bytes(Kind::file, type, content), content);
  EXPECT_EQ(expect_delivered(bytes(Kind::file, "", content).name("report.docx"), content).media_type, type);
  expect_refusal({bytes(Kind::file, "", content)}, errc::input_media_type_unsupported, "media_type_unsupported");
}

TEST_F(MediaTypeTest, R_A11_M4aIsNotWav) {
  driver.inputs.audio.modes = {mode(input::Mode::native, {"audio/wav", "audio/mpeg"}, "base64")};
  const std::string content = iso_media("M4A ");
  expect_refusal({bytes(Kind::audio, "audio/mp4", content)}, errc::input_media_type_unsupported,
                 "media_type_unsupported");
  driver.inputs.audio.modes[0].media_types.emplace_back("audio/mp4");
  EXPECT_EQ(expect_delivered(bytes(Kind::audio, "audio/x-m4a", content), content).media_type, "audio/mp4");
  EXPECT_EQ(expect_delivered(bytes(Kind::audio, "", content), content).media_type, "audio/mp4");
}

TEST_F(MediaTypeTest, R_A12_GifStillAndMoving) {
  for (const std::string& content : {gif(1, 1), gif(1, 1, 2)}) {
    expect_delivered(bytes(Kind::image, "image/gif", content), content);
  }
  driver.inputs.image.modes[0].media_types = {"image/png"};
  const std::string content = gif(1, 1);
  expect_refusal({bytes(Kind::image, "image/gif", content)}, errc::input_media_type_unsupported,
                 "media_type_unsupported");
}

TEST_F(MediaTypeTest, R_E4_HtmlNamedAsPicture) {
  const std::string content = html();
  expect_refusal({input::from_path(Kind::image, file("a.png", content))}, errc::input_invalid, "media_type_mismatch");
}

TEST_F(MediaTypeTest, TextIsContradictedByNothing) {
  driver.inputs.file.modes[1].media_types = {"text/*", "application/json"};
  for (const std::string& content : {std::string("%PDF-1.4 is how it starts"), std::string("BM\n"), html(),
                                     std::string("a,b\n1,2\n"), std::string("ID3 tags explained")}) {
    expect_delivered(bytes(Kind::file, "text/plain", content), content);
  }
}

TEST_F(MediaTypeTest, AMalformedTypeIsRefusedAndNotShown) {
  const std::string content = png(1, 1);
  const auto error = refuse({bytes(Kind::image, "image/png\n/SECRET", content)});
  EXPECT_EQ(error.reason(), "media_type_malformed");
  EXPECT_EQ(error.code(), errc::input_invalid);
  EXPECT_EQ(std::string_view(error.what()).find("SECRET"), std::string_view::npos);
  EXPECT_EQ(error.media_type(), "");
}

}  // namespace
}  // namespace attache::testing
