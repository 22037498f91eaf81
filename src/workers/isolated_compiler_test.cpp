#include "workers/isolated_compiler.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "workers/compile_messages.h"

namespace optiml::workers {
namespace {

// A compile worker in shell, which knows what to do from the architecture it is asked for.
IsolationSettings scripted(double seconds = 20) {
    IsolationSettings settings;
    settings.command = {"sh", "-c",
                        "while read -r line; do case \"$line\" in"
                        " *open*) echo '{\"ok\":true,\"version\":\"NVRTC 1.2\"}';;"
                        " *:70,*) sleep 100;;"
                        " *:75,*) echo broken >&2; kill -SEGV $$;;"
                        " *:80,*) echo nonsense;;"
                        " *) echo '{\"ok\":true,\"compiled\":true,\"ptx\":\"cHR4\",\"kernels\":[{\"name\":\"k\",\"registers\":7}]}';; esac; done"};
    settings.seconds = seconds;
    return settings;
}

gpu::CompileOutcome outcome(gpu::Compiler& compiler, std::uint32_t compute_capability) {
    gpu::CompileRequest request;
    request.source = "text";
    request.compute_capability = compute_capability;
    return compiler.compile(request);
}

TEST(IsolatedCompiler, GivesWhatItsWorkerAnswers) {
    const auto compiler = make_isolated_compiler(scripted());
    ASSERT_TRUE(compiler) << compiler.error().text();
    EXPECT_EQ((*compiler)->version(), "NVRTC 1.2");
    const gpu::CompileOutcome compiled = outcome(**compiler, 90);
    EXPECT_TRUE(compiled.compiled);
    EXPECT_FALSE(compiled.is_inconclusive);
    EXPECT_EQ(compiled.ptx, "ptx");
    ASSERT_EQ(compiled.kernels.size(), 1u);
    EXPECT_EQ(compiled.kernels[0].registers, 7u);
}

TEST(IsolatedCompiler, AWorkerThatFailsCostsOneCompilation) {
    const auto compiler = make_isolated_compiler(scripted(0.3));
    ASSERT_TRUE(compiler) << compiler.error().text();
    for (const auto& [compute_capability, message] : {std::pair{70u, "did not end within"}, {75u, "crashed: signal 11; it said: broken"}, {80u, "did not answer"}}) {
        const gpu::CompileOutcome failed = outcome(**compiler, compute_capability);
        EXPECT_FALSE(failed.compiled);
        EXPECT_TRUE(failed.is_inconclusive) << "the source may be right";
        ASSERT_EQ(failed.messages.size(), 1u);
        EXPECT_NE(failed.messages[0].text.find(message), std::string::npos) << failed.messages[0].text;
        EXPECT_TRUE(failed.messages[0].is_error);
    }
    const auto patient = make_isolated_compiler(scripted());
    EXPECT_TRUE(outcome(**patient, 90).compiled);
}

TEST(IsolatedCompiler, SaysWhyItDoesNotStart) {
    IsolationSettings settings = scripted();
    settings.command = {"sh", "-c", "read -r line; echo '{\"ok\":false,\"error\":\"no NVRTC\",\"remedy\":\"Install it.\"}'; sleep 100"};
    const auto refused = make_isolated_compiler(settings);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::environment);
    EXPECT_EQ(refused.error().text(), "no NVRTC\n  Install it.");
    settings.command = {"false"};
    EXPECT_FALSE(make_isolated_compiler(settings));
}

TEST(CompileMessages, CarryEveryByte) {
    gpu::CompileRequest request;
    request.source = "// \xE4\xFF \"\\\n";
    request.file_name = "a.cu";
    request.name_expressions = {"k<int>"};
    request.options = {"-x"};
    request.include_paths = {"p"};
    request.prelude = "prelude";
    request.standard = "c++20";
    request.compute_capability = 80;
    request.want_cubin = false;
    const gpu::CompileRequest again = request_from_json(to_json(request));
    EXPECT_EQ(std::tie(again.source, again.file_name, again.name_expressions, again.options, again.include_paths, again.prelude, again.standard),
              std::tie(request.source, request.file_name, request.name_expressions, request.options, request.include_paths, request.prelude, request.standard));
    EXPECT_EQ(again.compute_capability, 80u);
    EXPECT_FALSE(again.want_cubin);

    gpu::CompileOutcome outcome;
    outcome.compiled = true;
    outcome.ptx = "ptx \xE4";
    outcome.cubin = {0, 1, 255};
    outcome.log = "log";
    outcome.messages = {{false, 3, 4, "text", ""}};
    outcome.is_inconclusive = true;
    const gpu::CompileOutcome same = outcome_from_json(to_json(outcome));
    EXPECT_EQ(std::tie(same.compiled, same.ptx, same.cubin, same.log), std::tie(outcome.compiled, outcome.ptx, outcome.cubin, outcome.log));
    EXPECT_TRUE(same.is_inconclusive);
    ASSERT_EQ(same.messages.size(), 1u);
    EXPECT_FALSE(same.messages[0].is_error);
    EXPECT_EQ(same.messages[0].line, 3u);
    EXPECT_EQ(same.messages[0].column, 4u);
    EXPECT_EQ(same.messages[0].text, "text");
}

}  // namespace
}  // namespace optiml::workers
