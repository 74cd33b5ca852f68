// SPDX-License-Identifier: Apache-2.0
// Base64 in steps of 32 characters, after W. Mula and D. Lemire, "Faster Base64 Encoding and Decoding Using AVX2
// Instructions" (ACM Transactions on the Web 12:3, 2018).
#include "base64_avx2.hpp"

#include <immintrin.h>

namespace attache::sdk {
namespace {

__m256i load_half_pair(const std::uint8_t* in) {
  const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in));
  const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + 12));
  return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

// Three bytes become four values of six bits, one a byte.
__m256i split(__m256i bytes) {
  const __m256i order = _mm256_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10,  //
                                         1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10);
  const __m256i groups = _mm256_shuffle_epi8(bytes, order);
  const __m256i first_third =
      _mm256_mulhi_epu16(_mm256_and_si256(groups, _mm256_set1_epi32(0x0fc0fc00)), _mm256_set1_epi32(0x04000040));
  const __m256i second_fourth =
      _mm256_mullo_epi16(_mm256_and_si256(groups, _mm256_set1_epi32(0x003f03f0)), _mm256_set1_epi32(0x01000010));
  return _mm256_or_si256(first_third, second_fourth);
}

// The alphabet has five runs; each value gets the distance from it to its character.
__m256i to_characters(__m256i values) {
  const __m256i distances = _mm256_setr_epi8('a' - 26, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52,
                                             '0' - 52, '0' - 52, '0' - 52, '0' - 52, '+' - 62, '/' - 63, 'A', 0, 0,  //
                                             'a' - 26, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52,
                                             '0' - 52, '0' - 52, '0' - 52, '0' - 52, '+' - 62, '/' - 63, 'A', 0, 0);
  const __m256i upper = _mm256_cmpgt_epi8(_mm256_set1_epi8(26), values);
  const __m256i run =
      _mm256_or_si256(_mm256_subs_epu8(values, _mm256_set1_epi8(51)), _mm256_and_si256(upper, _mm256_set1_epi8(13)));
  return _mm256_add_epi8(values, _mm256_shuffle_epi8(distances, run));
}

// Four values of six bits become three bytes; 24 bytes, then 8 of zero.
__m256i join(__m256i values) {
  const __m256i pairs = _mm256_maddubs_epi16(values, _mm256_set1_epi32(0x01400140));
  const __m256i groups = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00011000));
  const __m256i order = _mm256_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1,  //
                                         2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1);
  const __m256i halves = _mm256_shuffle_epi8(groups, order);
  return _mm256_permutevar8x32_epi32(halves, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7));
}

}  // namespace

std::size_t base64_encode_avx2(const std::uint8_t* in, std::size_t size, char* out) noexcept {
  std::size_t at = 0;
  for (; size - at >= 28; at += 24, out += 32) {  // 28 are read, 24 used
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), to_characters(split(load_half_pair(in + at))));
  }
  return at;
}

std::size_t base64_decode_avx2(const unsigned char* in, std::size_t size, std::uint8_t* out) noexcept {
  // One bit for each reason a character with this low or high half may be foreign; foreign when both have one.
  const __m256i low_faults = _mm256_setr_epi8(
      0x15, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x13, 0x1a, 0x1b, 0x1b, 0x1b, 0x1a,  //
      0x15, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x13, 0x1a, 0x1b, 0x1b, 0x1b, 0x1a);
  const __m256i high_faults = _mm256_setr_epi8(
      0x10, 0x10, 0x01, 0x02, 0x04, 0x08, 0x04, 0x08, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10,  //
      0x10, 0x10, 0x01, 0x02, 0x04, 0x08, 0x04, 0x08, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10);
  const __m256i distances = _mm256_setr_epi8(0, 16, 19, 4, -65, -65, -71, -71, 0, 0, 0, 0, 0, 0, 0, 0,  //
                                             0, 16, 19, 4, -65, -65, -71, -71, 0, 0, 0, 0, 0, 0, 0, 0);
  const __m256i slash = _mm256_set1_epi8(0x2f);
  std::size_t at = 0;
  for (; size - at >= 44; at += 32, out += 24) {  // 32 bytes are written, 24 are meant
    const __m256i text = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + at));
    const __m256i high = _mm256_and_si256(_mm256_srli_epi32(text, 4), slash);
    const __m256i low = _mm256_and_si256(text, slash);
    const __m256i faults = _mm256_shuffle_epi8(low_faults, low);
    if (_mm256_testz_si256(faults, _mm256_shuffle_epi8(high_faults, high)) == 0) break;
    const __m256i run = _mm256_add_epi8(_mm256_cmpeq_epi8(text, slash), high);
    const __m256i values = _mm256_add_epi8(text, _mm256_shuffle_epi8(distances, run));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), join(values));
  }
  return at;
}

}  // namespace attache::sdk
