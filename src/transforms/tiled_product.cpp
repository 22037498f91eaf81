#include "transforms/tiled_product.h"

#include <algorithm>

#include "transforms/loop_independence.h"
#include "transforms/vector_group.h"

namespace optiml::transforms {
namespace {

using cuda_source::Access;
using cuda_source::BuiltinIndex;
using cuda_source::CanonicalLoop;
using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;
using cuda_source::Polynomial;
using cuda_source::StatementId;
using cuda_source::StatementKind;
using cuda_source::Symbol;
using cuda_source::VariableId;

class ProductReader {
public:
    ProductReader(const Context& context, std::size_t kernel, const KernelTree& tree)
        : context_(context), kernel_(kernel), tree_(tree), source_(context.source), facts_(context.kernels[kernel].facts) {}

    std::optional<TiledProduct> read() {
        auto tiles = tile_kernel(context_, kernel_, tree_);
        if (!tiles) return std::nullopt;
        product_.tiles = std::move(*tiles);
        const auto& statements = product_.tiles.statements;
        const auto loop = std::find_if(statements.begin(), statements.end(), [&](StatementId id) { return source_.statements[id].kind == StatementKind::for_; });
        if (loop == statements.end() || loop + 1 == statements.end() || !read_loop(*loop)) return std::nullopt;
        product_.epilogue.assign(loop + 1, statements.end());
        if (!declares_accumulators({statements.begin(), loop}) || !read_loads() || !has_plain_epilogue()) return std::nullopt;
        product_.zeros_are_neutral = zeros_are_neutral();
        return std::move(product_);
    }

private:
    bool names(ExpressionId id, VariableId variable) const {
        const auto uses = tree_.uses_of(variable);
        return std::any_of(uses.begin(), uses.end(), [&](ExpressionId use) { return tree_.is_within(use, id); });
    }

    // for (T i = 0; i < bound; ++i) with a bound that is the same for the whole plane, over accumulators alone.
    bool read_loop(StatementId id) {
        const CanonicalLoop* loop = facts_.loop_at(id);
        if (loop == nullptr || loop->comparison != "<" || loop->step != 1 || loop->has_break || source_.statements[id].in_macro) return false;
        if (source_.expressions[loop->first].constant != 0 || !is_pure(source_, loop->bound)) return false;
        if (names(loop->bound, product_.tiles.x.variable) || names(loop->bound, product_.tiles.y.variable)) return false;
        auto accumulators = accumulators_of(context_, tree_, id);
        if (!accumulators || accumulators->empty()) return false;
        const auto is_plain = [](const Accumulator& accumulator) { return accumulator.extent == 0 && accumulator.maximum == none; };
        product_.loop = loop;
        product_.accumulators = std::move(*accumulators);
        return std::all_of(product_.accumulators.begin(), product_.accumulators.end(), is_plain);
    }

    bool reads_memory(ExpressionId id) const {
        const auto below = cuda_source::expressions_below(source_, id);
        return std::any_of(below.begin(), below.end(), [&](ExpressionId part) {
            const auto& node = source_.expressions[part];
            return node.kind == ExpressionKind::subscript || (node.kind == ExpressionKind::unary && node.op == "*");
        });
    }

    bool declares_accumulators(const std::vector<StatementId>& before) const {
        std::size_t declared = 0;
        for (const StatementId id : before) {
            if (source_.statements[id].kind != StatementKind::declaration) return false;
            for (const VariableId variable : source_.statements[id].variables) {
                const bool is_accumulator = std::any_of(product_.accumulators.begin(), product_.accumulators.end(),
                                                        [&](const Accumulator& a) { return a.variable == variable; });
                const ExpressionId value = source_.variables[variable].initializer;
                // It is evaluated for elements beyond the plane's edge too.
                if (!is_accumulator || value == none || !is_pure(source_, value) || reads_memory(value)) return false;
                ++declared;
            }
        }
        return declared == product_.accumulators.size();
    }

    bool read_loads() {
        for (const Access& access : facts_.accesses) {
            if (!tree_.is_inside(access.statement, product_.loop->statement)) continue;
            if (access.writes || access.atomic || !is_global(context_, access)) return false;
            const auto load = load_of(access);
            if (!load) return false;
            product_.loads.push_back(*load);
        }
        const auto follows_rows = [](const OperandLoad& load) { return load.follows_rows; };
        return std::any_of(product_.loads.begin(), product_.loads.end(), follows_rows) &&
               !std::all_of(product_.loads.begin(), product_.loads.end(), follows_rows) && names_occur_in_loads_alone();
    }

    std::optional<OperandLoad> load_of(const Access& access) const {
        const auto& node = source_.expressions[access.expression];
        if (!access.index_known || access.elements != 1 || access.base == none || node.in_macro) return std::nullopt;
        const auto of = [&](const Symbol& symbol) { return access.index.coefficient_of(symbol); };
        const Symbol counter{.kind = Symbol::Kind::variable, .variable = product_.loop->variable};
        const bool follows_x = access.index.depends_on(builtin_symbol(BuiltinIndex::thread_idx, 0));
        const bool follows_y = access.index.depends_on(builtin_symbol(BuiltinIndex::thread_idx, 1));
        if (follows_x == follows_y || !access.index.depends_on(counter)) return std::nullopt;
        const auto counter_stride = of(counter);
        if (!counter_stride || !is_written_in_known_names(access.expression)) return std::nullopt;
        const auto& type = source_.type_of(access.expression);
        if (element_type_name(type).empty() || vector_type(type, 2).empty()) return std::nullopt;
        return OperandLoad{.expression = access.expression, .base = access.base, .type = &type, .follows_rows = follows_y,
                           .counter_is_contiguous = counter_stride->is_constant() && counter_stride->constant() == 1};
    }

    // The load's text means the same wherever the indices and the counter are declared again: nothing else of the element stands in it.
    bool is_written_in_known_names(ExpressionId load) const {
        for (const ExpressionId id : cuda_source::expressions_below(source_, load)) {
            const auto& node = source_.expressions[id];
            if (node.kind == ExpressionKind::call && node.name != "__ldg") return false;
            if (node.kind != ExpressionKind::variable) continue;
            const VariableId variable = node.variable;
            if (variable == product_.tiles.x.variable || variable == product_.tiles.y.variable || variable == product_.loop->variable) continue;
            const StatementId declaration = tree_.declaration_of(variable);
            const auto& before = product_.tiles.before;
            if (declaration != none && std::find(before.begin(), before.end(), declaration) == before.end()) return false;
        }
        return true;
    }

    // In the loop's body the indices and the counter are used for nothing but loads.
    bool names_occur_in_loads_alone() const {
        for (const VariableId variable : {product_.tiles.x.variable, product_.tiles.y.variable, product_.loop->variable}) {
            for (const ExpressionId use : tree_.uses_of(variable, product_.loop->body)) {
                const auto holds = [&](const OperandLoad& load) { return tree_.is_within(use, load.expression); };
                if (std::none_of(product_.loads.begin(), product_.loads.end(), holds)) return false;
            }
        }
        return true;
    }

    // What comes after the loop may be done for one element after the other, after all loads of all threads.
    bool has_plain_epilogue() const {
        for (const Access& access : facts_.accesses) {
            const bool in_epilogue = std::any_of(product_.epilogue.begin(), product_.epilogue.end(),
                                                 [&](StatementId id) { return tree_.is_inside(access.statement, id); });
            if (!in_epilogue || !(access.writes || access.atomic)) continue;
            for (const Access& other : facts_.accesses) {
                if (tree_.is_inside(other.statement, product_.loop->statement) && may_share_buffer(context_, kernel_, access, other)) return false;
            }
        }
        return true;
    }

    bool is_load(ExpressionId id) const {
        id = without_implicit_casts(source_, id);
        return std::any_of(product_.loads.begin(), product_.loads.end(), [&](const OperandLoad& load) { return load.expression == id; });
    }

    bool is_product_of_loads(ExpressionId id) const {
        const auto& node = source_.expressions[without_implicit_casts(source_, id)];
        return is_load(id) || (node.kind == ExpressionKind::binary && node.op == "*" && is_product_of_loads(node.children[0]) &&
                               is_product_of_loads(node.children[1]));
    }

    bool zeros_are_neutral() const {
        for (const StatementId id : tree_.statements()) {
            const auto& statement = source_.statements[id];
            if (!tree_.is_inside(id, product_.loop->body) || statement.kind == StatementKind::compound) continue;
            if (statement.kind != StatementKind::expression) return false;
            const auto& update = source_.expressions[without_implicit_casts(source_, statement.expression)];
            if (update.kind != ExpressionKind::assignment || update.op != "+=" || !is_product_of_loads(update.children[1])) return false;
        }
        return true;
    }

    const Context& context_;
    std::size_t kernel_;
    const KernelTree& tree_;
    const cuda_source::SourceFile& source_;
    const cuda_source::KernelFacts& facts_;
    TiledProduct product_;
};

}  // namespace

std::optional<TiledProduct> tiled_product(const Context& context, std::size_t kernel, const KernelTree& tree) {
    return ProductReader(context, kernel, tree).read();
}

}  // namespace optiml::transforms
