// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which arguments of its kernel a launch states.
#include "auspex/Kernel/KernelNames.h"
#include "auspex/Kernel/LaunchConfig.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"

#include <cmath>

using namespace auspex;
using llvm::StringRef;

namespace {

/// An argument or a variable, or a part of one.
struct ArgumentPlace {
  const Argument *argument = nullptr;
  /// "arg2", "@name".
  std::string root;
  /// In a struct or a variable.
  std::optional<unsigned> byte = std::nullopt;

  std::string symbol() const {
    return byte ? root + "." + std::to_string(*byte) : root;
  }
  bool isVariable() const { return root.front() == '@'; }
  /// Whether it is no part of what has parts.
  bool isWhole() const {
    return isVariable() ? argument->kind != Argument::Kind::Struct && byte == 0
                        : !byte;
  }
  bool isOf(Argument::Kind kind) const {
    return argument->kind == kind && isWhole();
  }
  bool isInStruct() const {
    return argument->kind == Argument::Kind::Struct && byte;
  }
};

} // namespace

/// What the source calls all of an argument or a variable; empty if it is not
/// known.
static std::string nameOf(const Argument &argument, bool isVariable) {
  return isVariable ? llvm::demangle(argument.name) : argument.name;
}

static std::string nameOf(const std::string &whole,
                          const Argument::Member &member) {
  bool isElement = llvm::StringRef(member.name).starts_with("[");
  return whole + (isElement ? "" : ".") + member.name;
}

/// The place of "arg2", "arg2.8" or "@name.8".
static std::optional<ArgumentPlace> findSymbol(StringRef symbol,
                                               const KernelSummary &summary) {
  auto [root, rest] =
      symbol.starts_with("@") ? symbol.rsplit('.') : symbol.split('.');
  ArgumentPlace place{nullptr, root.str()};
  unsigned byte, number;
  if (!rest.empty() && rest.getAsInteger(10, byte))
    return std::nullopt;
  if (!rest.empty())
    place.byte = byte;
  if (root.consume_front("@")) {
    auto variable =
        llvm::find_if(summary.variables, [&](const Argument &candidate) {
          return candidate.name == root;
        });
    if (variable != summary.variables.end() && place.byte)
      place.argument = &*variable;
  } else if (root.consume_front("arg") && !root.getAsInteger(10, number) &&
             number < summary.arguments.size()) {
    place.argument = &summary.arguments[number];
  }
  return place.argument ? std::optional(place) : std::nullopt;
}

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
  std::optional<ArgumentPlace> place = findSymbol(symbol, summary);
  std::string name = place ? nameOf(*place->argument, place->isVariable()) : "";
  if (name.empty() || place->isWhole())
    return name;
  auto member =
      llvm::find_if(place->argument->members, [&](const auto &candidate) {
        return candidate.byte == *place->byte;
      });
  return member == place->argument->members.end()
             ? name + "+" + std::to_string(*place->byte)
             : nameOf(name, *member);
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
  auto addMembers = [&](const Argument &argument, const std::string &name) {
    for (const Argument::Member &member : argument.members)
      if (member.kind == kind && !name.empty())
        texts.push_back(nameOf(name, member));
  };
  for (const auto &[i, argument] : llvm::enumerate(summary.arguments)) {
    if (argument.kind == kind) {
      texts.push_back(argumentText(argument, i));
      unnamed |= argument.name.empty();
    }
    addMembers(argument, argument.name);
  }
  for (const Argument &variable : summary.variables) {
    std::string name = nameOf(variable, /*isVariable=*/true);
    if (variable.kind == kind)
      texts.push_back("the variable " + name);
    addMembers(variable, name);
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

/// The place of \p name in \p argument, which the source calls \p whole; none
/// if it is no part of that.
static std::optional<ArgumentPlace> findPart(StringRef name, StringRef whole,
                                             const Argument &argument,
                                             const std::string &root) {
  bool isVariable = root.front() == '@';
  if (whole.empty() || !name.consume_front(whole))
    return std::nullopt;
  if (name.empty()) {
    ArgumentPlace place{&argument, root};
    if (isVariable && argument.kind != Argument::Kind::Struct)
      place.byte = 0;
    return place;
  }
  for (const Argument::Member &member : argument.members)
    if (name == nameOf("", member))
      return ArgumentPlace{&argument, root, member.byte};
  return std::nullopt;
}

/// Symbol ("arg2", "arg2.8"), then position, then the name of a parameter or a
/// variable.
static std::optional<ArgumentPlace> findArgument(StringRef name,
                                                 const KernelSummary &summary) {
  bool isPosition = !name.empty() && llvm::all_of(name, llvm::isDigit);
  if (auto place =
          findSymbol(isPosition ? "arg" + name.str() : name.str(), summary))
    return place;
  for (const auto &[i, argument] : llvm::enumerate(summary.arguments))
    if (auto place =
            findPart(name, argument.name, argument, "arg" + std::to_string(i)))
      return place;
  for (const Argument &variable : summary.variables) {
    std::string qualified = nameOf(variable, /*isVariable=*/true);
    StringRef plain = StringRef(qualified).drop_front(lastComponent(qualified));
    for (StringRef whole : {StringRef(qualified), plain})
      if (auto place = findPart(name, whole, variable, "@" + variable.name))
        return place;
  }
  return std::nullopt;
}

/// Why \p place is no floating-point number; empty if it is one, or may be.
static std::string floatProblem(const ArgumentPlace &place,
                                const KernelSummary &summary) {
  bool isMember =
      place.isInStruct() && *place.byte < place.argument->sizeInBytes;
  return place.isOf(Argument::Kind::Float) || isMember ? ""
         : place.isOf(Argument::Kind::Integer)
             ? "it is an integer"
             : "it is no floating-point number" +
                   listArguments(Argument::Kind::Float, summary);
}

/// Why a part of \p place, a struct, is not there; empty if it is.
static std::string problemInStruct(const ArgumentPlace &place,
                                   llvm::StringRef what, Argument::Kind kind,
                                   const KernelSummary &summary) {
  if (place.byte)
    return *place.byte < place.argument->sizeInBytes
               ? ""
               : "the struct has " +
                     std::to_string(place.argument->sizeInBytes) + " bytes";
  std::string first = place.root + ".0";
  return place.argument->members.empty()
             ? "it is a struct; state " + what.str() + ": " + first
             : "it is a struct; state its members" +
                   listArguments(kind, summary);
}

/// Why \p place is no integer that can be \p value, nor a pointer that is null;
/// empty if it is one.
static std::string argumentProblem(const ArgumentPlace &place, int64_t value,
                                   const KernelSummary &summary) {
  const Argument &argument = *place.argument;
  if (argument.kind == Argument::Kind::Struct)
    return problemInStruct(place, "its integers by their byte",
                           Argument::Kind::Integer, summary);
  if (place.isOf(Argument::Kind::Pointer))
    return value == 0 ? ""
                      : "it is a pointer, and can be 0, null" +
                            listArguments(Argument::Kind::Integer, summary);
  if (!place.isOf(Argument::Kind::Integer))
    return "it is no struct" + listArguments(Argument::Kind::Integer, summary);
  unsigned bits = 8 * argument.sizeInBytes;
  if (bits < 64 && !llvm::isIntN(bits, value) && !llvm::isUIntN(bits, value))
    return std::to_string(value) + " does not fit its " +
           std::to_string(argument.sizeInBytes) + " bytes";
  return "";
}

static std::string unknownArgument(llvm::StringRef name, Argument::Kind kind,
                                   const KernelSummary &summary) {
  std::string text = "the kernel has no such argument";
  for (llvm::StringRef key : {"grid", "block", "shared", "registers",
                              "maxBlocksPerSM", "warmL2", "bytesBetween"})
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
  if (place.argument->kind == Argument::Kind::Struct)
    return problemInStruct(place,
                           "the sizes of objects by the byte of the "
                           "pointer",
                           Argument::Kind::Pointer, summary);
  return place.isOf(Argument::Kind::Pointer)
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
    if (!place || !place->isOf(Argument::Kind::Integer) ||
        value != std::floor(value) || std::abs(value) >= 9e15)
      return false;
    stated[argument.first] = {static_cast<int64_t>(value),
                              argument.second.origin};
    return true;
  });
  std::erase_if(stated, [&](const auto &argument) {
    std::optional<ArgumentPlace> place = findArgument(argument.first, summary);
    if (!place || !place->isOf(Argument::Kind::Float))
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
  auto resolveNames = [&](std::set<std::string> &names, Argument::Kind kind,
                          auto &&problem) -> llvm::Error {
    std::map<std::string, Stated<bool>> named, resolved;
    for (const std::string &name : names)
      named[name].value = true;
    if (llvm::Error error = resolve(named, resolved, kind,
                                    [&](const ArgumentPlace &place, bool) {
                                      return problem(place, summary);
                                    }))
      return error;
    names.clear();
    for (const auto &[symbol, isThere] : resolved)
      names.insert(symbol);
    return llvm::Error::success();
  };
  if (llvm::Error error = resolveNames(result.inHostMemory,
                                       Argument::Kind::Pointer, objectProblem))
    return error;
  if (llvm::Error error =
          resolveNames(result.variesByRound, Argument::Kind::Integer,
                       [](const ArgumentPlace &, const KernelSummary &) {
                         return std::string();
                       }))
    return error;
  return result;
}
