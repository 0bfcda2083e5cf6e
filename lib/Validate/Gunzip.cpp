// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Gunzip.h"

#include "llvm/ADT/ScopeExit.h"

#include <zlib.h>

std::optional<std::string> auspex::gunzip(llvm::StringRef bytes) {
  constexpr size_t Most = size_t(1) << 30, Step = 1 << 16;
  // 32 lets zlib find out which header there is.
  constexpr int AnyHeader = MAX_WBITS + 32;
  z_stream stream{};
  if (bytes.size() > Most || inflateInit2(&stream, AnyHeader) != Z_OK)
    return std::nullopt;
  llvm::scope_exit end([&] { inflateEnd(&stream); });
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string text;
  while (text.size() < Most) {
    size_t before = text.size();
    text.resize(before + Step);
    stream.next_out = reinterpret_cast<Bytef *>(text.data() + before);
    stream.avail_out = Step;
    int state = inflate(&stream, Z_NO_FLUSH);
    text.resize(text.size() - stream.avail_out);
    if (state == Z_STREAM_END && stream.avail_in == 0)
      return text;
    if (state == Z_STREAM_END)
      state = inflateReset(&stream);
    if (state != Z_OK)
      return std::nullopt;
  }
  return std::nullopt;
}
