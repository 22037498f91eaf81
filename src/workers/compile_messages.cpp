#include "workers/compile_messages.h"

#include <nlohmann/json.hpp>

#include "base/base64.h"

namespace optiml::workers {
namespace {

using nlohmann::json;

// JSON holds UTF-8 alone, and a source holds what its author typed.
std::string bytes_to_text(const std::string& bytes) {
    return to_base64({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

std::string bytes_from_text(const json& json, const char* key) {
    const auto bytes = from_base64(json.value(key, "")).value_or(std::vector<std::uint8_t>{});
    return {bytes.begin(), bytes.end()};
}

std::vector<gpu::CompilerMessage> messages_from_json(const json& list) {
    std::vector<gpu::CompilerMessage> messages;
    for (const json& item : list) {
        messages.push_back({item.value("is_error", true), item.value("line", 0u), item.value("column", 0u), item.value("text", ""), ""});
    }
    return messages;
}

}  // namespace

json to_json(const gpu::CompileRequest& request) {
    return {{"source", bytes_to_text(request.source)},
            {"file_name", request.file_name},
            {"name_expressions", request.name_expressions},
            {"options", request.options},
            {"include_paths", request.include_paths},
            {"prelude", request.prelude},
            {"standard", request.standard},
            {"compute_capability", request.compute_capability},
            {"want_cubin", request.want_cubin}};
}

gpu::CompileRequest request_from_json(const json& json) {
    gpu::CompileRequest request;
    request.source = bytes_from_text(json, "source");
    request.file_name = json.value("file_name", request.file_name);
    request.name_expressions = json.value("name_expressions", std::vector<std::string>{});
    request.options = json.value("options", std::vector<std::string>{});
    request.include_paths = json.value("include_paths", std::vector<std::string>{});
    request.prelude = json.value("prelude", "");
    request.standard = json.value("standard", request.standard);
    request.compute_capability = json.value("compute_capability", request.compute_capability);
    request.want_cubin = json.value("want_cubin", request.want_cubin);
    return request;
}

json to_json(const gpu::CompileOutcome& outcome) {
    json messages = json::array();
    for (const gpu::CompilerMessage& message : outcome.messages) {
        messages.push_back({{"is_error", message.is_error}, {"line", message.line}, {"column", message.column}, {"text", message.text}});
    }
    return {{"compiled", outcome.compiled}, {"ptx", bytes_to_text(outcome.ptx)}, {"cubin", to_base64(outcome.cubin)},
            {"kernels", to_json(outcome.kernels)}, {"messages", std::move(messages)}, {"log", outcome.log}, {"is_inconclusive", outcome.is_inconclusive}};
}

gpu::CompileOutcome outcome_from_json(const json& json) {
    gpu::CompileOutcome outcome;
    if (!json.is_object() || !json.contains("compiled")) {
        outcome.is_inconclusive = true;
        outcome.log = json.is_object() ? json.value("error", "") : "";
        outcome.messages.push_back({true, 0, 0, "the compiler's process did not answer as it should: " + outcome.log, ""});
        return outcome;
    }
    outcome.compiled = json.value("compiled", false);
    outcome.ptx = bytes_from_text(json, "ptx");
    outcome.cubin = from_base64(json.value("cubin", "")).value_or(std::vector<std::uint8_t>{});
    outcome.kernels = kernels_from_json(json.value("kernels", nlohmann::json::array()));
    outcome.messages = messages_from_json(json.value("messages", nlohmann::json::array()));
    outcome.log = json.value("log", "");
    outcome.is_inconclusive = json.value("is_inconclusive", false);
    return outcome;
}

json to_json(const std::vector<gpu::CompiledKernel>& kernels) {
    json list = json::array();
    for (const gpu::CompiledKernel& kernel : kernels) {
        list.push_back({{"name", kernel.name},
                        {"lowered_name", kernel.lowered_name},
                        {"registers", kernel.registers},
                        {"static_shared", kernel.static_shared},
                        {"local_bytes", kernel.local_bytes},
                        {"spill_store_bytes", kernel.spill_store_bytes},
                        {"spill_load_bytes", kernel.spill_load_bytes}});
    }
    return list;
}

std::vector<gpu::CompiledKernel> kernels_from_json(const json& list) {
    std::vector<gpu::CompiledKernel> kernels;
    for (const json& item : list) {
        kernels.push_back({item.value("name", ""), item.value("lowered_name", ""), item.value("registers", 0u),
                           item.value("static_shared", 0u), item.value("local_bytes", 0u), item.value("spill_store_bytes", 0u),
                           item.value("spill_load_bytes", 0u)});
    }
    return kernels;
}

}  // namespace optiml::workers
