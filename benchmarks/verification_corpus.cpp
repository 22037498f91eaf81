// verification_corpus [FILTER] [--out FILE.json] [--threads N]: verifies the corpus of tests/correctness/corpus and reports how many of its faulty
// variants are found, how many of its honest ones are rejected, and how long that takes.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gpu/compiler.h"
#include "verification_corpus.h"

namespace optiml::evaluation {
namespace {

const std::filesystem::path kCorpus = std::string(OPTIML_SOURCE_DIR) + "/tests/correctness/corpus";

struct Options {
    std::string filter;  // variants whose file holds this text
    std::string out;
    EmulatedSettings settings;
};

struct Verified {
    const CorpusVariant* variant = nullptr;
    CorpusOutcome outcome = CorpusOutcome::accepted;
    double seconds = 0;
    std::vector<Finding> findings;
};

std::string kind_of(const CorpusVariant& variant) { return variant.wrong ? variant.kinds.front() : "honest"; }

class Run {
public:
    Run(const Options& options, gpu::Compiler& compiler) : options_(options), compiler_(compiler) {}

    Status verify(const CorpusBase& base) {
        if (!is_wanted(base)) return {};
        auto bench = CorpusBench::make(kCorpus, base, compiler_, disk_, options_.settings);
        if (!bench) return tl::make_unexpected(bench.error());
        // The references are made once a task: apart from the candidates' times.
        const double seconds = seconds_of([&] {
            if (!bench->evaluate_original().accepted) std::printf("%s: the original is rejected\n", base.name.c_str());
        });
        original_seconds_.push_back(seconds);
        for (const Finding& finding : bench->original_findings()) tell("the original has", finding);
        for (const CorpusVariant& variant : base.variants) {
            if (Status status = verify(*bench, variant); !status) return status;
        }
        return {};
    }

    const std::vector<Verified>& results() const { return results_; }

    void print_summary() const {
        std::map<std::string, std::map<CorpusOutcome, int>> by_kind;
        std::map<CorpusOutcome, int> total;
        for (const Verified& result : results_) {
            ++by_kind[kind_of(*result.variant)][result.outcome];
            ++total[result.outcome];
        }
        std::printf("\n%-18s %7s %11s %7s %9s %12s\n", "expected", "found", "other kind", "missed", "accepted", "false alarm");
        for (auto& [kind, counts] : by_kind) print_row(kind, counts);
        print_row("all", total);
        const std::vector<double> seconds = sorted_seconds();
        if (seconds.empty()) return;
        std::printf("\nseconds a candidate: mean %.2f, median %.2f, largest %.2f; an original with its references: mean %.2f\n", mean(seconds),
                    seconds[seconds.size() / 2], seconds.back(), mean(original_seconds_));
    }

    std::string json() const {
        nlohmann::json variants = nlohmann::json::array();
        std::map<std::string, int> counts;
        for (const Verified& result : results_) {
            ++counts[std::string(name_of(result.outcome))];
            nlohmann::json kinds = nlohmann::json::array();
            for (const Finding& finding : result.findings) kinds.push_back(name_of(finding.kind));
            variants.push_back({{"file", result.variant->file}, {"outcome", name_of(result.outcome)}, {"seconds", result.seconds}, {"findings", kinds}});
        }
        const std::vector<double> seconds = sorted_seconds();
        const nlohmann::json times{{"mean", mean(seconds)}, {"median", seconds[seconds.size() / 2]}, {"largest", seconds.back()}};
        return nlohmann::json{{"counts", counts}, {"seconds_a_candidate", times}, {"variants", variants}}.dump(1) + "\n";
    }

private:
    bool is_wanted(const CorpusVariant& variant) const { return variant.file.find(options_.filter) != std::string::npos; }
    bool is_wanted(const CorpusBase& base) const {
        return std::any_of(base.variants.begin(), base.variants.end(), [&](const CorpusVariant& variant) { return is_wanted(variant); });
    }

    template <class Work>
    static double seconds_of(Work work) {
        const auto start = std::chrono::steady_clock::now();
        work();
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }

    static double mean(const std::vector<double>& values) {
        return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    }

    std::vector<double> sorted_seconds() const {
        std::vector<double> seconds;
        for (const Verified& result : results_) seconds.push_back(result.seconds);
        std::sort(seconds.begin(), seconds.end());
        return seconds;
    }

    Status verify(const CorpusBench& bench, const CorpusVariant& variant) {
        if (!is_wanted(variant)) return {};
        Result<Evaluation> evaluation = Evaluation{};
        const double seconds = seconds_of([&] { evaluation = bench.evaluate(variant); });
        if (!evaluation) return tl::make_unexpected(evaluation.error());
        const CorpusOutcome outcome = outcome_of(variant, *evaluation);
        std::printf("%-45s %-12s %6.2f s\n", variant.file.c_str(), std::string(name_of(outcome)).c_str(), seconds);
        const bool as_expected = outcome == CorpusOutcome::found || outcome == CorpusOutcome::accepted;
        if (!as_expected) {
            if (variant.wrong) std::printf("    %s, line %u: %s\n", kind_of(variant).c_str(), variant.line, variant.fault.c_str());
            for (const Finding& finding : evaluation->findings) tell("   ", finding);
        }
        std::fflush(stdout);
        results_.push_back({&variant, outcome, seconds, std::move(evaluation->findings)});
        return {};
    }

    static void tell(const char* head, const Finding& finding) {
        std::string sizes;
        for (const auto& [name, value] : finding.sizes) sizes += fmt::format(" {}={}", name, value);
        fmt::print("{} {} line {}: {} [{} {}]\n", head, name_of(finding.kind), finding.line, finding.message, sizes, finding.pattern);
    }

    static void print_row(const std::string& kind, std::map<CorpusOutcome, int> counts) {
        std::printf("%-18s %7d %11d %7d %9d %12d\n", kind.c_str(), counts[CorpusOutcome::found], counts[CorpusOutcome::other_kind],
                    counts[CorpusOutcome::missed], counts[CorpusOutcome::accepted], counts[CorpusOutcome::false_alarm]);
    }

    const Options& options_;
    gpu::Compiler& compiler_;
    RealDisk disk_;
    std::vector<Verified> results_;
    std::vector<double> original_seconds_;
};

Options options_of(int count, char** arguments) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i];
        if (argument == "--out" && i + 1 < count) options.out = arguments[++i];
        else if (argument == "--threads" && i + 1 < count) options.settings.host_threads = static_cast<std::uint32_t>(std::stoul(arguments[++i]));
        else options.filter = argument;
    }
    return options;
}

int fail(const Error& error) {
    std::fprintf(stderr, "%s\n", error.text().c_str());
    return 2;
}

int main_of(const Options& options) {
    RealDisk disk;
    const auto bases = read_corpus(kCorpus, disk);
    if (!bases) return fail(bases.error());
    const auto compiler = gpu::load_compiler();
    if (!compiler) return fail(compiler.error());
    Run run(options, **compiler);
    for (const CorpusBase& base : *bases) {
        if (const Status status = run.verify(base); !status) std::printf("%s: %s\n", base.name.c_str(), status.error().text().c_str());
    }
    run.print_summary();
    if (options.out.empty() || run.results().empty()) return 0;
    if (const Status status = disk.write(options.out, run.json()); !status) return fail(status.error());
    return 0;
}

}  // namespace
}  // namespace optiml::evaluation

int main(int count, char** arguments) { return optiml::evaluation::main_of(optiml::evaluation::options_of(count, arguments)); }
