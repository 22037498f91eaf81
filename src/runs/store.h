#pragma once
// The run store: SQLite in WAL mode. Everything that happened in a run, and the evaluation cache, content-addressed.
// Several processes may use one file at once. All functions may be called from several threads.
// Errors: user (a path that cannot be used, an unknown run, a file of a newer version), environment (full disk, a file that stays locked).

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/result.h"

namespace optiml::runs {

using RunId = std::int64_t;

struct RunRecord {
    RunId id = 0;
    std::string name;         // "softmax-3": unique, made of the name given and a number
    std::string created;      // ISO 8601, UTC
    std::string state;        // "running", "done", "interrupted" (also: its process died), "failed"
    std::string settings;     // JSON: all that is needed to resume
    std::string result;       // JSON: the final answer, empty while running
    double seconds = 0;       // spent so far, over all its resumptions
};

struct NodeRecord {
    std::int64_t node = 0;    // within the run, from 0 (the original)
    std::int64_t parent = -1;
    std::string action;
    std::string candidate;    // JSON
    std::string evaluation;   // JSON; empty: not evaluated
    double reward = 0;
    bool operator==(const NodeRecord&) const = default;
};

class Store {
public:
    virtual ~Store() = default;
    // The run is named `name`-N with the next free number N, and is this process's as if taken.
    virtual Result<RunId> create_run(std::string_view name, std::string_view settings) = 0;
    // This process works on the run, which is "running" from now on until it is finished or the process ends. Error (user): another one
    // works on it.
    virtual Status take_run(const RunRecord& run) = 0;
    virtual Status finish_run(RunId run, std::string_view state, std::string_view result) = 0;
    virtual Status set_seconds(RunId run, double seconds) = 0;
    // By name, or by number. Error (user): there is none; lists the latest.
    virtual Result<RunRecord> find_run(std::string_view name_or_id) = 0;
    virtual Result<std::vector<RunRecord>> list_runs() = 0;  // the latest first
    // A node that is there already is replaced: a resumed run tells its story again.
    virtual Status add_node(RunId run, const NodeRecord& node) = 0;
    virtual Result<std::vector<NodeRecord>> nodes(RunId run) = 0;  // in order
    // The evaluation cache, shared by all runs. A write is durable when it returns.
    virtual Result<std::optional<std::string>> cached_evaluation(const Digest& key) = 0;
    virtual Status cache_evaluation(const Digest& key, std::string_view json) = 0;
};

// Opens or creates the database file and its folder; ":memory:" for tests.
Result<std::unique_ptr<Store>> open_store(const std::string& path);

}  // namespace optiml::runs
