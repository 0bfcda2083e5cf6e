// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StructMembers.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"

using namespace auspex;

namespace {

class MemberReader {
public:
  explicit MemberReader(const clang::ASTContext &context) : context(context) {}

  std::vector<StructMember> run(clang::QualType type) {
    read(type, StructMember());
    return std::move(members);
  }

private:
  const clang::ASTContext &context;
  std::vector<StructMember> members;
  static constexpr size_t Most = 64;

  void read(clang::QualType type, StructMember at);
  void readFields(clang::QualType type, const StructMember &at);
};

} // namespace

static std::optional<Argument::Kind> kindOf(clang::QualType type) {
  if (type->isIntegralOrEnumerationType())
    return Argument::Kind::Integer;
  if (type->isRealFloatingType())
    return Argument::Kind::Float;
  if (type->isPointerType() || type->isReferenceType())
    return Argument::Kind::Pointer;
  return std::nullopt;
}

/// What has \p type and begins at \p at.
void MemberReader::read(clang::QualType type, StructMember at) {
  if (members.size() >= Most)
    return;
  if (std::optional<Argument::Kind> kind = kindOf(type)) {
    at.member.kind = *kind;
    at.type = type;
    members.push_back(std::move(at));
    return;
  }
  const clang::ConstantArrayType *array = context.getAsConstantArrayType(type);
  if (!array)
    return readFields(type, at);
  clang::QualType element = array->getElementType();
  uint64_t size = context.getTypeSizeInChars(element).getQuantity();
  uint64_t count = std::min<uint64_t>(array->getZExtSize(), Most);
  for (uint64_t i = 0; i < count; ++i) {
    StructMember one = at;
    one.member.byte += i * size;
    // What has no name itself has no elements with names.
    if (!at.member.name.empty() || at.parts.empty())
      one.member.name += "[" + std::to_string(i) + "]";
    one.parts.push_back(VariablePart::ofElement(i));
    read(element, std::move(one));
  }
}

/// The names of what a lambda has copies of, in the order of its fields.
static std::vector<std::string> captures(const clang::CXXRecordDecl &record) {
  std::vector<std::string> names;
  if (record.isLambda())
    for (const clang::LambdaCapture &capture : record.captures())
      names.push_back(capture.capturesVariable()
                          ? capture.getCapturedVar()->getNameAsString()
                          : "");
  return names;
}

void MemberReader::readFields(clang::QualType type, const StructMember &at) {
  auto *record = type->getAsCXXRecordDecl();
  if (!record || record->isUnion() || !record->isCompleteDefinition() ||
      record->isDependentType() || record->isInvalidDecl())
    return;
  const clang::ASTRecordLayout &layout = context.getASTRecordLayout(record);
  for (const clang::CXXBaseSpecifier &base : record->bases()) {
    if (base.isVirtual())
      continue;
    StructMember ofBase = at;
    ofBase.member.byte +=
        layout.getBaseClassOffset(base.getType()->getAsCXXRecordDecl())
            .getQuantity();
    readFields(base.getType(), ofBase);
  }
  std::vector<std::string> captured = captures(*record);
  for (const clang::FieldDecl *field : record->fields()) {
    if (field->isBitField())
      continue;
    unsigned number = field->getFieldIndex();
    std::string own =
        number < captured.size() ? captured[number] : field->getNameAsString();
    StructMember one = at;
    one.member.byte += layout.getFieldOffset(number) / 8;
    one.member.name += (at.member.name.empty() || own.empty() ? "" : ".") + own;
    one.parts.push_back({field});
    read(field->getType(), std::move(one));
  }
}

std::vector<StructMember> auspex::membersOf(clang::QualType type,
                                            const clang::ASTContext &context) {
  return MemberReader(context).run(type);
}
