// SPDX-License-Identifier: Apache-2.0
#include "canary/writer.hpp"

namespace attache::conformance {
namespace {

void framed(CanaryJob& job, const std::string& head, const std::string& tail, bool lines) {
  job.out.put(head);
  job.out.fill_hex(job.room(tail.size()), job.random, lines);
  job.out.put(tail);
}

}  // namespace

void make_plain(CanaryJob& job) {
  // Everything a JSON string must escape, and text of one to four bytes a character.
  framed(job,
         "Canary " + job.mark + "\nquote \" backslash \\ tab \t return \r\n\xc3\xa9 \xe6\xbc\xa2 \xf0\x9f\x90\xa6\n",
         "\n", true);
}

void make_csv(CanaryJob& job) {
  framed(job, "id,value\n1," + job.mark + "\n2,\"a \"\"quoted\"\" one\"\n3,", "\n", true);
}

void make_markdown(CanaryJob& job) {
  framed(job, "# Canary\n\n`" + job.mark + "`\n\n```\n", "\n```\n", true);
}

void make_html(CanaryJob& job) {
  framed(job, "<!DOCTYPE html>\n<html><head><title>Canary</title></head><body><p>" + job.mark + "</p><pre>\n",
         "\n</pre></body></html>\n", true);
}

void make_json(CanaryJob& job) {
  framed(job, "{\"mark\": \"" + job.mark + "\", \"data\": \"", "\"}\n", false);
}

}  // namespace attache::conformance
