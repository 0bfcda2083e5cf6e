// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Kernel/LaunchJSON.h"

#include "auspex/Support/Json.h"

using namespace auspex;
using llvm::json::OStream;

void auspex::writeDim3(OStream &out, llvm::StringRef key,
                       const std::optional<Stated<Dim3>> &size) {
  if (!size)
    return;
  out.attributeArray(key, [&] {
    for (unsigned i = 0; i < 3; ++i)
      out.value(size->value[i]);
  });
}

void auspex::writeArguments(OStream &out, const LaunchConfig &launch) {
  out.attributeObject("args", [&] {
    for (const auto &[name, argument] : launch.arguments)
      out.attribute(name, argument.value);
    for (const auto &[name, argument] : launch.floatArguments)
      writeFloat(out, name, argument.value);
  });
}

void auspex::writeL2State(OStream &out, const LaunchConfig &launch) {
  if (launch.warmL2)
    out.attribute("warmL2", launch.warmL2->value);
  if (launch.bytesBetween)
    out.attribute("bytesBetween", launch.bytesBetween);
}

void auspex::writeLaunch(OStream &out, const LaunchConfig &launch) {
  out.attributeObject("launch", [&] {
    writeDim3(out, "grid", launch.grid);
    writeDim3(out, "block", launch.block);
    out.attribute("dynamicShared",
                  launch.dynamicShared
                      ? static_cast<int64_t>(launch.dynamicShared->value)
                      : 0);
    writeArguments(out, launch);
    writeL2State(out, launch);
    out.attribute("origin", toString(launch.origin()));
    if (launch.location.isKnown()) {
      writeText(out, "file", launch.location.file);
      out.attribute("line", launch.location.line);
    }
  });
}
