#include "transforms/shared_memory_tiling.h"

#include <algorithm>

#include <fmt/format.h>

#include "transforms/launch_bounds_attribute.h"
#include "transforms/reduction_functions.h"
#include "transforms/tiled_product.h"
#include "transforms/vector_group.h"

namespace optiml::transforms {
namespace {

using cuda_source::ExpressionId;
using cuda_source::none;
using cuda_source::StatementId;
using cuda_source::VariableId;
using diagnosis::Bottleneck;

constexpr std::int64_t block_side = 16;  // 16 x 16 threads
constexpr std::int64_t padding = 4;      // elements: spreads a column of a tile over banks and keeps its rows 16-byte aligned

struct Tile {
    std::int64_t rows_a_thread = 1;
    std::int64_t columns_a_thread = 1;
    std::int64_t depth = 16;

    std::int64_t rows() const { return block_side * rows_a_thread; }
    std::int64_t columns() const { return block_side * columns_a_thread; }
};

// One staged load: its tile in shared memory and the values of a thread.
struct Operand {
    const OperandLoad* load = nullptr;
    std::string tile;
    std::string values;
};

class TilingText {
public:
    TilingText(SourceEdit& edit, const Context& context, std::size_t kernel, const KernelTree& tree, const TiledProduct& product, const Tile& tile)
        : edit_(edit), context_(context), source_(context.source), tree_(tree), product_(product), tile_(tile),
          style_(style_of(context.source, context.kernels[kernel].function)), names_(context.source.text, style_),
          x_(name_of(product.tiles.x.variable)), y_(name_of(product.tiles.y.variable)), counter_(name_of(product.loop->variable)),
          first_(names_.take("first_" + counter_)), thread_(names_.take("thread")), place_(names_.take_first({"place", "slot"})),
          row_(names_.take("tile_row")), column_(names_.take("tile_column")), step_(names_.take_first({"step", "d"})) {
        for (const OperandLoad& load : product.loads) {
            const std::string& base = name_of(load.base);
            operands_.push_back({&load, names_.take(base + "_tile"), names_.take(base + "_values")});
        }
    }

    std::string text() {
        std::string text;
        for (const Operand& operand : operands_) text += shared_array(operand);
        text += fmt::format("const int {} = threadIdx.y * {} + threadIdx.x;\n", thread_, block_side);
        text += accumulators();
        const std::string bound(as_operand(source_, product_.loop->bound));
        const std::string header = fmt::format("for ({0} {1} = 0; {1} < {2}; {1} += {3})", type_of_counter(), first_, bound, tile_.depth);
        text += style_.block(header, stage()) + '\n';
        return text + results();
    }

private:
    const std::string& name_of(VariableId variable) const { return source_.variables[variable].name; }
    std::string type_of_counter() const { return std::string(source_.text_of(source_.variables[product_.loop->variable].type_span)); }

    std::int64_t extent_of(const Operand& operand) const { return operand.load->follows_rows ? tile_.rows() : tile_.columns(); }

    std::string shared_array(const Operand& operand) const {
        return fmt::format("__shared__ __align__(16) {} {}[{}][{}];\n", element_type_name(*operand.load->type), operand.tile, tile_.depth,
                           extent_of(operand) + padding);
    }

    // Where a thread's element number `index` of count lies in the tile: in groups of four neighbours, which one wide access brings.
    static std::string place_in_tile(char axis, std::int64_t count, const std::string& index) {
        if (count == 1) return fmt::format("threadIdx.{}", axis);
        const std::int64_t group = std::min<std::int64_t>(count, 4);
        const std::string first = fmt::format("threadIdx.{} * {}", axis, group);
        if (count <= 4) return fmt::format("{} + {}", first, index);
        return fmt::format("{0} / {1} * {2} + {3} + {0} % {1}", index, group, group * block_side, first);
    }
    std::string place_of_row() const { return place_in_tile('y', tile_.rows_a_thread, row_); }
    std::string place_of_column() const { return place_in_tile('x', tile_.columns_a_thread, column_); }

    std::string index_declarations() const {
        return declaration_text(context_, product_.tiles.y, fmt::format("blockIdx.y * {} + {}", tile_.rows(), place_of_row())) + '\n' +
               declaration_text(context_, product_.tiles.x, fmt::format("blockIdx.x * {} + {}", tile_.columns(), place_of_column())) + '\n';
    }

    bool is_single() const { return tile_.rows_a_thread == 1 && tile_.columns_a_thread == 1; }

    // for (tile_row ...) for (tile_column ...) { body }; the body alone where a thread has one element.
    std::string for_each_element(const std::string& body) const {
        if (is_single()) return body;
        const std::string rows = fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", row_, tile_.rows_a_thread);
        const std::string columns = fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", column_, tile_.columns_a_thread);
        return "#pragma unroll\n" + style_.block(rows, "#pragma unroll\n" + style_.block(columns, body));
    }

    std::string element_of(VariableId accumulator) const {
        return is_single() ? name_of(accumulator) : fmt::format("{}[{}][{}]", name_of(accumulator), row_, column_);
    }

    std::string accumulators() {
        if (is_single()) return index_declarations() + declarations_as_written();
        std::string declarations;
        std::string first_values;
        bool uses_indices = false;
        for (const Accumulator& accumulator : product_.accumulators) {
            const auto& variable = source_.variables[accumulator.variable];
            declarations += fmt::format("{} {}[{}][{}];\n", type_name(source_.types[accumulator.type]), variable.name, tile_.rows_a_thread,
                                        tile_.columns_a_thread);
            first_values += fmt::format("{}{} = {};", first_values.empty() ? "" : "\n", element_of(accumulator.variable),
                                        source_.text_of(variable.initializer));
            for (const VariableId index : {product_.tiles.x.variable, product_.tiles.y.variable}) {
                const auto uses = tree_.uses_of(index);
                uses_indices |= std::any_of(uses.begin(), uses.end(), [&](ExpressionId use) { return tree_.is_within(use, variable.initializer); });
            }
        }
        return declarations + for_each_element((uses_indices ? index_declarations() : "") + first_values) + '\n';
    }

    std::string declarations_as_written() {
        std::string text;
        for (const StatementId id : product_.tiles.statements) {
            if (id == product_.loop->statement) return text;
            text += edit_.take_statements(id, id) + '\n';
        }
        return text;
    }

    // Brings a tile of every operand, then works on it.
    std::string stage() {
        std::string text;
        for (const Operand& operand : operands_) text += fill(operand) + '\n';
        return text + "__syncthreads();\n" + work() + "\n__syncthreads();";
    }

    std::string fill(const Operand& operand) const {
        const OperandLoad& load = *operand.load;
        const std::int64_t extent = extent_of(operand);
        // Neighbouring threads load neighbouring elements.
        const std::string along = load.counter_is_contiguous ? fmt::format("{} / {}", place_, tile_.depth) : fmt::format("{} % {}", place_, extent);
        const std::string deep = load.counter_is_contiguous ? fmt::format("{} % {}", place_, tile_.depth) : fmt::format("{} / {}", place_, extent);
        const ThreadIndex& index = load.follows_rows ? product_.tiles.y : product_.tiles.x;
        const std::string declarations =
            declaration_text(context_, index, fmt::format("blockIdx.{} * {} + {}", load.follows_rows ? 'y' : 'x', extent, along)) + '\n' +
            fmt::format("const {} {} = {} + {};\n", type_of_counter(), counter_, first_, deep);
        const std::string value = fmt::format("{} < {} && {} < {} ? {} : {}", name_of(index.variable), as_operand(source_, index.bound), counter_,
                                              as_operand(source_, product_.loop->bound), source_.text_of(load.expression),
                                              zero_of(*load.type));
        const std::string header = fmt::format("for (int {0} = {1}; {0} < {2}; {0} += {3})", place_, thread_, extent * tile_.depth,
                                               block_side * block_side);
        return "#pragma unroll\n" + style_.block(header, declarations + fmt::format("{}[{}][{}] = {};", operand.tile, deep, along, value));
    }

    static std::string zero_of(const cuda_source::Type& type) {
        if (type.kind != cuda_source::TypeKind::floating) return "0";
        return type.bits == 64 ? "0.0" : "0.0f";
    }

    // The loop's body on the values of one step.
    std::string work() {
        std::string text;
        for (const Operand& operand : operands_) {
            if (is_single()) {
                const char* place = operand.load->follows_rows ? "threadIdx.y" : "threadIdx.x";
                edit_.replace(operand.load->expression, fmt::format("{}[{}][{}]", operand.tile, step_, place));
                continue;
            }
            const bool rows = operand.load->follows_rows;
            const std::int64_t count = rows ? tile_.rows_a_thread : tile_.columns_a_thread;
            const std::string& index = rows ? row_ : column_;
            text += fmt::format("{} {}[{}];\n#pragma unroll\n", element_type_name(*operand.load->type), operand.values, count);
            text += style_.block_or_line(fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", index, count),
                                         fmt::format("{}[{}] = {}[{}][{}];", operand.values, index, operand.tile, step_,
                                                     rows ? place_of_row() : place_of_column())) + '\n';
            edit_.replace(operand.load->expression, fmt::format("{}[{}]", operand.values, index));
        }
        replace_accumulators(product_.loop->body);
        text += for_each_element(edit_.take_body(product_.loop->body));
        if (product_.zeros_are_neutral) {
            return "#pragma unroll\n" + style_.block(fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", step_, tile_.depth), text);
        }
        const std::string bound(as_operand(source_, product_.loop->bound));
        return style_.block(fmt::format("for (int {0} = 0; {0} < {1} && {2} + {0} < {3}; ++{0})", step_, tile_.depth, first_, bound), text);
    }

    void replace_accumulators(StatementId within) {
        for (const Accumulator& accumulator : product_.accumulators) {
            for (const ExpressionId use : tree_.uses_of(accumulator.variable, within)) edit_.replace(use, element_of(accumulator.variable));
        }
    }

    std::string results() {
        for (const StatementId id : product_.epilogue) replace_accumulators(id);
        const std::string statements = edit_.take_statements(product_.epilogue.front(), product_.epilogue.back());
        const std::string guarded = style_.block(fmt::format("if ({})", bounds_text(context_, product_.tiles)), statements);
        return is_single() ? guarded : for_each_element(index_declarations() + guarded);
    }

    SourceEdit& edit_;
    const Context& context_;
    const cuda_source::SourceFile& source_;
    const KernelTree& tree_;
    const TiledProduct& product_;
    Tile tile_;
    SourceStyle style_;
    FreshNames names_;
    std::string x_, y_, counter_, first_, thread_, place_, row_, column_, step_;
    std::vector<Operand> operands_;
};

class SharedMemoryTiling : public Transformation {
public:
    std::string_view name() const override { return "shared_memory_tiling"; }
    std::string_view summary() const override {
        return "Stages tiles of the operands in shared memory and computes several results a thread, so that each loaded element is used often.";
    }
    std::vector<Bottleneck> relieves() const override {
        return {Bottleneck::l1_throughput, Bottleneck::memory_latency, Bottleneck::instruction_issue, Bottleneck::compute,
                Bottleneck::memory_bandwidth, Bottleneck::uncoalesced_access};
    }

    std::vector<Site> sites(const Context& context) const override {
        std::vector<Site> found;
        for (std::size_t kernel = 0; kernel < context.kernels.size(); ++kernel) {
            const KernelTree tree(context.source, context.kernels[kernel].function);
            const auto product = tiled_product(context, kernel, tree);
            if (!product) continue;
            const std::string what = "loop over " + context.source.variables[product->loop->variable].name;
            Site site{.description = describe(context, kernel, what, context.source.statements[product->loop->statement].span.begin),
                      .kernel = kernel,
                      .anchor = product->loop->statement,
                      .choices = {}};
            for (const std::int64_t side : {4, 8, 2, 1}) {
                for (const std::int64_t depth : {16, 32, 8}) {
                    const Tile tile{.rows_a_thread = side, .columns_a_thread = side, .depth = depth};
                    if (shared_bytes(*product, tile) > most_shared_bytes || !plan_of(context, kernel, *product, tile)) continue;
                    site.choices.push_back({{"rows_a_thread", side}, {"columns_a_thread", side}, {"depth", depth}});
                }
            }
            if (!site.choices.empty()) found.push_back(std::move(site));
        }
        return found;
    }

    Result<task::Candidate> apply(const Context& context, const Site& site, const Parameters& parameters) const override {
        const KernelTree tree(context.source, context.kernels[site.kernel].function);
        const auto product = tiled_product(context, site.kernel, tree);
        const Tile tile{.rows_a_thread = parameters.at("rows_a_thread"), .columns_a_thread = parameters.at("columns_a_thread"),
                        .depth = parameters.at("depth")};
        SourceEdit edit(context.source);
        const std::string text = TilingText(edit, context, site.kernel, tree, *product, tile).text();
        replace_tile_kernel(edit, context, tree, product->tiles, text);
        update_launch_bounds(edit, context, site.kernel, block_side * block_side);
        auto candidate = derived(context, *this, site, parameters, edit);
        auto plan = plan_of(context, site.kernel, *product, tile);
        if (!candidate || !plan) return candidate ? internal_error("shared_memory_tiling: no plan") : candidate;
        candidate->plan = std::move(*plan);
        return candidate;
    }

private:
    static constexpr std::int64_t most_shared_bytes = 49152;  // static, of a block

    static std::int64_t shared_bytes(const TiledProduct& product, const Tile& tile) {
        std::int64_t bytes = 0;
        for (const OperandLoad& load : product.loads) {
            bytes += tile.depth * ((load.follows_rows ? tile.rows() : tile.columns()) + padding) * load.type->bits / 8;
        }
        return bytes;
    }

    static std::optional<task::LaunchPlan> plan_of(const Context& context, std::size_t kernel, const TiledProduct& product, const Tile& tile) {
        return plan_of_tiles(context, kernel, product.tiles,
                             {.columns = tile.columns(), .rows = tile.rows(), .block_x = block_side, .block_y = block_side});
    }
};

}  // namespace

std::unique_ptr<Transformation> make_shared_memory_tiling() { return std::make_unique<SharedMemoryTiling>(); }

}  // namespace optiml::transforms
