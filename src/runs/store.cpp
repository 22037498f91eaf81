#include "runs/store.h"

#include <filesystem>
#include <mutex>

#include <fmt/format.h>

#include "runs/database.h"
#include "runs/run_locks.h"
#include "runs/schema.h"

namespace optiml::runs {
namespace {

constexpr std::string_view kRunColumns = "id, name, created, state, settings, result, seconds";

class SqliteStore final : public Store {
public:
    SqliteStore(Database database, RunLocks locks) : database_(std::move(database)), locks_(std::move(locks)) {}

    Result<RunId> create_run(std::string_view name, std::string_view settings) override {
        const std::lock_guard lock(mutex_);
        auto transaction = Transaction::begin(database_);
        if (!transaction) return tl::make_unexpected(transaction.error());
        auto number = next_number(name);
        if (!number) return tl::make_unexpected(number.error());
        auto insert = database_.prepare(
            "INSERT INTO runs (name, base_name, number, created, state, settings) "
            "VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'running', ?)");
        if (!insert) return tl::make_unexpected(insert.error());
        Status status = insert->bind(fmt::format("{}-{}", name, *number)).bind(name).bind(*number).bind(settings).run();
        if (!status) return tl::make_unexpected(status.error());
        const RunId run = database_.last_row();
        locks_.acquire(run);  // nobody else knows of it yet
        if (status = transaction->commit(); !status) return tl::make_unexpected(status.error());
        return run;
    }

    Status take_run(const RunRecord& run) override {
        {
            const std::lock_guard lock(mutex_);
            if (!locks_.acquire(run.id)) {
                return user_error(fmt::format("another process is at work on run {}", run.name), {}, "Wait for it, or end it first.");
            }
        }
        return write("UPDATE runs SET state = 'running' WHERE id = ?", run.id);
    }

    Status finish_run(RunId run, std::string_view state, std::string_view result) override {
        Status status = write("UPDATE runs SET state = ?, result = ? WHERE id = ?", state, result, run);
        const std::lock_guard lock(mutex_);
        locks_.release(run);
        return status;
    }

    Status set_seconds(RunId run, double seconds) override {
        return write("UPDATE runs SET seconds = ? WHERE id = ?", seconds, run);
    }

    Result<RunRecord> find_run(std::string_view name_or_id) override {
        const std::lock_guard lock(mutex_);
        auto select = database_.prepare(fmt::format("SELECT {} FROM runs WHERE name = ? OR CAST(id AS TEXT) = ?", kRunColumns));
        if (!select) return tl::make_unexpected(select.error());
        const Result<bool> row = select->bind(name_or_id).bind(name_or_id).step();
        if (!row) return tl::make_unexpected(row.error());
        if (*row) return run_of(*select);
        return user_error(fmt::format("there is no run '{}' in {}", name_or_id, database_.file()), {}, known_runs());
    }

    Result<std::vector<RunRecord>> list_runs() override {
        const std::lock_guard lock(mutex_);
        return list(-1);
    }

    Status add_node(RunId run, const NodeRecord& node) override {
        return write(
            "INSERT OR REPLACE INTO nodes (run, node, parent, action, candidate, evaluation, reward) VALUES (?, ?, ?, ?, ?, ?, ?)",
            run, node.node, node.parent, node.action, node.candidate, node.evaluation, node.reward);
    }

    Result<std::vector<NodeRecord>> nodes(RunId run) override {
        const std::lock_guard lock(mutex_);
        auto select = database_.prepare(
            "SELECT node, parent, action, candidate, evaluation, reward FROM nodes WHERE run = ? ORDER BY node");
        if (!select) return tl::make_unexpected(select.error());
        select->bind(run);
        std::vector<NodeRecord> nodes;
        while (true) {
            const Result<bool> row = select->step();
            if (!row) return tl::make_unexpected(row.error());
            if (!*row) return nodes;
            nodes.push_back({select->integer(0), select->integer(1), select->text(2), select->text(3), select->text(4), select->real(5)});
        }
    }

    Result<std::optional<std::string>> cached_evaluation(const Digest& key) override {
        const std::lock_guard lock(mutex_);
        auto select = database_.prepare("SELECT evaluation FROM evaluations WHERE key = ?");
        if (!select) return tl::make_unexpected(select.error());
        const Result<bool> row = select->bind(key.hex()).step();
        if (!row) return tl::make_unexpected(row.error());
        return *row ? std::optional(select->text(0)) : std::nullopt;
    }

    Status cache_evaluation(const Digest& key, std::string_view json) override {
        return write(
            "INSERT INTO evaluations (key, evaluation) VALUES (?, ?) "
            "ON CONFLICT (key) DO UPDATE SET evaluation = excluded.evaluation, writes = writes + 1",
            key.hex(), json);
    }

private:
    RunRecord run_of(const Statement& row) const {
        RunRecord run{row.integer(0), row.text(1), row.text(2), row.text(3), row.text(4), row.text(5), row.real(6)};
        if (run.state == "running" && !locks_.is_held(run.id)) run.state = "interrupted";
        return run;
    }

    template <class... Values>
    Status write(std::string_view sql, const Values&... values) {
        const std::lock_guard lock(mutex_);
        auto statement = database_.prepare(sql);
        if (!statement) return tl::make_unexpected(statement.error());
        (statement->bind(values), ...);
        return statement->run();
    }

    Result<std::int64_t> next_number(std::string_view name) {
        auto select = database_.prepare("SELECT COALESCE(MAX(number), 0) + 1 FROM runs WHERE base_name = ?");
        if (!select) return tl::make_unexpected(select.error());
        const Result<bool> row = select->bind(name).step();
        if (!row) return tl::make_unexpected(row.error());
        return select->integer(0);
    }

    Result<std::vector<RunRecord>> list(std::int64_t most) {
        auto select = database_.prepare(fmt::format("SELECT {} FROM runs ORDER BY id DESC LIMIT ?", kRunColumns));
        if (!select) return tl::make_unexpected(select.error());
        select->bind(most);
        std::vector<RunRecord> runs;
        while (true) {
            const Result<bool> row = select->step();
            if (!row) return tl::make_unexpected(row.error());
            if (!*row) return runs;
            runs.push_back(run_of(*select));
        }
    }

    std::string known_runs() {
        const auto latest = list(5);
        if (!latest || latest->empty()) return "The run store is empty.";
        std::string text = "The latest are:";
        for (const RunRecord& run : *latest) text += " " + run.name;
        return text;
    }

    std::mutex mutex_;
    Database database_;
    RunLocks locks_;
};

}  // namespace

Result<std::unique_ptr<Store>> open_store(const std::string& path) {
    std::error_code code;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (!folder.empty()) std::filesystem::create_directories(folder, code);
    if (code) {
        return user_error(fmt::format("cannot create the folder {} of the run store: {}", folder.string(), code.message()), {path},
                          "Name a file in a folder that can be written with --store.");
    }
    auto database = Database::open(path);
    if (!database) return tl::make_unexpected(database.error());
    if (Status status = bring_up_to_date(*database); !status) return tl::make_unexpected(status.error());
    auto locks = RunLocks::open(path);
    if (!locks) return tl::make_unexpected(locks.error());
    return std::make_unique<SqliteStore>(std::move(*database), std::move(*locks));
}

}  // namespace optiml::runs
