#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"
#include "cuda_source/clang/tree_builder.h"

namespace optiml::cuda_source {
namespace {

// float4 -> 4, dim3 -> 0: the extent of CUDA's built-in vector types, 0 for every other name.
unsigned vector_extent(llvm::StringRef name) {
    if (name == "__half2" || name == "__nv_bfloat162") return 2;
    if (name.empty() || name.back() < '1' || name.back() > '4') return 0;
    static constexpr llvm::StringRef scalars[] = {"char", "uchar", "short",    "ushort",    "int",   "uint",
                                                  "long", "ulong", "longlong", "ulonglong", "float", "double"};
    for (const llvm::StringRef scalar : scalars) {
        if (name.drop_back() == scalar) return static_cast<unsigned>(name.back() - '0');
    }
    return 0;
}

// Broken code leaves types that clang cannot lay out: placeholders for overloads, records with faults.
bool has_size(clang::QualType canonical) {
    if (canonical->isDependentType() || canonical->isIncompleteType() || canonical->isReferenceType() ||
        canonical->isFunctionType() || canonical->isUndeducedType() || canonical->isPlaceholderType() ||
        canonical->isSizelessType()) {
        return false;
    }
    const clang::CXXRecordDecl* record = canonical->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    return record == nullptr || !record->isInvalidDecl();
}

void describe_builtin(Type& type, const clang::BuiltinType& builtin) {
    if (builtin.isVoidType()) {
        type.kind = TypeKind::void_;
    } else if (builtin.getKind() == clang::BuiltinType::Bool) {
        type.kind = TypeKind::boolean;
    } else if (builtin.isInteger()) {
        type.kind = TypeKind::integer;
        type.is_signed = builtin.isSignedInteger();
    } else if (builtin.isFloatingPoint()) {
        type.kind = TypeKind::floating;
        type.is_signed = true;
        type.is_bfloat = builtin.getKind() == clang::BuiltinType::BFloat16;
    }
}

}  // namespace

TypeId TreeBuilder::type(clang::QualType written) {
    if (written.isNull()) return none;
    const auto known = types_.find(written.getAsOpaquePtr());
    if (known != types_.end()) return known->second;

    Type type;
    type.spelling = written.getAsString(context_.getPrintingPolicy());
    type.is_const = written.isConstQualified();
    type.is_volatile = written.isVolatileQualified();
    type.is_restrict = written.isRestrictQualified();
    const clang::QualType canonical = written.getCanonicalType();
    if (has_size(canonical)) {
        type.bytes = static_cast<std::uint64_t>(context_.getTypeSizeInChars(canonical).getQuantity());
    }
    if (const auto* builtin = canonical->getAs<clang::BuiltinType>()) {
        describe_builtin(type, *builtin);
    } else if (canonical->isEnumeralType()) {
        type.kind = TypeKind::integer;
        type.is_signed = canonical->isSignedIntegerOrEnumerationType();
    } else if (const auto* pointer = canonical->getAs<clang::PointerType>()) {
        type.kind = TypeKind::pointer;
        type.element = this->type(written->isPointerType() ? written->getPointeeType() : pointer->getPointeeType());
    } else if (canonical->isReferenceType()) {
        type.kind = TypeKind::reference;
        type.element = this->type(written.getNonReferenceType());
    } else if (const auto* array = context_.getAsArrayType(written)) {
        type.kind = TypeKind::array;
        type.element = this->type(array->getElementType());
        if (const auto* constant = llvm::dyn_cast<clang::ConstantArrayType>(array))
            type.extent = constant->getSize().getZExtValue();
    } else if (const auto* record = canonical->getAsCXXRecordDecl()) {
        const llvm::StringRef name = record->getIdentifier() ? record->getName() : "";
        type.kind = TypeKind::record;
        if (name == "__half" || name == "__nv_bfloat16") {
            type.kind = TypeKind::floating;
            type.is_signed = true;
            type.is_bfloat = name == "__nv_bfloat16";
        } else if (const unsigned extent = vector_extent(name); extent != 0 && record->hasDefinition() && !record->field_empty()) {
            type.kind = TypeKind::vector;
            type.extent = extent;
            type.element = this->type(record->field_begin()->getType().getUnqualifiedType());
        }
    }
    if (type.kind == TypeKind::integer || type.kind == TypeKind::floating || type.kind == TypeKind::boolean) {
        type.bits = static_cast<std::uint32_t>(type.bytes * 8);
    }
    const auto id = static_cast<TypeId>(source_.types.size());
    source_.types.push_back(std::move(type));
    types_.emplace(written.getAsOpaquePtr(), id);
    return id;
}

}  // namespace optiml::cuda_source
