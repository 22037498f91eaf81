#pragma once
// What the parsers of a module and of its functions share.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/declarations.h"
#include "ptx/module.h"
#include "ptx/scopes.h"
#include "ptx/source_places.h"

namespace optiml::ptx {

struct ModuleNames {
    explicit ModuleNames(Module& target) : module(target), files(target.files) {}

    struct PendingRelocation {
        std::uint32_t variable;
        std::uint32_t relocation;
        std::string_view name;
    };

    Module& module;
    FileTable files;
    std::unordered_map<std::string_view, Symbol> symbols;  // variables and functions
    std::vector<PendingRelocation> pending;
    std::unordered_map<std::string, DecodedOpcode> decoded;  // by opcode text, of which a module has a hundred or so

    const Symbol* find(std::string_view name) const {
        const auto place = symbols.find(name);
        return place == symbols.end() ? nullptr : &place->second;
    }

    // Appends to Module::variables; the name is not entered.
    std::uint32_t add_variable(DeclaredVariable declared) {
        const auto index = static_cast<std::uint32_t>(module.variables.size());
        for (std::uint32_t i = 0; i < declared.relocation_names.size(); ++i) {
            pending.push_back({index, i, declared.relocation_names[i]});
        }
        module.variables.push_back(std::move(declared.variable));
        return index;
    }

    const DecodedOpcode& decode(const std::string& text) {
        const auto place = decoded.find(text);
        return place != decoded.end() ? place->second : decoded.emplace(text, decode_opcode(text)).first->second;
    }
};

}  // namespace optiml::ptx
