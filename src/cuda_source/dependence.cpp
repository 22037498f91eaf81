#include "cuda_source/dependence.h"

#include <algorithm>

#include <fmt/format.h>

#include "cuda_source/dependence_model.h"

namespace optiml::cuda_source {
namespace {

bool contains(const std::vector<StatementId>& loops, StatementId loop) {
    return std::find(loops.begin(), loops.end(), loop) != loops.end();
}

// Answers are combined: one `no` decides, else one `unknown`.
Answer both(Answer a, Answer b) {
    if (a == Answer::no || b == Answer::no) return Answer::no;
    return a == Answer::yes && b == Answer::yes ? Answer::yes : Answer::unknown;
}

}  // namespace

Dependence::Dependence(const SourceFile& source, const KernelFacts& facts, const LaunchShape& shape)
    : model_(std::make_unique<Model>(source, facts, shape)) {}

Dependence::~Dependence() = default;

Answer Dependence::writes_are_injective(VariableId base) {
    const KernelFacts& facts = model_->kernel.facts;
    const Storage storage = model_->kernel.source.variables[base].storage;
    const bool is_shared = storage == Storage::shared || storage == Storage::dynamic_shared;
    Answer answer = facts.calls_unknown ? Answer::unknown : Answer::yes;
    for (std::size_t i = 0; i < facts.accesses.size(); ++i) {
        const Access& a = facts.accesses[i];
        if (!a.writes || (a.base != base && a.base != none)) continue;
        for (std::size_t j = i; j < facts.accesses.size(); ++j) {
            const Access& b = facts.accesses[j];
            if (!b.writes || (b.base != base && b.base != none)) continue;
            Model::Pair pair = a.base == none || b.base == none ? Model::Pair{} : model_->overlap(a, b);
            if (!pair.located) {
                answer = both(answer, Answer::unknown);
                continue;
            }
            const std::string same_block = all_equal(pair.a->block_coordinates(), pair.b->block_coordinates());
            const std::string same_thread = all_equal(pair.a->thread_coordinates(), pair.b->thread_coordinates());
            pair.system.add(is_shared ? fmt::format("{} and not ({})", same_block, same_thread)
                                      : fmt::format("not ({} and {})", same_block, same_thread));
            for (const StatementId loop : a.loops) {
                const CanonicalLoop* counting = facts.loop_at(loop);
                if (!is_shared || counting == nullptr || !counting->has_barrier || !contains(b.loops, loop)) continue;
                pair.system.add(fmt::format("{} = {}", *pair.a->loop_variable(loop), *pair.b->loop_variable(loop)));
            }
            answer = both(answer, model_->is_impossible(pair));
            if (answer == Answer::no) return answer;
        }
    }
    return answer;
}

Answer Dependence::is_parallel(StatementId loop) {
    const KernelFacts& facts = model_->kernel.facts;
    if (facts.loop_at(loop) == nullptr) return Answer::unknown;
    Answer answer = facts.calls_unknown || facts.has_inline_assembly ? Answer::unknown : Answer::yes;
    for (std::size_t i = 0; i < facts.accesses.size(); ++i) {
        const Access& a = facts.accesses[i];
        if (!contains(a.loops, loop)) continue;
        for (std::size_t j = i; j < facts.accesses.size(); ++j) {
            const Access& b = facts.accesses[j];
            const bool is_pair = contains(b.loops, loop) && (a.writes || b.writes) && !(a.atomic && b.atomic);
            if (!is_pair || (a.base != none && b.base != none && a.base != b.base)) continue;
            Model::Pair pair = a.base == none || b.base == none ? Model::Pair{} : model_->overlap(a, b);
            if (!pair.located) {
                answer = both(answer, Answer::unknown);
                continue;
            }
            pair.system.add(all_equal(pair.a->block_coordinates(), pair.b->block_coordinates()));
            pair.system.add(all_equal(pair.a->thread_coordinates(), pair.b->thread_coordinates()));
            for (const StatementId outer : a.loops) {  // outermost first
                const auto left = pair.a->loop_variable(outer);
                const auto right = pair.b->loop_variable(outer);
                if (left && right) pair.system.add(fmt::format("{} {} {}", *left, outer == loop ? "!=" : "=", *right));
                if (outer == loop) break;
            }
            answer = both(answer, model_->is_impossible(pair));
            if (answer == Answer::no) return answer;
        }
    }
    return answer;
}

Answer Dependence::is_within(const Access& access, const Polynomial& extent) {
    if (!access.index_known || access.base == none) return Answer::unknown;
    System system;
    Instance instance(model_->kernel, system, access, "1");
    const auto index = instance.affine(access.index);
    const auto bound = instance.affine(extent);
    if (index && bound) {
        system.add(fmt::format("{0} < 0 or {0} + {1} > {2}", *index, access.elements, *bound));
        const Verdict verdict = model_->solver.decide(system);
        if (verdict == Verdict::empty) return Answer::yes;
        return verdict == Verdict::inhabited && instance.is_exact() ? Answer::no : Answer::unknown;
    }
    // Row by row: inner coordinates stay in their rows, the outermost one below the number of rows.
    const Model::Strides strides = model_->strides_of({&access});
    const Polynomial whole = model_->kernel.reduced(extent);
    if (strides.empty() || whole.terms.size() != 1 || whole.terms.begin()->second != 1) return Answer::unknown;
    const auto rows = quotient(whole.terms.begin()->first, strides.back());
    const auto coordinates = model_->locate(strides, instance);
    if (!rows || !coordinates) return Answer::unknown;
    Model::Strides with_extent = strides;
    with_extent.push_back(whole.terms.begin()->first);
    return model_->stays_inside(system, with_extent, *coordinates, instance) ? Answer::yes : Answer::unknown;
}

Answer Dependence::is_same(const Access& a, const Access& b) {
    if (a.base == none || b.base == none) return Answer::unknown;
    if (a.base != b.base) return Answer::no;
    if (!a.index_known || !b.index_known) return Answer::unknown;
    if (model_->depends_on_unshared_loop(a, b) || model_->depends_on_unshared_loop(b, a)) return Answer::unknown;
    const Polynomial difference = model_->kernel.reduced(a.index - b.index);
    if (difference.is_constant()) return difference.constant() == 0 && a.elements == b.elements ? Answer::yes : Answer::no;
    System system;
    Instance instance(model_->kernel, system, a.loops.size() >= b.loops.size() ? a : b, "1");
    const auto text = instance.affine(difference);
    if (!text) return Answer::unknown;
    system.add(fmt::format("{} != 0", *text));
    const Verdict verdict = model_->solver.decide(system);
    if (verdict == Verdict::empty) return a.elements == b.elements ? Answer::yes : Answer::no;
    return verdict == Verdict::inhabited && instance.is_exact() ? Answer::no : Answer::unknown;
}

}  // namespace optiml::cuda_source
