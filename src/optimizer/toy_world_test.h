#pragma once
// A world without CUDA for tests of the pipeline. A toy kernel is a line of letters; each letter is an edit that changes its time.

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "optimizer/services.h"

namespace optiml::optimizer {

struct Letter {
    double factor = 1;      // of the time
    bool rejected = false;  // fails verification in the search
    bool fragile = false;   // fails the wider verification only
    const char* accuracy_note = "";
    std::uint32_t spilled = 0;  // bytes a thread that it makes the compiler spill
};

class ToyEvaluator final : public evaluation::Evaluator {
public:
    ToyEvaluator(const std::map<char, Letter>& letters, Thoroughness thoroughness, std::map<std::string, int>& counts,
                 std::mutex& mutex)
        : letters_(letters), thoroughness_(thoroughness), counts_(counts), mutex_(mutex) {}

    evaluation::Evaluation evaluate(const task::Candidate& candidate) override {
        {
            const std::lock_guard lock(mutex_);
            ++counts_[identity() + " " + candidate.source];
        }
        double ms = 1;
        evaluation::Evaluation evaluation;
        evaluation.kernels = {{.kernel = "toy", .lowered_name = "toy"}};
        for (const char c : candidate.source.substr(candidate.source.find(' '))) {
            const auto letter = letters_.find(c);
            if (letter == letters_.end()) continue;
            ms *= letter->second.factor;
            evaluation.accuracy_note += letter->second.accuracy_note;
            evaluation.kernels[0].spill_load_bytes += letter->second.spilled;
            if (letter->second.rejected || (letter->second.fragile && thoroughness_ == Thoroughness::final)) {
                evaluation.findings = {{evaluation::FindingKind::race, std::string("letter ") + c, "toy.cu", 3}};
            }
        }
        if (!evaluation.findings.empty()) return evaluation;
        evaluation.level = evaluation::Level::L2;
        evaluation.accepted = true;
        std::string letters = candidate.source;
        std::sort(letters.begin(), letters.end());  // the order of edits does not matter
        evaluation.ptx = digest_of(letters);
        evaluation.timing = evaluation::Timing{};
        evaluation.timing->device = "emulated:h200";
        evaluation.timing->cold_ms = ms;
        evaluation.timing->warm_ms = 0.25 * ms;
        evaluation.timing->interval = {ms, ms};
        evaluation.profile = evaluation::Profile{};
        evaluation.profile->counters = {{"model_term__dram_ms", 0.9 * ms}, {"smsp__inst_executed.sum", 1000 * ms}};
        return evaluation;
    }
    std::string identity() const override { return thoroughness_ == Thoroughness::search ? "toy search" : "toy final"; }

private:
    const std::map<char, Letter>& letters_;
    const Thoroughness thoroughness_;
    std::map<std::string, int>& counts_;
    std::mutex& mutex_;
};

class ToyExpert final : public experts::Expert {
public:
    explicit ToyExpert(const std::map<char, Letter>& letters) : letters_(letters) {}
    std::string name() const override { return "toy"; }
    std::vector<experts::Proposal> propose(const task::Candidate& candidate, const std::vector<diagnosis::Hypothesis>&) override {
        std::vector<experts::Proposal> proposals;
        for (const auto& [letter, meaning] : letters_) {
            if (candidate.source.find(letter, candidate.source.find(' ')) != std::string::npos) continue;
            proposals.push_back({std::string("add ") + letter, {}, 1, [candidate, c = letter]() -> Result<task::Candidate> {
                                     task::Candidate edited = candidate;
                                     edited.source += c;
                                     edited.edits.push_back({std::string("add_") + c, "toy", {{"n", 1}}, "the end", "memory_bandwidth"});
                                     return edited;
                                 }});
        }
        return proposals;
    }

private:
    const std::map<char, Letter>& letters_;
};

// Everything a pipeline needs, in memory.
struct ToyWorld {
    explicit ToyWorld(std::map<char, Letter> meanings) : letters(std::move(meanings)), store(std::move(*runs::open_store(":memory:"))) {}

    Services services() {
        Services services{disk, clock, log, *store};
        services.jobs = 2;
        services.make_evaluator = [this](const EvaluatorRequest& request) -> Result<std::unique_ptr<evaluation::Evaluator>> {
            return std::make_unique<ToyEvaluator>(letters, request.thoroughness, evaluated, mutex);
        };
        services.make_expert = [this](const task::Task&, std::int64_t) -> Result<std::unique_ptr<experts::Expert>> {
            return std::make_unique<ToyExpert>(letters);
        };
        services.load_task = [this](const TaskChoice&, const Disk&) -> Result<task::Task> {
            MemoryDisk files;
            (void)files.write("toy.cu", source);
            return task::parse_task("kernel = \"toy\"\n[sizes]\nn = 8\n[arguments]\nx = { type = \"f32\", extent = \"n\", role = "
                                    "\"inout\" }\n[launch]\ngrid = 1\nblock = \"n\"\n",
                                    "toy.toml", files);
        };
        services.interrupted = [this] { return static_cast<int>(evaluated.size()) >= stop_after; };
        return services;
    }

    int most_evaluations_of_one() const {
        int most = 0;
        for (const auto& [what, count] : evaluated) most = std::max(most, count);
        return most;
    }

    std::map<char, Letter> letters;
    std::string source = "toy ";
    MemoryDisk disk;
    FakeClock clock;
    SilentLog log;
    std::unique_ptr<runs::Store> store;
    std::map<std::string, int> evaluated;  // how often, by evaluator and source
    std::mutex mutex;
    int stop_after = 1 << 30;
};

}  // namespace optiml::optimizer
