// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <fmt/format.h>

#include "canary/writer.hpp"

namespace attache::conformance {

void make_pdf(CanaryJob& job) {
  CanaryWriter& out = job.out;
  std::vector<std::uint64_t> offsets;
  const auto begin_object = [&] {
    offsets.push_back(out.size());
    out.put(fmt::format("{} 0 obj\n", offsets.size()));
  };
  const auto object = [&](const std::string& body) {
    begin_object();
    out.put(body + "\nendobj\n");
  };
  out.put("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n");
  object("<< /Type /Catalog /Pages 2 0 R >>");
  object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
  object(
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 100] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>");
  const std::string page = fmt::format("BT /F1 12 Tf 20 50 Td (canary {:016x}) Tj ET", job.random.next());
  object(fmt::format("<< /Length {} >>\nstream\n{}\nendstream", page.size(), page));
  object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");

  const std::string close = "\nendstream\nendobj\n";
  const auto stream_head = [](std::uint64_t length) { return fmt::format("<< /Length {:010} >>\nstream\n", length); };
  const auto end = [&](std::uint64_t xref) {
    std::string text = "xref\n0 7\n0000000000 65535 f \n";
    for (const std::uint64_t offset : offsets) {
      text += fmt::format("{:010} 00000 n \n", offset);
    }
    return text + fmt::format("trailer\n<< /Size 7 /Root 1 0 R >>\nstartxref\n{:010}\n%%EOF\n", xref);
  };
  begin_object();
  const std::uint64_t padding = job.room(stream_head(0).size() + job.mark.size() + close.size() + end(0).size());
  out.put(stream_head(job.mark.size() + padding));
  out.put(job.mark);
  out.fill(padding, job.random);
  out.put(close);
  out.put(end(out.size()));
}

}  // namespace attache::conformance
