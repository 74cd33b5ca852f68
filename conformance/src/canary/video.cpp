// SPDX-License-Identifier: Apache-2.0
// Containers without a picture in them: enough for whoever looks at headers, and carriers of random bytes.
#include "canary/writer.hpp"

namespace attache::conformance {
namespace {

using namespace std::string_literals;

std::string box(std::string_view type, std::string_view data) {
  return big32(static_cast<std::uint32_t>(8 + data.size())) + std::string(type) + std::string(data);
}

void base_media(CanaryJob& job, std::string_view brand, std::string_view compatible) {
  const std::string header = big32(0) + big32(0) + big32(0) + big32(1000) + big32(0) + big32(0x00010000) +
                             big16(0x0100) + std::string(10, '\0') + big32(0x00010000) + std::string(12, '\0') +
                             big32(0x00010000) + std::string(12, '\0') + big32(0x40000000) + std::string(24, '\0') +
                             big32(1);
  job.out.put(box("ftyp", std::string(brand) + big32(512) + std::string(compatible)));
  job.out.put(box("moov", box("mvhd", header)));
  const std::uint64_t padding = job.room(8 + job.mark.size());
  job.out.put(big32(static_cast<std::uint32_t>(8 + job.mark.size() + padding)) + "mdat" + job.mark);
  job.out.fill(padding, job.random);
}

/// An EBML element with a size field of eight bytes.
std::string element_head(std::string_view id, std::uint64_t size) {
  return std::string(id) + '\x01' + big32(static_cast<std::uint32_t>(size >> 32u)).substr(1) +
         big32(static_cast<std::uint32_t>(size));
}
std::string element(std::string_view id, std::string_view data) {
  return element_head(id, data.size()) + std::string(data);
}

}  // namespace

void make_mp4(CanaryJob& job) {
  base_media(job, "isom", "isomiso2mp41");
}
void make_m4a(CanaryJob& job) {
  base_media(job, "M4A ", "M4A mp42isom");
}
void make_mov(CanaryJob& job) {
  base_media(job, "qt  ", "qt  ");
}

void make_webm(CanaryJob& job) {
  const std::string track = element("\xd7", "\x01") + element("\x73\xc5", "\x01") + element("\x83", "\x01") +
                            element("\x86", "V_VP8") +
                            element("\xe0", element("\xb0", "\x10") + element("\xba", "\x10"));
  const std::string body =
      element("\x15\x49\xa9\x66", element("\x2a\xd7\xb1", "\x0f\x42\x40"s) + element("\x4d\x80", "attache") +
                                      element("\x57\x41", "attache")) +
      element("\x16\x54\xae\x6b", element("\xae", track));
  job.out.put(element("\x1a\x45\xdf\xa3", element("\x42\x86", "\x01") + element("\x42\xf7", "\x01") +
                                              element("\x42\xf2", "\x04") + element("\x42\xf3", "\x08") +
                                              element("\x42\x82", "webm") + element("\x42\x87", "\x02") +
                                              element("\x42\x85", "\x02")));
  constexpr std::uint64_t head = 12;  // identifier of four bytes, size of eight
  const std::uint64_t padding = job.room(head + body.size() + 9 + job.mark.size());
  const std::uint64_t padded = job.mark.size() + padding;
  job.out.put(element_head("\x18\x53\x80\x67", body.size() + 9 + padded) + body + element_head("\xec", padded) +
              job.mark);
  job.out.fill(padding, job.random);
}

}  // namespace attache::conformance
