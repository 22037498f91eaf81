#include "transforms/unroll.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "transforms/rewrite.h"

namespace optiml::transforms {
namespace {

using cuda_source::CanonicalLoop;
using diagnosis::Bottleneck;

constexpr std::int64_t kLongestComplete = 64;
constexpr double kLargestBody = 8192;  // expressions of an unrolled loop; the compiler takes many seconds for far more

// How often the compiler writes out a loop's body: a pragma says so, or it is short and of constant length.
double copies_of(const Context& context, cuda_source::StatementId statement) {
    const std::string& pragma = context.source.statements[statement].pragma;
    if (const std::size_t number = pragma.find_first_of("0123456789");
        pragma.starts_with("#pragma unroll ") && number != std::string::npos) {
        return std::max(1.0, std::strtod(pragma.c_str() + number, nullptr));
    }
    for (const Context::Kernel& kernel : context.kernels) {
        const CanonicalLoop* loop = kernel.facts.loop_at(statement);
        if (loop != nullptr && loop->trip_count && *loop->trip_count <= kLongestComplete)
            return static_cast<double>(*loop->trip_count);
    }
    return 1;
}

// Expressions that the statement stands for once loops in it are unrolled and calls are inlined, `depth` of them within each other.
double code_size(const Context& context, cuda_source::StatementId statement, int depth = 4) {
    double size = 0;
    for (const auto id : cuda_source::expressions_of(context.source, statement)) {
        const auto& node = context.source.expressions[id];
        if (!node.implicit) ++size;
        if (node.kind != cuda_source::ExpressionKind::call || node.function == cuda_source::none || depth == 0) continue;
        const auto body = context.source.functions[node.function].body;
        if (body != cuda_source::none) size += code_size(context, body, depth - 1);
    }
    for (const auto child : context.source.statements[statement].children) size += code_size(context, child, depth);
    return size * copies_of(context, statement);
}

// The same of one iteration of a loop, times the copies that loops around it make.
double size_of_iteration(const Context& context, const CanonicalLoop& loop) {
    double size = code_size(context, loop.body);
    for (auto above = context.source.statements[loop.statement].parent; above != cuda_source::none;
         above = context.source.statements[above].parent) {
        size *= copies_of(context, above);
    }
    return size;
}

class Unroll : public Transformation {
public:
    std::string_view name() const override { return "unroll"; }
    std::string_view summary() const override {
        return "Unrolls a loop, so that loads of several iterations are in flight at once and fewer instructions go into counting.";
    }
    bool repeats_elsewhere() const override { return true; }
    std::vector<Bottleneck> relieves() const override {
        return {Bottleneck::instruction_issue, Bottleneck::memory_latency, Bottleneck::compute, Bottleneck::local_memory};
    }

    std::vector<Site> sites(const Context& context) const override {
        std::vector<Site> found;
        for (std::size_t kernel = 0; kernel < context.kernels.size(); ++kernel) {
            if (!is_editable(context, kernel)) continue;
            for (const CanonicalLoop& loop : context.kernels[kernel].facts.loops) {
                const auto& statement = context.source.statements[loop.statement];
                if (statement.in_macro) continue;
                Site site{.description = describe(context, kernel, loop_name(context, loop), statement.span.begin),
                          .kernel = kernel,
                          .anchor = loop.statement,
                          .choices = choices_for(context, loop, statement)};
                if (!site.choices.empty()) found.push_back(std::move(site));
            }
        }
        return found;
    }

    Result<task::Candidate> apply(const Context& context, const Site& site, const Parameters& parameters) const override {
        const auto& statement = context.source.statements[site.anchor];
        const std::string pragma = pragma_text(parameters.at("factor"));
        SourceEdit edit(context.source);
        if (statement.pragma.empty()) {
            edit.insert_pragma(site.anchor, pragma);
        } else {
            edit.replace(statement.pragma_span, pragma);
        }
        return derived(context, *this, site, parameters, edit);
    }

private:
    static std::string pragma_text(std::int64_t factor) { return fmt::format("#pragma unroll {}", factor); }

    static std::string loop_name(const Context& context, const CanonicalLoop& loop) {
        return fmt::format("loop over {}", context.source.variables[loop.variable].name);
    }

    // Powers of two; a loop of constant length completely, if it is short: a part of it would take local arrays out of registers
    // that the compiler, which unrolls it by itself, keeps there. An existing pragma of another kind stays.
    static std::vector<Parameters> choices_for(const Context& context, const CanonicalLoop& loop,
                                               const cuda_source::Statement& statement) {
        if (!statement.pragma.empty() && !statement.pragma.starts_with("#pragma unroll")) return {};
        if (statement.pragma == "#pragma unroll" && loop.trip_count) return {};  // complete already
        const double size = size_of_iteration(context, loop);
        std::vector<Parameters> choices;
        const auto offer = [&](std::int64_t factor) {
            if (statement.pragma != pragma_text(factor) && size * static_cast<double>(factor) <= kLargestBody)
                choices.push_back({{"factor", factor}});
        };
        if (loop.trip_count && *loop.trip_count <= kLongestComplete) {
            if (*loop.trip_count > 1 && statement.pragma.empty()) offer(*loop.trip_count);
            return choices;
        }
        for (const std::int64_t factor : {4, 8, 2, 16}) offer(factor);
        return choices;
    }
};

}  // namespace

std::unique_ptr<Transformation> make_unroll() { return std::make_unique<Unroll>(); }

}  // namespace optiml::transforms
