// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "UsedMemory.h"

#include "auspex/Kernel/MemoryLimits.h"
#include "clang/AST/Decl.h"

#include <algorithm>
#include <set>

using namespace auspex;

/// Whether one object alone has the name: a variable has, or a member of one.
static bool isOfOne(const Name &name) {
  return llvm::isa<clang::VarDecl>(name.object ? name.object : name.declared) &&
         !llvm::isa<clang::ParmVarDecl>(name.declared);
}

void UsedMemory::note(const clang::Expr &call, unsigned way,
                      llvm::ArrayRef<UsedObject> objects) {
  Objects &known = ofCalls[&call];
  for (const UsedObject &object : objects) {
    Key key{object.name.key(), way};
    if (!object.name)
      key = {{}, way, &call, object.symbol};
    else if (isOfOne(object.name))
      key = {object.name.key()};
    auto [entry, isNew] = known.try_emplace(std::move(key), object.bytes);
    if (!isNew)
      entry->second =
          entry->second && object.bytes
              ? std::optional(std::max(*entry->second, *object.bytes))
              : std::nullopt;
  }
}

void UsedMemory::noteAllocation(const Name &name, uint64_t bytes) {
  uint64_t &most = allocations[name.declared];
  most = std::max(most, bytes);
}

std::optional<uint64_t>
UsedMemory::bytesBeside(const clang::Expr &call,
                        llvm::ArrayRef<const clang::Expr *> others) const {
  std::set<decltype(Key::name)> own;
  if (auto entry = ofCalls.find(&call); entry != ofCalls.end())
    for (const auto &[key, bytes] : entry->second)
      if (key.name.second)
        own.insert(key.name);
  std::map<Key, uint64_t> beside;
  for (const clang::Expr *other : others) {
    auto entry = ofCalls.find(other);
    if (entry == ofCalls.end())
      return std::nullopt;
    for (const auto &[key, bytes] : entry->second) {
      if (own.contains(key.name))
        continue;
      auto allocated = allocations.find(key.name.second);
      if (!bytes && allocated == allocations.end())
        return std::nullopt;
      uint64_t &most = beside[key];
      most = std::max(most, bytes ? *bytes : allocated->second);
      if (most > MostBytes)
        return std::nullopt;
    }
  }
  uint64_t sum = 0;
  for (const auto &[key, bytes] : beside)
    sum += bytes;
  return sum;
}
