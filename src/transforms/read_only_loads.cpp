#include "transforms/read_only_loads.h"

#include <algorithm>

#include "transforms/aliasing.h"
#include "transforms/rewrite.h"

namespace optiml::transforms {
namespace {

using cuda_source::Access;
using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;
using cuda_source::Type;
using cuda_source::TypeKind;
using cuda_source::VariableId;
using diagnosis::Bottleneck;

struct Pointer {
    VariableId variable = none;
    bool can_restrict = false;  // no other pointer parameter can name its memory, or nobody writes it
    bool can_be_const = false;  // pointee: only read, and by this name alone
    bool is_read_only = false;
};

class ReadOnlyLoads : public Transformation {
public:
    std::string_view name() const override { return "read_only_loads"; }
    std::string_view summary() const override {
        return "Promises that buffers do not overlap and that inputs are only read: loads may be reordered and go through the read-only path.";
    }
    std::vector<Bottleneck> relieves() const override { return {Bottleneck::memory_latency, Bottleneck::memory_bandwidth}; }

    std::vector<Site> sites(const Context& context) const override {
        std::vector<Site> found;
        for (std::size_t kernel = 0; kernel < context.kernels.size(); ++kernel) {
            if (!context.kernels[kernel].is_launched() || !is_editable(context, kernel)) continue;
            const std::vector<Pointer> pointers = pointers_of(context, kernel);
            Site site{.description = describe(context, kernel, "pointer parameters",
                                              context.source.functions[context.kernels[kernel].function].name_span.begin),
                      .kernel = kernel,
                      .anchor = context.kernels[kernel].function,
                      .choices = {}};
            if (std::any_of(pointers.begin(), pointers.end(), [](const Pointer& p) { return p.can_restrict || p.can_be_const; })) {
                site.choices.push_back({{"intrinsic", 0}});
            }
            if (!intrinsic_loads(context, kernel, pointers).empty()) site.choices.push_back({{"intrinsic", 1}});
            if (!site.choices.empty()) found.push_back(std::move(site));
        }
        return found;
    }

    Result<task::Candidate> apply(const Context& context, const Site& site, const Parameters& parameters) const override {
        SourceEdit edit(context.source);
        const std::vector<Pointer> pointers = pointers_of(context, site.kernel);
        for (const Pointer& pointer : pointers) qualify(edit, context, pointer);
        if (parameters.at("intrinsic") != 0) {
            for (const ExpressionId load : intrinsic_loads(context, site.kernel, pointers)) {
                const TextSpan span = context.source.expressions[load].span;
                edit.insert(span.begin, "__ldg(&");
                edit.insert(span.end, ")");
            }
        }
        return derived(context, *this, site, parameters, edit);
    }

private:
    static std::vector<Pointer> pointers_of(const Context& context, std::size_t kernel) {
        std::vector<VariableId> variables;
        for (const VariableId parameter : context.source.functions[context.kernels[kernel].function].parameters) {
            const Type& type = context.source.types[context.source.variables[parameter].type];
            const bool is_plain = type.kind == TypeKind::pointer && !type.is_volatile && type.element != none &&
                                  !context.source.types[type.element].is_volatile;
            if (is_plain && !context.source.variables[parameter].in_macro) variables.push_back(parameter);
        }
        std::vector<Pointer> pointers;
        for (const VariableId variable : variables) {
            const Type& type = context.source.types[context.source.variables[variable].type];
            const bool is_written = may_be_written(context, kernel, variable);
            const bool is_alone = std::all_of(variables.begin(), variables.end(), [&](VariableId other) {
                return other == variable || are_distinct_buffers(context, kernel, variable, other) ||
                       (!is_written && !may_be_written(context, kernel, other));
            });
            pointers.push_back({.variable = variable,
                                .can_restrict = is_alone && !type.is_restrict,
                                .can_be_const = !is_written && !context.source.types[type.element].is_const &&
                                                is_only_subscripted(context, kernel, variable),
                                .is_read_only = !is_written && is_alone});
        }
        return pointers;
    }

    // Used nowhere but as p[...] and *p: a pointer to const would not fit where the pointer itself is handed on.
    static bool is_only_subscripted(const Context& context, std::size_t kernel, VariableId variable) {
        const KernelTree tree(context.source, context.kernels[kernel].function);
        const std::vector<ExpressionId> uses = tree.uses_of(variable);
        return std::all_of(uses.begin(), uses.end(), [&](ExpressionId use) {
            const ExpressionId above = tree.parent(use);
            if (above == none) return false;
            const auto& node = context.source.expressions[above];
            return (node.kind == ExpressionKind::subscript && node.children[0] == use) ||
                   (node.kind == ExpressionKind::unary && node.op == "*");
        });
    }

    // Reads of read-only parameters, of types that __ldg knows.
    static std::vector<ExpressionId> intrinsic_loads(const Context& context, std::size_t kernel, const std::vector<Pointer>& pointers) {
        const KernelTree tree(context.source, context.kernels[kernel].function);
        std::vector<ExpressionId> loads;
        for (const Access& access : context.kernels[kernel].facts.accesses) {
            const auto is_base = [&](const Pointer& pointer) { return pointer.is_read_only && pointer.variable == access.base; };
            if (!access.reads || access.writes || access.atomic || std::none_of(pointers.begin(), pointers.end(), is_base)) continue;
            const auto& node = context.source.expressions[access.expression];
            const Type& type = context.source.type_of(access.expression);
            const bool is_known = (type.kind == TypeKind::floating && type.bits >= 32) || type.kind == TypeKind::integer ||
                                  (type.kind == TypeKind::vector && type.bytes <= 16 && type.extent != 3);
            const bool has_address_taken = tree.parent(access.expression) != none && tree.is_write(access.expression);
            if (node.kind == ExpressionKind::subscript && !node.in_macro && is_known && !has_address_taken) {
                loads.push_back(access.expression);
            }
        }
        return loads;
    }

    static void qualify(SourceEdit& edit, const Context& context, const Pointer& pointer) {
        const auto& variable = context.source.variables[pointer.variable];
        if (pointer.can_be_const) edit.insert(variable.type_span.begin, "const ");
        if (!pointer.can_restrict) return;
        const std::uint32_t name = variable.name_span.begin;
        const char before = name == 0 ? ' ' : context.source.text[name - 1];
        edit.insert(name, before == '*' || before == ' ' ? "__restrict__ " : " __restrict__ ");
    }
};

}  // namespace

std::unique_ptr<Transformation> make_read_only_loads() { return std::make_unique<ReadOnlyLoads>(); }

}  // namespace optiml::transforms
