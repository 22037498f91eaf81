#include "optimizer/run_log.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace optiml::optimizer {
namespace {

// Sources and messages may hold bytes that are no UTF-8.
std::string text_of(const nlohmann::json& json) { return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }

std::string candidate_json(const task::Candidate& candidate) {
    nlohmann::json edits = nlohmann::json::array();
    for (const task::Edit& edit : candidate.edits) {
        edits.push_back({{"transformation", edit.transformation},
                         {"expert", edit.expert},
                         {"parameters", edit.parameters},
                         {"site", edit.site},
                         {"hypothesis", edit.hypothesis}});
    }
    return text_of({{"source", candidate.source}, {"plan", candidate.plan.canonical_text()}, {"edits", edits}});
}

// Without counters, which are in the evaluation cache.
std::string outcome_json(const KernelState& state) {
    nlohmann::json json = {{"accepted", state.evaluation.accepted}, {"level", name_of(state.evaluation.level)}};
    if (state.evaluation.timing) json["cold_ms"] = state.evaluation.timing->cold_ms;
    if (const evaluation::Finding* finding = state.evaluation.first_finding()) {
        json["finding"] = name_of(finding->kind);
        json["message"] = finding->message;
    }
    return text_of(json);
}

std::string outcome_text(const search::Event& event, const KernelState& state, double speedup) {
    if (event.kind == search::Event::Kind::transposed) return "seen before";
    if (const evaluation::Finding* finding = state.evaluation.first_finding()) return std::string(name_of(finding->kind));
    return fmt::format("x {:.3f}", speedup);
}

}  // namespace

void RunLog::original() { save(0); }

void RunLog::event(const search::Event& event) {
    if (event.kind == search::Event::Kind::finished) return;
    const KernelState& state = problem_.state(event.state);
    save(event.state);
    keep(services_.store.set_seconds(run_.id, seconds()));
    Progress progress;
    progress.run = run_.name;
    progress.budget = budget_;
    progress.evaluations = event.progress.evaluations;
    progress.seconds = seconds();
    progress.best_speedup = std::exp(event.progress.best_value);
    progress.action = event.action;
    const double original_ms = problem_.state(0).evaluation.timing->cold_ms;
    progress.outcome = outcome_text(event, state, state.evaluation.timing ? original_ms / state.evaluation.timing->cold_ms : 0);
    progress.improved = event.kind == search::Event::Kind::improved;
    services_.on_progress(progress);
}

void RunLog::save(search::StateId id) {
    const KernelState& state = problem_.state(id);
    runs::NodeRecord node;
    node.node = id;
    node.parent = id == 0 ? -1 : static_cast<std::int64_t>(state.parent);
    node.action = state.action;
    node.candidate = candidate_json(state.candidate);
    node.evaluation = outcome_json(state);
    node.reward = state.reward.total;
    keep(services_.store.add_node(run_.id, node));
}

void RunLog::keep(const Status& status) {
    if (!status && !failure_) failure_ = status.error();
}

}  // namespace optiml::optimizer
