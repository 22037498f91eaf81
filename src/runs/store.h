#pragma once
// The run store: SQLite in WAL mode. Everything that happened in a run, and the evaluation cache, content-addressed.

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
    std::string name;         // "softmax-3"
    std::string created;      // ISO 8601, UTC
    std::string state;        // "running", "done", "interrupted"
    std::string settings;     // JSON: all that is needed to resume
    std::string result;       // JSON: the final answer, empty while running
};

struct NodeRecord {
    std::int64_t node = 0;    // within the run, from 0 (the original)
    std::int64_t parent = -1;
    std::string action;
    std::string candidate;    // JSON
    std::string evaluation;   // JSON; empty: not evaluated
    double reward = 0;
};

class Store {
public:
    virtual ~Store() = default;
    virtual Result<RunId> create_run(std::string_view name, std::string_view settings) = 0;
    virtual Status finish_run(RunId run, std::string_view state, std::string_view result) = 0;
    virtual Result<RunRecord> find_run(std::string_view name_or_id) = 0;
    virtual Result<std::vector<RunRecord>> list_runs() = 0;
    virtual Status add_node(RunId run, const NodeRecord& node) = 0;
    virtual Result<std::vector<NodeRecord>> nodes(RunId run) = 0;
    // The evaluation cache, shared by all runs. A write is durable when it returns.
    virtual Result<std::optional<std::string>> cached_evaluation(const Digest& key) = 0;
    virtual Status cache_evaluation(const Digest& key, std::string_view json) = 0;
};

// Opens or creates the database file; ":memory:" for tests. Errors (user/environment): path not writable, full disk, newer schema.
Result<std::unique_ptr<Store>> open_store(const std::string& path);

}  // namespace optiml::runs
