// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernel a launch is meant for, and which of its arguments.
#include "auspex/Kernel/KernelNames.h"
#include "auspex/Kernel/LaunchConfig.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"

#include <cmath>
#include <cstdlib>

using namespace auspex;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

llvm::StringRef auspex::sourceName(StringRef mangled) {
  return mangled.take_front(mangled.find("__intern__"));
}

std::string auspex::qualifiedName(StringRef mangled) {
  llvm::ItaniumPartialDemangler demangler;
  std::string name = sourceName(mangled).str();
  if (demangler.partialDemangle(name.c_str()) || !demangler.isFunction())
    return name;
  char *text = demangler.getFunctionName(nullptr, nullptr);
  std::string result = text ? text : name;
  std::free(text);
  return result;
}

/// One spelling for what means the same: no spaces but between words, no
/// suffix after a number ("k<256u>").
static std::string normalized(StringRef name) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  std::string result;
  bool inNumber = false;
  for (size_t i = 0; i < name.size(); ++i) {
    char c = name[i];
    char last = result.empty() ? ' ' : result.back();
    if (llvm::isSpace(c)) {
      size_t next = name.find_if_not(llvm::isSpace, i);
      if (next != StringRef::npos && isWord(last) && isWord(name[next]))
        result += ' ';
      i = std::min(next, name.size()) - 1;
      inNumber = false;
      continue;
    }
    if (inNumber && StringRef("uUlL").contains(c))
      continue;
    inNumber = llvm::isDigit(c) && (inNumber || !isWord(last));
    result += c;
  }
  return result;
}

/// "ns::k" for "ns::k<a::b>".
static StringRef withoutTemplateArguments(StringRef name) {
  if (!name.ends_with(">"))
    return name;
  int depth = 0;
  for (size_t i = name.size(); i-- > 0;) {
    depth += name[i] == '>' ? 1 : name[i] == '<' ? -1 : 0;
    if (depth == 0)
      return name.take_front(i);
  }
  return name;
}

/// Where the last component of "a<b::c>::k<d::e>" starts.
static size_t lastComponent(StringRef name) {
  size_t start = 0;
  int depth = 0;
  for (size_t i = 0; i + 1 < name.size(); ++i) {
    depth += StringRef("<({").contains(name[i]);
    depth -= StringRef(">)}").contains(name[i]);
    if (depth == 0 && name.substr(i, 2) == "::")
      start = i + 2;
  }
  return start;
}

/// \p name, which starts with \p scope, as code in that scope writes it.
static std::string withinScope(StringRef name, StringRef scope) {
  std::string result;
  bool startsName = true;
  while (!name.empty()) {
    if (startsName && !scope.empty() && name.consume_front(scope))
      continue;
    char c = name.front();
    startsName = !llvm::isAlnum(c) && c != '_' && c != ':';
    result += c;
    name = name.drop_front();
  }
  return result;
}

bool auspex::matches(const LaunchConfig &config, const KernelSummary &summary) {
  StringRef mangled = sourceName(summary.name);
  if (config.kernel == summary.name || config.kernel == mangled)
    return true;
  std::string wanted = normalized(config.kernel);
  if (wanted.empty())
    return false;
  if (wanted == normalized(llvm::demangle(mangled)))
    return true;
  auto fits = [&](StringRef name) {
    std::string qualified = normalized(name);
    StringRef plain = withoutTemplateArguments(qualified);
    size_t base = lastComponent(plain);
    return wanted == qualified || wanted == plain ||
           wanted == StringRef(qualified).drop_front(base) ||
           wanted == plain.drop_front(base) ||
           wanted == withinScope(qualified, plain.take_front(base));
  };
  return fits(qualifiedName(mangled)) ||
         (!summary.spelling.empty() && fits(summary.spelling));
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

std::string auspex::argumentName(const KernelSummary &summary,
                                 llvm::StringRef symbol) {
  // A choice between objects.
  if (auto [first, rest] = symbol.split('|'); !rest.empty()) {
    std::string one = argumentName(summary, first);
    std::string other = argumentName(summary, rest);
    return one.empty() || other.empty() ? "" : one + "|" + other;
  }
  if (symbol.consume_back(PointeeMark)) {
    std::string name = argumentName(summary, symbol);
    return name.empty() ? "" : name + PointeeMark;
  }
  unsigned number;
  if (!symbol.consume_front("arg") || symbol.consumeInteger(10, number) ||
      number >= summary.arguments.size())
    return "";
  const Argument &argument = summary.arguments[number];
  if (argument.name.empty() || symbol.empty())
    return argument.name;
  unsigned byte;
  if (!symbol.consume_front(".") || symbol.getAsInteger(10, byte))
    return "";
  auto member = llvm::find_if(argument.members, [&](const auto &candidate) {
    return candidate.byte == byte;
  });
  return member == argument.members.end() ? argument.name + "+" + symbol.str()
                                          : argument.name + "." + member->name;
}

static std::string argumentText(const Argument &argument, size_t index) {
  std::string symbol = "arg" + std::to_string(index);
  return argument.name.empty() ? symbol : argument.name + " (" + symbol + ")";
}

/// "; its integer arguments are n (arg0) and m (arg3)".
static std::string listArguments(Argument::Kind kind,
                                 const KernelSummary &summary) {
  std::string one = kind == Argument::Kind::Integer ? "integer argument"
                    : kind == Argument::Kind::Float ? "floating-point argument"
                                                    : "pointer";
  std::vector<std::string> texts;
  bool unnamed = false;
  for (const auto &[i, argument] : llvm::enumerate(summary.arguments)) {
    if (argument.kind == kind) {
      texts.push_back(argumentText(argument, i));
      unnamed |= argument.name.empty();
    }
    for (const Argument::Member &member : argument.members)
      if (member.kind == kind && !argument.name.empty())
        texts.push_back(argument.name + "." + member.name);
  }
  if (texts.empty())
    return "; it has no " + one;
  std::string text = "; its " + one + (texts.size() == 1 ? " is " : "s are ");
  for (size_t i = 0; i < texts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == texts.size() ? " and " : ", ") + texts[i];
  if (unnamed)
    text += " (the compiler dropped the names)";
  return text;
}

namespace {

/// What a stated argument means: argument number and, in a struct, the byte.
struct ArgumentPlace {
  unsigned index = 0;
  std::optional<unsigned> byte;

  std::string symbol() const {
    std::string text = "arg" + std::to_string(index);
    return byte ? text + "." + std::to_string(*byte) : text;
  }
};

} // namespace

/// Symbol ("arg2", "arg2.8"), then position, then parameter name.
static std::optional<ArgumentPlace> findArgument(StringRef name,
                                                 const KernelSummary &summary) {
  ArgumentPlace place;
  StringRef rest = name;
  bool isSymbol = rest.consume_front("arg");
  if (!rest.empty() && llvm::isDigit(rest[0]) &&
      !rest.consumeInteger(10, place.index)) {
    unsigned byte;
    if (isSymbol && rest.consume_front(".") && !rest.consumeInteger(10, byte))
      place.byte = byte;
    if (rest.empty() && place.index < summary.arguments.size())
      return place;
  }
  for (size_t i = 0; i < summary.arguments.size(); ++i)
    if (const Argument &argument = summary.arguments[i];
        !argument.name.empty() && name.starts_with(argument.name)) {
      StringRef rest = name.drop_front(argument.name.size());
      if (rest.empty())
        return ArgumentPlace{static_cast<unsigned>(i), std::nullopt};
      for (const Argument::Member &member : argument.members)
        if (rest == "." + member.name)
          return ArgumentPlace{static_cast<unsigned>(i), member.byte};
    }
  return std::nullopt;
}

static bool isFloat(const ArgumentPlace &place, const KernelSummary &summary) {
  return summary.arguments[place.index].kind == Argument::Kind::Float &&
         !place.byte;
}

/// Why \p place is no floating-point number; empty if it is one, or may be.
static std::string floatProblem(const ArgumentPlace &place,
                                const KernelSummary &summary) {
  const Argument &argument = summary.arguments[place.index];
  bool isMember = argument.kind == Argument::Kind::Struct && place.byte &&
                  *place.byte < argument.sizeInBytes;
  return isFloat(place, summary) || isMember ? ""
         : argument.kind == Argument::Kind::Integer && !place.byte
             ? "it is an integer"
             : "it is no floating-point number" +
                   listArguments(Argument::Kind::Float, summary);
}

/// Why \p place is no integer that can be \p value; empty if it is one.
static std::string argumentProblem(const ArgumentPlace &place, int64_t value,
                                   const KernelSummary &summary) {
  const Argument &argument = summary.arguments[place.index];
  if (argument.kind == Argument::Kind::Struct) {
    if (!place.byte)
      return argument.members.empty()
                 ? "it is a struct; state its integers by their byte: " +
                       place.symbol() + ".0"
                 : "it is a struct; state its members" +
                       listArguments(Argument::Kind::Integer, summary);
    return *place.byte < argument.sizeInBytes
               ? ""
               : "the struct has " + std::to_string(argument.sizeInBytes) +
                     " bytes";
  }
  if (argument.kind != Argument::Kind::Integer || place.byte) {
    llvm::StringRef what =
        argument.kind == Argument::Kind::Pointer ? "a pointer" : "no struct";
    return "it is " + what.str() +
           listArguments(Argument::Kind::Integer, summary);
  }
  unsigned bits = 8 * argument.sizeInBytes;
  if (bits < 64 && !llvm::isIntN(bits, value) && !llvm::isUIntN(bits, value))
    return std::to_string(value) + " does not fit its " +
           std::to_string(argument.sizeInBytes) + " bytes";
  return "";
}

static std::string unknownArgument(llvm::StringRef name, Argument::Kind kind,
                                   const KernelSummary &summary) {
  std::string text = "the kernel has no such argument";
  for (llvm::StringRef key :
       {"grid", "block", "shared", "registers", "maxBlocksPerSM", "warmL2"})
    if (name == key)
      text += " (" + name.str() + ":... with a colon sets the launch's)";
  bool hasFloats =
      llvm::any_of(summary.arguments, [](const Argument &argument) {
        return argument.kind == Argument::Kind::Float;
      });
  return text + listArguments(kind, summary) +
         (kind == Argument::Kind::Integer && hasFloats
              ? listArguments(Argument::Kind::Float, summary)
              : "");
}

/// Why \p place is no pointer; empty if it is one, or may be.
static std::string objectProblem(const ArgumentPlace &place,
                                 const KernelSummary &summary) {
  const Argument &argument = summary.arguments[place.index];
  if (argument.kind == Argument::Kind::Struct)
    return !place.byte ? "it is a struct; state the sizes of objects by the "
                         "byte of the pointer: " +
                             place.symbol() + ".0"
           : *place.byte < argument.sizeInBytes
               ? ""
               : "the struct has " + std::to_string(argument.sizeInBytes) +
                     " bytes";
  return argument.kind == Argument::Kind::Pointer && !place.byte
             ? ""
             : "it is no pointer" +
                   listArguments(Argument::Kind::Pointer, summary);
}

/// A symbol of the grid that is no argument of the kernel; empty if all are.
static std::string unknownInGrid(const LaunchConfig &config,
                                 const KernelSummary &summary) {
  std::string unknown;
  if (config.gridOfArguments)
    for (const Expr &axis : config.gridOfArguments->value)
      axis.forEachSymbol([&](StringRef symbol) {
        std::optional<ArgumentPlace> place = findArgument(symbol, summary);
        if (!isOfGPU(symbol) && (!place || place->symbol() != symbol))
          unknown = symbol.str();
      });
  return unknown;
}

llvm::Expected<LaunchConfig>
auspex::resolveArguments(const LaunchConfig &config,
                         const KernelSummary &summary) {
  LaunchConfig result = config;
  if (std::string symbol = unknownInGrid(config, summary); !symbol.empty())
    return makeInputError(
        {config.location.file, config.location.line,
         qualifiedName(summary.name) + ": gridOfArguments: " + symbol},
        "the kernel has no argument of this symbol" +
            listArguments(Argument::Kind::Integer, summary));
  auto resolve = [&](const auto &stated, auto &resolved, Argument::Kind kind,
                     auto problemOf) -> llvm::Error {
    resolved.clear();
    for (const auto &[name, value] : stated) {
      auto error = [&, &name = name](const llvm::Twine &message) {
        return makeInputError({config.location.file, config.location.line,
                               qualifiedName(summary.name) + ": " + name},
                              message);
      };
      std::optional<ArgumentPlace> place = findArgument(name, summary);
      if (!place)
        return error(unknownArgument(name, kind, summary));
      std::string problem = problemOf(*place, value.value);
      if (!problem.empty())
        return error(problem);
      if (!resolved.try_emplace(place->symbol(), value).second)
        return error("the argument is given twice, as " + place->symbol() +
                     " too; remove one");
    }
    return llvm::Error::success();
  };
  auto integerProblem = [&](const ArgumentPlace &place, int64_t value) {
    return argumentProblem(place, value, summary);
  };
  auto pointerProblem = [&](const ArgumentPlace &place, uint64_t) {
    return objectProblem(place, summary);
  };
  // Floating-point arguments may be stated as integers, and the other way.
  auto stated = config.arguments;
  auto floats = config.floatArguments;
  std::erase_if(floats, [&](const auto &argument) {
    std::optional<ArgumentPlace> place = findArgument(argument.first, summary);
    double value = argument.second.value;
    if (!place || place->byte ||
        summary.arguments[place->index].kind != Argument::Kind::Integer ||
        value != std::floor(value) || std::abs(value) >= 9e15)
      return false;
    stated[argument.first] = {static_cast<int64_t>(value),
                              argument.second.origin};
    return true;
  });
  std::erase_if(stated, [&](const auto &argument) {
    std::optional<ArgumentPlace> place = findArgument(argument.first, summary);
    if (!place || !isFloat(*place, summary))
      return false;
    floats[argument.first] = {static_cast<double>(argument.second.value),
                              argument.second.origin};
    return true;
  });
  auto numberProblem = [&](const ArgumentPlace &place, double) {
    return floatProblem(place, summary);
  };
  if (llvm::Error error = resolve(stated, result.arguments,
                                  Argument::Kind::Integer, integerProblem))
    return error;
  if (llvm::Error error = resolve(floats, result.floatArguments,
                                  Argument::Kind::Integer, numberProblem))
    return error;
  if (llvm::Error error = resolve(config.objectsInBytes, result.objectsInBytes,
                                  Argument::Kind::Pointer, pointerProblem))
    return error;
  return result;
}
