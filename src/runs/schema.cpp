#include "runs/schema.h"

#include <chrono>
#include <iterator>
#include <thread>

#include <fmt/format.h>

#include "base/clock.h"
#include "runs/database.h"

namespace optiml::runs {
namespace {

// Step i takes a file from version i to i + 1. Steps are only ever added: files of every older version can be opened.
constexpr const char* kUpgrades[] = {
    R"(
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    base_name TEXT NOT NULL,
    number INTEGER NOT NULL,
    created TEXT NOT NULL,
    state TEXT NOT NULL,
    settings TEXT NOT NULL,
    result TEXT NOT NULL DEFAULT '',
    seconds REAL NOT NULL DEFAULT 0
);
CREATE TABLE nodes (
    run INTEGER NOT NULL REFERENCES runs (id),
    node INTEGER NOT NULL,
    parent INTEGER NOT NULL,
    action TEXT NOT NULL,
    candidate TEXT NOT NULL,
    evaluation TEXT NOT NULL,
    reward REAL NOT NULL,
    PRIMARY KEY (run, node)
) WITHOUT ROWID;
CREATE TABLE evaluations (
    key TEXT PRIMARY KEY,
    evaluation TEXT NOT NULL,
    writes INTEGER NOT NULL DEFAULT 1  -- how often it was found out: more than once tells of wasted work
) WITHOUT ROWID;
)",
};
constexpr std::int64_t kVersion = std::size(kUpgrades);

Result<std::int64_t> version_of(Database& database) {
    auto select = database.prepare("PRAGMA user_version");
    if (!select) return tl::make_unexpected(select.error());
    const Result<bool> row = select->step();
    if (!row) return tl::make_unexpected(row.error());
    return select->integer(0);
}

// The switch to WAL of a new file does not wait for another process's lock by itself.
Status switch_to_wal(Database& database) {
    const SteadyClock clock;
    const Deadline deadline(clock, 15);
    while (true) {
        Status status = database.execute("PRAGMA journal_mode = WAL");
        if (status || !database.is_busy() || deadline.passed()) return status;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

Status upgrade(Database& database) {
    auto transaction = Transaction::begin(database);
    if (!transaction) return tl::make_unexpected(transaction.error());
    const Result<std::int64_t> version = version_of(database);  // again: another process may have been first
    if (!version) return tl::make_unexpected(version.error());
    for (std::int64_t i = *version; i < kVersion; ++i) {
        if (Status status = database.execute(kUpgrades[i]); !status) return status;
    }
    if (Status status = database.execute(fmt::format("PRAGMA user_version = {}", kVersion)); !status) return status;
    return transaction->commit();
}

}  // namespace

Status bring_up_to_date(Database& database) {
    const Result<std::int64_t> version = version_of(database);
    if (!version) return tl::make_unexpected(version.error());
    if (*version > kVersion) {
        return user_error(fmt::format("run store {} is of version {}, newer than this program's {}", database.file(), *version, kVersion),
                          {database.file()}, "Use a newer OptiML, or name another file with --store.");
    }
    if (Status status = switch_to_wal(database); !status) return status;
    // FULL: a write is on the disk when it returns, also if the machine loses power.
    if (Status status = database.execute("PRAGMA synchronous = FULL"); !status) return status;
    return *version < kVersion ? upgrade(database) : Status();
}

}  // namespace optiml::runs
