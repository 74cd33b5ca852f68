// SPDX-License-Identifier: Apache-2.0
#include "inputs/reader_source.hpp"

namespace attache::inputs {

std::unique_ptr<Source> open_with(const input::Opener& open, const std::stop_token& stop) {
  return open_reader([&] { return open(stop); }, {});
}

}  // namespace attache::inputs
