// Any text as CUDA source: clang's messages, or a tree whose indices and places all hold, which the analyses and a substitution survive.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "cuda_source/dependence.h"
#include "cuda_source/parse.h"
#include "cuda_source/substitution.h"

using namespace optiml;
using namespace optiml::cuda_source;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

void check_tree(const SourceFile& source) {
    const TextSpan whole{0, static_cast<std::uint32_t>(source.text.size())};
    for (const Expression& expression : source.expressions) {
        require(whole.contains(expression.span));
        require(expression.type == none || expression.type < source.types.size());
        require(expression.variable == none || expression.variable < source.variables.size());
        require(expression.function == none || expression.function < source.functions.size());
        for (const ExpressionId child : expression.children) require(child < source.expressions.size());
    }
    for (StatementId id = 0; id < source.statements.size(); ++id) {
        require(whole.contains(source.statements[id].span));
        for (const StatementId child : source.statements[id].children) require(source.statements[child].parent == id);
        for (const VariableId variable : source.statements[id].variables) require(variable < source.variables.size());
    }
    for (const Function& function : source.functions) {
        require(whole.contains(function.span) && whole.contains(function.name_span) && whole.contains(function.parameters_span));
    }
}

void analyze_kernel(const SourceFile& source, FunctionId kernel) {
    const KernelFacts facts = analyze(source, kernel);
    bounds_guards(source, kernel);
    LaunchShape shape;
    shape.block = {64, 4, 1};
    Dependence dependence(source, facts, shape);
    for (const Access& access : facts.accesses) {
        require(access.conditions.size() == access.negated.size());
        dependence.lane_stride(access);
    }
}

void substitute_variables(const SourceFile& source) {
    for (ExpressionId id = 0; id < source.expressions.size(); ++id) {
        for (const ExpressionId child : source.expressions[id].children) {
            // May be refused: parts of macro uses.
            if (source.expressions[child].variable != none) (void)substitute(source, id, {{source.expressions[child].variable, "a + b"}});
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto source = parse(std::string(reinterpret_cast<const char*>(data), size), {});
    if (!source) {
        require(!source.error().message.empty());
        return 0;
    }
    check_tree(*source);
    for (const FunctionId kernel : source->kernels()) analyze_kernel(*source, kernel);
    substitute_variables(*source);
    return 0;
}
