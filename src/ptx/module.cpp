#include "ptx/module.h"

namespace optiml::ptx {

std::string_view Function::symbol_name(std::uint32_t symbol) const {
    if (symbol < parameters.size()) return parameters[symbol].name;
    if (symbol < parameters.size() + returns.size()) return returns[symbol - parameters.size()].name;
    const Variable* variable = variable_of(symbol);
    return variable != nullptr ? std::string_view(variable->name) : std::string_view();
}

const Variable* Function::variable_of(std::uint32_t symbol) const {
    const std::size_t first = parameters.size() + returns.size();
    return symbol >= first && symbol < symbol_count() ? &variables[symbol - first] : nullptr;
}

const Function* Module::find_kernel(std::string_view name) const {
    for (const Function& function : functions) {
        if (function.is_kernel && function.name == name) return &function;
    }
    return nullptr;
}

}  // namespace optiml::ptx
