#include "transforms/unroll.h"

#include <fmt/format.h>

#include "transforms/rewrite.h"

namespace optiml::transforms {
namespace {

using cuda_source::CanonicalLoop;
using diagnosis::Bottleneck;

class Unroll : public Transformation {
public:
    std::string_view name() const override { return "unroll"; }
    std::string_view summary() const override {
        return "Unrolls a loop, so that loads of several iterations are in flight at once and fewer instructions go into counting.";
    }
    std::vector<Bottleneck> relieves() const override {
        return {Bottleneck::instruction_issue, Bottleneck::memory_latency, Bottleneck::compute};
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
                          .choices = choices_for(loop, statement)};
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

    // Powers of two, below the trip count where it is known; a short loop also completely. An existing pragma of another kind stays.
    static std::vector<Parameters> choices_for(const CanonicalLoop& loop, const cuda_source::Statement& statement) {
        constexpr std::int64_t longest_complete = 64;
        if (!statement.pragma.empty() && !statement.pragma.starts_with("#pragma unroll")) return {};
        if (statement.pragma == "#pragma unroll" && loop.trip_count) return {};  // complete already
        std::vector<Parameters> choices;
        const auto offer = [&](std::int64_t factor) {
            if (statement.pragma != pragma_text(factor)) choices.push_back({{"factor", factor}});
        };
        for (const std::int64_t factor : {2, 4, 8, 16}) {
            if (!loop.trip_count || factor < *loop.trip_count) offer(factor);
        }
        if (loop.trip_count && *loop.trip_count > 1 && *loop.trip_count <= longest_complete && statement.pragma.empty()) {
            offer(*loop.trip_count);
        }
        return choices;
    }
};

}  // namespace

std::unique_ptr<Transformation> make_unroll() { return std::make_unique<Unroll>(); }

}  // namespace optiml::transforms
