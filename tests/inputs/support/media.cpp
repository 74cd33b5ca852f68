// SPDX-License-Identifier: Apache-2.0
#include "support/media.hpp"

#include <fmt/format.h>

namespace attache::testing {
namespace {

std::string big(std::uint64_t value, int bytes) {
  std::string result;
  for (int i = bytes - 1; i >= 0; --i) result.push_back(static_cast<char>((value >> (8 * i)) & 0xffu));
  return result;
}

std::string little(std::uint64_t value, int bytes) {
  std::string result;
  for (int i = 0; i < bytes; ++i) result.push_back(static_cast<char>((value >> (8 * i)) & 0xffu));
  return result;
}

std::uint32_t crc(std::string_view bytes) {
  std::uint32_t value = 0xffffffffu;
  for (const char c : bytes) {
    value ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) value = (value >> 1) ^ ((value & 1u) != 0 ? 0xedb88320u : 0u);
  }
  return ~value;
}

std::string chunk(std::string_view type, std::string_view data) {
  const std::string body = std::string(type) + std::string(data);
  return big(data.size(), 4) + body + big(crc(body), 4);
}

std::string png_with(std::uint32_t width, std::uint32_t height, const std::string& extra) {
  const std::string header = big(width, 4) + big(height, 4) + std::string("\x08\x02\0\0\0", 5);
  const std::string pixels("\x78\x9c\x63\x60\x60\x60\0\0\0\4\0\1", 12);
  return std::string("\x89PNG\r\n\x1a\n") + chunk("IHDR", header) + chunk("IDAT", pixels) + extra + chunk("IEND", "");
}

std::string riff(std::string_view form, const std::string& body) {
  return "RIFF" + little(4 + body.size(), 4) + std::string(form) + body;
}

std::string pdf_objects(std::string_view stream) {
  return fmt::format(
      "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
      "2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n"
      "3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 72 72] /Contents 4 0 R >>\nendobj\n"
      "4 0 obj\n<< /Length {} >>\nstream\n{}\nendstream\nendobj\n",
      stream.size(), stream);
}

}  // namespace

std::string png(std::uint32_t width, std::uint32_t height, std::string_view mark) {
  return png_with(width, height, mark.empty() ? std::string() : chunk("prVt", mark));
}

std::string png_padded(std::size_t size) {
  const std::size_t overhead = png(1, 1).size() + 12;
  std::string padding(size - overhead, '\0');
  for (std::size_t i = 0; i < padding.size(); ++i) padding[i] = static_cast<char>(i * 31 % 251);
  return png_with(1, 1, chunk("prVt", padding));
}

std::string jpeg(std::uint16_t width, std::uint16_t height, std::size_t before) {
  std::string result("\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0", 20);
  while (before > 0) {
    const std::size_t length = before < 65000 ? before : 65000;
    result += "\xff\xe2" + big(length + 2, 2) + std::string(length, 'm');
    before -= length;
  }
  result +=
      std::string("\xff\xc0", 2) + big(11, 2) + "\x08" + big(height, 2) + big(width, 2) + std::string("\1\1\x11\0", 4);
  return result + std::string("\xff\xda\0\x08\1\1\0\0\x3f\0\x7f\xff\xd9", 13);
}

std::string gif(std::uint16_t width, std::uint16_t height, int frames) {
  std::string result = "GIF89a" + little(width, 2) + little(height, 2) + std::string("\x80\0\0\0\0\0\xff\xff\xff", 9);
  for (int i = 0; i < frames; ++i) result += std::string(",\0\0\0\0\1\0\1\0\0\2\2D\1\0", 15);
  return result + ";";
}

std::string bmp(std::int32_t width, std::int32_t height) {
  return "BM" + little(58, 4) + little(0, 4) + little(54, 4) + little(40, 4) +
         little(static_cast<std::uint32_t>(width), 4) + little(static_cast<std::uint32_t>(height), 4) + little(1, 2) +
         little(24, 2) + std::string(28, '\0');
}

std::string tiff() {
  return "II*" + std::string(1, '\0') + little(8, 4) + little(0, 2) + little(0, 4);
}

std::string webp_lossless(std::uint32_t width, std::uint32_t height) {
  const std::uint32_t bits = (width - 1) | ((height - 1) << 14);
  return riff("WEBP", "VP8L" + little(6, 4) + "\x2f" + little(bits, 4) + std::string(1, '\0'));
}

std::string webp_extended(std::uint32_t width, std::uint32_t height) {
  return riff("WEBP", "VP8X" + little(10, 4) + little(0, 4) + little(width - 1, 3) + little(height - 1, 3));
}

std::string webp_lossy(std::uint16_t width, std::uint16_t height) {
  return riff("WEBP",
              "VP8 " + little(10, 4) + std::string("\x30\1\0\x9d\1\x2a", 6) + little(width, 2) + little(height, 2));
}

std::string iso_media(std::string_view brand, std::string_view compatible) {
  const std::string body = "ftyp" + std::string(brand) + big(0, 4) + std::string(compatible);
  return big(body.size() + 4, 4) + body + big(8, 4) + "moov";
}

std::string wav() {
  const std::string format = "fmt " + little(16, 4) + little(1, 2) + little(1, 2) + little(8000, 4) + little(16000, 4) +
                             little(2, 2) + little(16, 2);
  return riff("WAVE", format + "data" + little(2, 4) + little(0, 2));
}

std::string mp3() {
  return "\xff\xfb\x90\x64" + std::string(413, '\0');
}

std::string ogg_opus() {
  return "OggS" + std::string(22, '\0') + "\1\x13OpusHead" + std::string(11, '\1');
}

std::string docx() {
  return "PK\3\4" + std::string(22, '\0') + "[Content_Types].xml";
}

std::string pdf(std::string_view trailer_extra, std::string_view stream) {
  const std::string body = pdf_objects(stream);
  return fmt::format("{}xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 5 /Root 1 0 R{} >>\nstartxref\n{}\n%%EOF\n",
                     body, trailer_extra, body.size());
}

std::string pdf_with_reference_stream(std::string_view trailer_extra) {
  const std::string body = pdf_objects({});
  return fmt::format(
      "{}5 0 obj\n<< /Type /XRef /Size 6 /W [1 2 1] /Root 1 0 R{} /Length 4 >>\nstream\nabcd\nendstream\nendobj\n"
      "startxref\n{}\n%%EOF\n",
      body, trailer_extra, body.size());
}

std::string pdf_with_long_table(std::size_t entries, std::string_view trailer_extra) {
  const std::string body = pdf_objects({});
  std::string table = fmt::format("xref\n0 {}\n", entries);
  for (std::size_t i = 0; i < entries; ++i) table += "0000000000 65535 f \n";
  return fmt::format("{}{}trailer\n<< /Size {} /Root 1 0 R{} >>\nstartxref\n{}\n%%EOF\n", body, table, entries,
                     trailer_extra, body.size());
}

std::string html() {
  return "<!doctype html><title>404</title><p>not found";
}

std::string svg() {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\"><rect width=\"1\" height=\"1\"/></svg>";
}

}  // namespace attache::testing
