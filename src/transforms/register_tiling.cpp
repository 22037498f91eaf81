#include "transforms/register_tiling.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "transforms/jam.h"
#include "transforms/mixed_radix_index.h"
#include "transforms/plan_rewrite.h"

namespace optiml::transforms {
namespace {

using cuda_source::StatementId;
using cuda_source::VariableId;
using diagnosis::Bottleneck;

// Neighbouring values of one coordinate that a thread takes together.
struct TiledDigit {
    std::size_t place = 0;  // index into MixedRadixIndex::digits
    std::int64_t elements = 1;
};

// One coordinate, or two: the faster first.
using TiledDigits = std::vector<TiledDigit>;

std::int64_t size_of(const TiledDigits& tile) {
    return std::accumulate(tile.begin(), tile.end(), std::int64_t{1},
                           [](std::int64_t size, const TiledDigit& digit) { return size * digit.elements; });
}

Jam jam_of(const Context& context, std::size_t kernel, const KernelTree& tree, const MixedRadixIndex& index, const TiledDigits& tile) {
    std::set<VariableId> varying = {index.body.index.variable};
    for (const TiledDigit& tiled : tile) varying.insert(index.digits[tiled.place].variable);
    return Jam(context, kernel, tree, index.elements, varying);
}

std::optional<task::LaunchPlan> plan_of(const Context& context, std::size_t kernel, const MixedRadixIndex& index,
                                        const TiledDigits& tile) {
    task::LaunchPlan plan = context.candidate->plan;
    const std::int64_t extent = (*constant_block(context, kernel))[0];
    for (const std::size_t step : context.kernels[kernel].steps) {
        task::Expression threads(1);
        for (std::size_t digit = index.digits.size(); digit-- > 0;) {
            const auto radix = radix_in_plan(context, kernel, step, index.digits[digit]);
            if (!radix) return std::nullopt;
            const auto tiled = std::find_if(tile.begin(), tile.end(), [&](const TiledDigit& t) { return t.place == digit; });
            threads = threads * (tiled != tile.end() ? blocks_of(*radix, tiled->elements) : *radix);
        }
        plan.steps[step].launch.grid[0] = blocks_of(threads, extent);
    }
    return plan;
}

class TileWriter {
public:
    TileWriter(SourceEdit& edit, const Context& context, std::size_t kernel, const KernelTree& tree, const MixedRadixIndex& index,
               const TiledDigits& tile)
        : edit_(edit),
          context_(context),
          kernel_(kernel),
          tree_(tree),
          source_(context.source),
          index_(index),
          tile_(tile),
          style_(style_of(source_, context.kernels[kernel].function)),
          names_(source_.text, style_),
          type_(index.body.index_type) {}

    void write() {
        for (const TiledDigit& tiled : tile_) names_of_digits_.push_back(names_for(tiled));
        number_ = names_.take(name(index_.body.index.variable) + "_group");
        for (std::size_t i = 0; i < tile_.size(); ++i) names_of_digits_[i].first = names_.take("first_" + digit_name(i));
        element_ = names_.take("element");

        std::string text = groups();
        const std::string scalar = edit_.take_commented(index_.elements.front(), index_.elements.back());
        const std::string jammed =
            jam_of(context_, kernel_, tree_, index_, tile_).text(edit_, element_, size_of(tile_), declarations());
        text += style_.block(fmt::format("if ({})", whole_tile()), jammed) + (style_.brace_on_own_line ? "\n" : " ") +
                style_.block("else", rest(scalar));
        edit_.replace_statements(index_.body.index.declaration, index_.body.last, text);
    }

private:
    struct Names {
        std::string groups;
        std::string group;
        std::string first;
    };

    const std::string& name(VariableId variable) const { return source_.variables[variable].name; }
    const std::string& digit_name(std::size_t i) const { return name(index_.digits[tile_[i].place].variable); }
    const std::string& radix(std::size_t i) const { return index_.digits[tile_[i].place].radix; }

    Names names_for(const TiledDigit& tiled) {
        const std::string& digit = name(index_.digits[tiled.place].variable);
        return {names_.take(digit + "_groups"), names_.take(digit + "_group"), {}};
    }

    // The same coordinates of a smaller array: groups of elements in the tiled digits' places.
    std::string groups() {
        MixedRadixIndex grouped = index_;
        std::string text;
        for (std::size_t i = 0; i < tile_.size(); ++i) {
            text += fmt::format("const {} {} = ({} + {}) / {};\n", type_, names_of_digits_[i].groups, radix(i),
                                tile_[i].elements - 1, tile_[i].elements);
            grouped.digits[tile_[i].place].radix = names_of_digits_[i].groups;
        }
        text += fmt::format("const {} {} = {};\n", type_, number_, flat_index_text(index_.body));
        text += style_.block_or_line(fmt::format("if ({} >= {})", number_, radix_product(grouped, 0, grouped.digits.size())),
                                     "return;") +
                '\n';
        std::string digits = digit_declarations(context_, grouped, 0, number_);
        for (std::size_t i = 0; i < tile_.size(); ++i) {
            const auto& variable = source_.variables[index_.digits[tile_[i].place].variable];
            const std::string old = fmt::format("{} {} = ", source_.text_of(variable.type_span), variable.name);
            digits.replace(digits.find(old), old.size(), fmt::format("const {} {} = ", type_, names_of_digits_[i].group));
        }
        text += digits;
        for (std::size_t i = 0; i < tile_.size(); ++i) {
            text += fmt::format("const {} {} = {} * {};\n", type_, names_of_digits_[i].first, tile_[i].elements,
                                names_of_digits_[i].group);
        }
        return text;
    }

    std::string whole_tile() const {
        std::string text;
        for (std::size_t i = 0; i < tile_.size(); ++i) {
            text += fmt::format("{}{} + {} < {}", text.empty() ? "" : " && ", names_of_digits_[i].first, tile_[i].elements - 1,
                                radix(i));
        }
        return text;
    }

    // The value of a tiled digit for one element of the tile.
    std::string value_of(std::size_t i) const {
        if (tile_.size() == 1) return fmt::format("{} + {}", names_of_digits_[i].first, element_);
        return fmt::format("{} + {} {} {}", names_of_digits_[i].first, element_, i == 0 ? '%' : '/', tile_[0].elements);
    }

    std::vector<Jam::Declaration> declarations() const {
        std::vector<Jam::Declaration> list;
        for (std::size_t i = 0; i < tile_.size(); ++i) {
            list.push_back(
                {index_.digits[tile_[i].place].variable, fmt::format("const {} {} = {};", type_, digit_name(i), value_of(i))});
        }
        const VariableId flat = index_.body.index.variable;
        list.push_back({flat, fmt::format("const {} {} = {};", type_, name(flat), flat_value())});
        return list;
    }

    std::string flat_value() const {
        std::string text;
        for (std::size_t digit = index_.digits.size(); digit-- > 0;) {
            std::string value = name(index_.digits[digit].variable);
            for (std::size_t i = 0; i < tile_.size(); ++i) {
                if (tile_[i].place == digit) value = value_of(i);
            }
            if (text.empty()) {
                text = value;
            } else {
                text = fmt::format("{} * {} + {}", text.find(' ') == std::string::npos ? text : '(' + text + ')',
                                   index_.digits[digit].radix, value);
            }
        }
        return text;
    }

    // A part of a tile, element by element.
    std::string rest(const std::string& scalar) const {
        const VariableId flat = index_.body.index.variable;
        const bool uses_flat = std::any_of(index_.elements.begin(), index_.elements.end(),
                                           [&](StatementId id) { return !tree_.uses_of(flat, id).empty(); });
        std::string text =
            (uses_flat ? fmt::format("const {} {} = {};\n", type_, name(flat), recomposed(context_, index_)) : "") + scalar;
        for (std::size_t i = 0; i < tile_.size(); ++i) {
            const std::string& first = names_of_digits_[i].first;
            // With one tiled digit it is that one which ends within the tile.
            const std::string end =
                tile_.size() == 1 ? "" : fmt::format(" && {} < {} + {}", digit_name(i), first, tile_[i].elements);
            text = style_.block(fmt::format("for ({0} {1} = {2}; {1} < {3}{4}; ++{1})", type_, digit_name(i), first, radix(i), end),
                                text);
        }
        return text;
    }

    SourceEdit& edit_;
    const Context& context_;
    std::size_t kernel_;
    const KernelTree& tree_;
    const cuda_source::SourceFile& source_;
    const MixedRadixIndex& index_;
    const TiledDigits& tile_;
    SourceStyle style_;
    FreshNames names_;
    std::string type_;
    std::vector<Names> names_of_digits_;
    std::string number_;
    std::string element_;
};

// Sites are numbered by their places in the index: one, or two with the slower one above.
constexpr std::uint32_t kPlaceBits = 8;

TiledDigits tile_of(const Site& site, const Parameters& parameters) {
    TiledDigits tile = {{site.anchor & ((1u << kPlaceBits) - 1), parameters.at("elements")}};
    if (const std::uint32_t slower = site.anchor >> kPlaceBits; slower != 0)
        tile.push_back({slower, parameters.at("slower_elements")});
    return tile;
}

class RegisterTiling : public Transformation {
public:
    std::string_view name() const override { return "register_tiling"; }
    std::string_view summary() const override {
        return "Computes several elements side by side in registers, so that what they read in common is read once.";
    }
    std::vector<Bottleneck> relieves() const override {
        return {Bottleneck::l1_throughput, Bottleneck::instruction_issue, Bottleneck::memory_latency, Bottleneck::compute};
    }

    std::vector<Site> sites(const Context& context) const override {
        std::vector<Site> found;
        for (std::size_t kernel = 0; kernel < context.kernels.size(); ++kernel) {
            const KernelTree tree(context.source, context.kernels[kernel].function);
            const auto index = mixed_radix_index(context, kernel, tree);
            if (!index || !index->body.early_returns.empty()) continue;
            std::vector<std::uint32_t> places;
            for (std::uint32_t place = 1; place < index->digits.size(); ++place) {
                const Jam jam = jam_of(context, kernel, tree, *index, {{place, 1}});
                if (jam.is_possible() && jam.saves_loads()) places.push_back(place);
            }
            for (auto slower = places.begin(); slower != places.end(); ++slower) {
                for (auto faster = places.begin(); faster != slower; ++faster) {
                    add(found, context, kernel, tree, *index, *faster | *slower << kPlaceBits, two_digits());
                }
            }
            for (const std::uint32_t place : places)
                add(found, context, kernel, tree, *index, place, {{{"elements", 4}}, {{"elements", 8}}, {{"elements", 2}}});
        }
        return found;
    }

    Result<task::Candidate> apply(const Context& context, const Site& site, const Parameters& parameters) const override {
        const KernelTree tree(context.source, context.kernels[site.kernel].function);
        const auto index = mixed_radix_index(context, site.kernel, tree);
        const TiledDigits tile = tile_of(site, parameters);
        SourceEdit edit(context.source);
        TileWriter(edit, context, site.kernel, tree, *index, tile).write();
        auto candidate = derived(context, *this, site, parameters, edit);
        auto plan = plan_of(context, site.kernel, *index, tile);
        if (!candidate || !plan) return candidate ? internal_error("register_tiling: no plan") : candidate;
        candidate->plan = std::move(*plan);
        return candidate;
    }

private:
    static std::vector<Parameters> two_digits() {
        std::vector<Parameters> choices;
        for (const auto& [faster, slower] : {std::pair{4, 4}, {8, 4}, {4, 8}, {2, 4}, {4, 2}}) {
            choices.push_back({{"elements", faster}, {"slower_elements", slower}});
        }
        return choices;
    }

    static void add(std::vector<Site>& found, const Context& context, std::size_t kernel, const KernelTree& tree,
                    const MixedRadixIndex& index, std::uint32_t anchor, const std::vector<Parameters>& choices) {
        Site site{.description = {}, .kernel = kernel, .anchor = anchor, .choices = {}};
        std::copy_if(choices.begin(), choices.end(), std::back_inserter(site.choices),
                     [&](const Parameters& choice) { return plan_of(context, kernel, index, tile_of(site, choice)).has_value(); });
        if (site.choices.empty() || !jam_of(context, kernel, tree, index, tile_of(site, site.choices.front())).is_possible())
            return;
        std::string what;
        for (const TiledDigit& tiled : tile_of(site, site.choices.front())) {
            what += (what.empty() ? "" : " and ") + context.source.variables[index.digits[tiled.place].variable].name;
        }
        const auto& first = context.source.variables[index.digits[tile_of(site, site.choices.front()).front().place].variable];
        site.description =
            describe(context, kernel, (anchor >> kPlaceBits != 0 ? "coordinates " : "coordinate ") + what, first.declaration.begin);
        found.push_back(std::move(site));
    }
};

}  // namespace

std::unique_ptr<Transformation> make_register_tiling() { return std::make_unique<RegisterTiling>(); }

}  // namespace optiml::transforms
