// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TrafficCount.h"
#include "auspex/Kernel/KernelNames.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

using namespace auspex;

std::vector<ObjectTraffic> auspex::textureTraffic(const BoundKernel &kernel) {
  constexpr double TexelInBytes = 4;
  std::vector<ObjectTraffic> textures;
  std::vector<double> fetches;
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses)) {
    if (access.space != MemorySpace::Texture || bound.counts.requests == 0)
      continue;
    size_t place = 0;
    while (place < textures.size() && textures[place].name != access.base)
      ++place;
    if (place == textures.size()) {
      textures.push_back(
          {access.base, argumentName(*kernel.summary, access.base)});
      textures.back().isKnown = false;
      fetches.push_back(0);
    }
    ObjectTraffic &object = textures[place];
    double bytes = bound.counts.lanes * access.bytesPerLane;
    if (access.kind == AccessKind::Load) {
      object.usefulLoadInBytes += bytes;
      object.requestedLoadInBytes += bytes;
      fetches[place] += bound.counts.requests;
    } else {
      for (auto member :
           {&ObjectTraffic::usefulStoreInBytes,
            &ObjectTraffic::requestedStoreInBytes,
            &ObjectTraffic::l2StoreInBytes, &ObjectTraffic::dramStoreInBytes})
        object.*member += bytes;
    }
  }
  double all = std::accumulate(fetches.begin(), fetches.end(), 0.0);
  if (all == 0)
    return textures;
  double missed =
      std::min(kernel.warps(), all) * LaunchShape::WarpSize * TexelInBytes;
  for (auto [i, share] : llvm::enumerate(fetches)) {
    ObjectTraffic &object = textures[i];
    object.l2LoadInBytes = object.dramLoadInBytes = missed * share / all;
  }
  return textures;
}
