// SPDX-License-Identifier: Apache-2.0
#include "inputs/content/content.hpp"
#include "inputs/content/pdf_dictionary.hpp"
#include "support/bench.hpp"
#include "support/media.hpp"

namespace attache::testing {
namespace {

using input::Kind;

std::string_view reason(const std::string& content) {
  const auto fault = inputs::check_pdf(inputs::MemoryView(as_bytes(content)));
  return fault ? fault->reason : "good";
}

constexpr std::string_view lock = " /Encrypt << /Filter /Standard /V 2 /O (abc) /U (def) >>";

TEST(Pdf, TheEndMarkerMustBeNearTheEnd) {
  EXPECT_EQ(reason(pdf()), "good");
  EXPECT_EQ(reason(pdf() + std::string(3000, '\0')), "good");
  EXPECT_EQ(reason(pdf() + std::string(900, 'x')), "good");
  EXPECT_EQ(reason(pdf() + std::string(2000, 'x')), "pdf_truncated");
  EXPECT_EQ(reason("%PDF-1.7\n"), "pdf_truncated");
  EXPECT_EQ(reason(pdf().substr(0, pdf().size() - 7)), "pdf_truncated");
}

TEST(Pdf, ALockIsFoundInEveryFormOfTrailer) {
  EXPECT_EQ(reason(pdf(lock)), "pdf_encrypted");
  EXPECT_EQ(reason(pdf(" /Encrypt 9 0 R")), "pdf_encrypted");
  EXPECT_EQ(reason(pdf_with_reference_stream(lock)), "pdf_encrypted");
  EXPECT_EQ(reason(pdf_with_reference_stream()), "good");
  EXPECT_EQ(reason(pdf_with_long_table(6000, lock)), "pdf_encrypted");
  EXPECT_EQ(reason(pdf_with_long_table(6000)), "good");
}

TEST(Pdf, TheWordAloneIsNoLock) {
  EXPECT_EQ(reason(pdf({}, "(trailer << /Encrypt 1 0 R >>) Tj")), "good");
  EXPECT_EQ(reason(pdf({}, "trailer << /Encrypt 1 0 R >>")), "good");
  EXPECT_EQ(reason(pdf(" /Info << /Encrypt true >>")), "good");
  EXPECT_EQ(reason(pdf(" /ID [(/Encrypt) </Encrypt>]")), "good");
  EXPECT_EQ(reason(pdf(" % /Encrypt 1 0 R\n")), "good");
  EXPECT_EQ(reason(pdf(" /EncryptMetadata false")), "good");
}

TEST(Pdf, DamagedTrailersAreNotTakenForLocks) {
  const std::string whole = pdf(lock);
  const auto place = whole.rfind("startxref") + 10;
  EXPECT_EQ(reason(whole.substr(0, place) + "99999999999999999999\n%%EOF\n"), "good");
  EXPECT_EQ(reason(whole.substr(0, place) + "x\n%%EOF\n"), "good");
  EXPECT_EQ(reason("%PDF-1.4\nstartxref\n0\n%%EOF"), "good");
  EXPECT_EQ(reason("%%EOF"), "good");
}

TEST(PdfDictionary, KeysOfTheOuterLevelOnly) {
  const auto has = [](std::string_view text) { return inputs::pdf_dictionary_has(text, "K"); };
  EXPECT_TRUE(has("<</K 1>>"));
  EXPECT_TRUE(has("<</A (\\)>>)/K 1>>"));
  EXPECT_TRUE(has("<</A (a(b)c) /B <0a> /C << /D 1 >> /K[1]>>"));
  EXPECT_FALSE(has("<</A<</K 1>>>>"));
  EXPECT_FALSE(has("<</A 1>> /K 1"));
  EXPECT_FALSE(has("/K 1"));
  EXPECT_FALSE(has("<< (/K"));
  EXPECT_FALSE(has("<< /"));
  EXPECT_FALSE(has(""));
}

using PdfTest = InputsTest;

TEST_F(PdfTest, R_B2_TextThatCallsItselfPdf) {
  const std::string page = html(), fake = "%PDF-1.7\n", whole = pdf();
  expect_refusal({input::from_path(Kind::file, file("a.pdf", page)).media_type("application/pdf")}, errc::input_invalid,
                 "media_type_mismatch");
  expect_refusal({bytes(Kind::file, "application/pdf", fake)}, errc::input_invalid, "pdf_truncated");
  expect_delivered(bytes(Kind::file, "application/pdf", whole), whole);
}

TEST_F(PdfTest, R_B3_LockedPdf) {
  const std::string locked = pdf(lock), open = pdf({}, "BT (/Encrypt) Tj ET");
  expect_refusal({bytes(Kind::file, "application/pdf", locked)}, errc::input_invalid, "pdf_encrypted");
  expect_delivered(bytes(Kind::file, "application/pdf", open), open);
}

}  // namespace
}  // namespace attache::testing
