#include "ptx/parser.h"

#include <fmt/format.h>

#include "base/text.h"
#include "ptx/cursor.h"
#include "ptx/declarations.h"
#include "ptx/function_parser.h"
#include "ptx/module_names.h"

namespace optiml::ptx {
namespace {

// Indices are 32-bit numbers.
constexpr std::size_t kMaxText = std::size_t{1} << 31;

struct FunctionHeader {
    Function function;
    std::string_view name;
    std::vector<DeclaredParameter> returns;
    std::vector<DeclaredParameter> parameters;
};

void copy_parameters(const std::vector<DeclaredParameter>& declared, std::vector<Parameter>& parameters) {
    for (const DeclaredParameter& parameter : declared) parameters.push_back(parameter.parameter);
}

class ModuleParser {
public:
    explicit ModuleParser(std::string_view text) : cursor_(text), names_(module_) {}

    Result<Module> run() {
        while (!cursor_.at_end()) {
            if (!cursor_.accept(';')) directive();
        }
        resolve_relocations();
        if (cursor_.failed()) return internal_error(cursor_.error());
        return std::move(module_);
    }

private:
    void directive() {
        const std::string_view word = cursor_.expect_dot_word("a directive");
        if (word == ".version") return version();
        if (word == ".target") return target();
        if (word == ".address_size") return address_size();
        if (word == ".file") return names_.files.parse_file(cursor_);
        if (word == ".loc") return PlaceTracker(names_.files).parse_loc(cursor_);
        if (word == ".section") return section();
        if (word == ".pragma") return cursor_.skip_statement();
        if (word == ".alias") return alias();
        declaration(word);
    }

    // Behind linkage: .entry, .func or a state space.
    void declaration(std::string_view word) {
        bool is_extern = false;
        while (word == ".visible" || word == ".extern" || word == ".weak" || word == ".common") {
            is_extern = is_extern || word == ".extern";
            word = cursor_.expect_dot_word("a declaration");
        }
        if (word == ".entry") return function(true);
        if (word == ".func") return function(false);
        if (word == ".global") return variables(Space::global, is_extern);
        if (word == ".const") return variables(Space::constant, is_extern);
        if (word == ".shared") return variables(Space::shared, is_extern);
        if (word == ".local") return variables(Space::local, is_extern);
        cursor_.fail(fmt::format("'{}' is no directive of a module", word));
    }

    // "9.0" has been read as a number: its text counts.
    void version() {
        const std::string_view text = cursor_.take().text;
        const std::size_t dot = text.find('.');
        const auto major = parsed_number<std::uint32_t>(text.substr(0, dot));
        const auto minor = dot == std::string_view::npos ? std::nullopt : parsed_number<std::uint32_t>(text.substr(dot + 1));
        if (!major || !minor) cursor_.fail("malformed version");
        module_.version_major = major.value_or(0);
        module_.version_minor = minor.value_or(0);
    }

    void target() {
        module_.target = cursor_.expect_word("a target");
        while (cursor_.accept(',')) cursor_.expect_word("a target option");
    }

    void address_size() { module_.address_bits = static_cast<std::uint32_t>(cursor_.expect_integer("32 or 64")); }

    // Debug information.
    void section() {
        cursor_.take();
        cursor_.skip_brackets('{', '}');
    }

    void alias() {
        const std::string_view name = cursor_.expect_word("a name");
        cursor_.expect(',');
        const std::string_view aliasee = cursor_.expect_word("a function");
        cursor_.expect(';');
        const Symbol* symbol = names_.find(aliasee);
        if (symbol == nullptr || symbol->kind != Symbol::Kind::function) return cursor_.fail("an alias needs a function");
        names_.symbols[name] = *symbol;
    }

    void variables(Space space, bool is_extern) {
        for (DeclaredVariable& declared : parse_variables(cursor_, space, is_extern)) {
            const std::string_view name = declared.name;
            const Symbol* known = names_.find(name);
            const bool completes = known != nullptr && known->kind == Symbol::Kind::module_variable &&
                                   (is_extern || module_.variables[known->index].is_extern);
            if (known != nullptr && !completes) return cursor_.fail(fmt::format("'{}' is declared twice", name));
            if (completes && is_extern) continue;
            names_.symbols[name] = {Symbol::Kind::module_variable, place_variable(std::move(declared), known), Type::none};
        }
    }

    // The definition of a variable that was extern so far takes its place.
    std::uint32_t place_variable(DeclaredVariable declared, const Symbol* known) {
        const std::uint32_t index = names_.add_variable(std::move(declared));
        if (known == nullptr) return index;
        for (auto& pending : names_.pending) {
            if (pending.variable == index) pending.variable = known->index;
        }
        module_.variables[known->index] = std::move(module_.variables.back());
        module_.variables.pop_back();
        return known->index;
    }

    void function(bool is_kernel) {
        FunctionHeader header;
        header.function.is_kernel = is_kernel;
        if (cursor_.peek().is('(')) header.returns = parse_parameters(cursor_);
        header.name = cursor_.expect_word("a function's name");
        header.function.name = header.name;
        if (cursor_.peek().is('(')) header.parameters = parse_parameters(cursor_);
        copy_parameters(header.returns, header.function.returns);
        copy_parameters(header.parameters, header.function.parameters);
        while (cursor_.peek().kind == TokenKind::dot_word) performance_directive(header.function);
        Function* function = cursor_.failed() ? nullptr : place_function(header);
        if (function == nullptr) return;
        if (cursor_.accept(';')) return;
        function->has_body = true;
        FunctionParser(cursor_, names_, *function, header.returns, header.parameters).parse_body();
    }

    // A body replaces earlier declarations; a declaration after the first changes nothing.
    Function* place_function(FunctionHeader& header) {
        const bool has_body = cursor_.peek().is('{');
        const Symbol* known = names_.find(header.name);
        if (known == nullptr) {
            names_.symbols[header.name] = {Symbol::Kind::function, static_cast<std::uint32_t>(module_.functions.size()),
                                           Type::none};
            return &module_.functions.emplace_back(std::move(header.function));
        }
        Function* function = known->kind == Symbol::Kind::function ? &module_.functions[known->index] : nullptr;
        if (function == nullptr || (has_body && function->has_body)) {
            cursor_.fail(fmt::format("'{}' is declared twice", header.name));
            return nullptr;
        }
        if (has_body) *function = std::move(header.function);
        return function;
    }

    void performance_directive(Function& function) {
        const std::string_view word = cursor_.take().text;
        if (word == ".noreturn") {
            function.noreturn = true;
        } else if (word == ".maxntid") {
            dimensions(function.max_threads);
        } else if (word == ".reqntid") {
            dimensions(function.required_threads);
        } else if (word == ".reqnctapercluster") {
            dimensions(function.cluster);
        } else if (word == ".minnctapersm") {
            function.min_blocks_per_sm = static_cast<std::uint32_t>(cursor_.expect_integer("a number of blocks"));
        } else if (word == ".maxnreg") {
            function.max_registers = static_cast<std::uint32_t>(cursor_.expect_integer("a number of registers"));
        } else if (word == ".pragma") {
            cursor_.skip_statement();
        } else if (cursor_.peek().kind == TokenKind::integer) {  // .abi_preserve 16, .maxclusterrank 8
            cursor_.take();
        }
    }

    // `256`, `256, 1`, `256, 1, 1`: those not given are 1.
    void dimensions(std::uint32_t (&extents)[3]) {
        extents[0] = static_cast<std::uint32_t>(cursor_.expect_integer("an extent"));
        extents[1] = extents[2] = 1;
        for (int i = 1; i < 3 && cursor_.accept(','); ++i) {
            extents[i] = static_cast<std::uint32_t>(cursor_.expect_integer("an extent"));
        }
    }

    void resolve_relocations() {
        for (const auto& pending : names_.pending) {
            const Symbol* symbol = names_.find(pending.name);
            if (symbol == nullptr) return cursor_.fail(fmt::format("'{}' is not declared", pending.name));
            auto& relocation = module_.variables[pending.variable].relocations[pending.relocation];
            relocation.is_function = symbol->kind == Symbol::Kind::function;
            relocation.index = symbol->index;
        }
    }

    Cursor cursor_;
    Module module_;
    ModuleNames names_;
};

}  // namespace

Result<Module> parse(std::string_view text) {
    if (text.size() > kMaxText) return internal_error("PTX text is larger than 2 GiB");
    return ModuleParser(text).run();
}

}  // namespace optiml::ptx
