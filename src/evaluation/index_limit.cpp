#include "evaluation/index_limit.h"

#include <algorithm>

#include "cuda_source/parse.h"

namespace optiml::evaluation {
namespace {

using cuda_source::Expression;
using cuda_source::ExpressionKind;
using cuda_source::SourceFile;
using cuda_source::TypeKind;

bool is_pointer(const SourceFile& source, cuda_source::ExpressionId id) {
    const TypeKind kind = source.type_of(id).kind;
    return kind == TypeKind::pointer || kind == TypeKind::array;
}

// The integer that moves a pointer in this expression; none: it moves none.
cuda_source::ExpressionId offset_of(const SourceFile& source, const Expression& expression) {
    if (expression.kind == ExpressionKind::subscript && is_pointer(source, expression.children[0])) return expression.children[1];
    const bool moves = expression.kind == ExpressionKind::binary && (expression.op == "+" || expression.op == "-");
    const bool assigns = expression.kind == ExpressionKind::assignment && (expression.op == "+=" || expression.op == "-=");
    if (!moves && !assigns) return cuda_source::none;
    if (is_pointer(source, expression.children[0])) return expression.children[1];
    return is_pointer(source, expression.children[1]) ? expression.children[0] : cuda_source::none;
}

}  // namespace

std::int64_t index_limit(const task::Task& task, const std::string& cuda_include) {
    std::int64_t limit = INT32_MAX;
    const auto source = cuda_source::parse(task.source, {task.source_file, task.compile.defines, task.compile.include_paths, cuda_include,
                                                         task.compile.standard});
    if (!source) return limit;
    for (const Expression& expression : source->expressions) {
        const cuda_source::ExpressionId offset = offset_of(*source, expression);
        if (offset == cuda_source::none) continue;
        const cuda_source::Type& type = source->type_of(offset);
        if (type.kind != TypeKind::integer || source->expressions[offset].constant) continue;
        if (type.bits > 32) return INT64_MAX;
        if (!type.is_signed) limit = std::max<std::int64_t>(limit, UINT32_MAX);
    }
    return limit;
}

}  // namespace optiml::evaluation
