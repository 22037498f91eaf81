#include "runs/database.h"

#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

namespace optiml::runs {
namespace {

constexpr int kBusyMilliseconds = 15000;  // how long a write waits for another process

tl::unexpected<Error> error_of(sqlite3* connection, const std::string& file) {
    const int code = connection == nullptr ? SQLITE_NOMEM : sqlite3_errcode(connection);
    const std::string reason = connection == nullptr ? "out of memory" : sqlite3_errmsg(connection);
    const std::string what = fmt::format("run store {}: {}", file, reason);
    switch (code & 0xff) {
        case SQLITE_FULL:
            return environment_error(what, "The disk is full. What was saved is kept: make room and resume the run.");
        case SQLITE_IOERR:
            return environment_error(what, "The disk cannot be written (full or failing). What was saved is kept: mend it and resume the run.");
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return environment_error(what, "Another process holds the run store for long. Try again, or name another with --store.");
        case SQLITE_READONLY:
        case SQLITE_CANTOPEN:
        case SQLITE_PERM:
        case SQLITE_AUTH:
            return user_error(what, {file}, "Name a file in a folder that can be written with --store.");
        case SQLITE_NOTADB:
        case SQLITE_CORRUPT:
            return user_error(what, {file}, "The file is no run store or is damaged: name another with --store, or move it away.");
        default:
            return internal_error(what);
    }
}

}  // namespace

Statement::Statement(sqlite3* connection, const std::string& file, sqlite3_stmt* statement)
    : connection_(connection), file_(file), statement_(statement) {}

Statement::Statement(Statement&& other) noexcept
    : connection_(other.connection_), file_(other.file_), statement_(std::exchange(other.statement_, nullptr)), bound_(other.bound_) {}

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement& Statement::bind(std::string_view text) {
    sqlite3_bind_text64(statement_, ++bound_, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    return *this;
}

Statement& Statement::bind(std::int64_t number) {
    sqlite3_bind_int64(statement_, ++bound_, number);
    return *this;
}

Statement& Statement::bind(double number) {
    sqlite3_bind_double(statement_, ++bound_, number);
    return *this;
}

Result<bool> Statement::step() {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    return error_of(connection_, file_);
}

Status Statement::run() {
    while (true) {
        const Result<bool> row = step();
        if (!row) return tl::make_unexpected(row.error());
        if (!*row) return {};
    }
}

std::string Statement::text(int column) const {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return bytes == nullptr ? std::string() : std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_, column); }
double Statement::real(int column) const { return sqlite3_column_double(statement_, column); }

Database::Database(sqlite3* connection, std::string file)
    : connection_(connection), file_(std::make_unique<const std::string>(std::move(file))) {}

Database::Database(Database&& other) noexcept
    : connection_(std::exchange(other.connection_, nullptr)), file_(std::move(other.file_)) {}

Database::~Database() { sqlite3_close_v2(connection_); }

Result<Database> Database::open(const std::string& file) {
    sqlite3* connection = nullptr;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX;
    const int code = sqlite3_open_v2(file.c_str(), &connection, flags, nullptr);
    Database database(connection, file);  // also closes one that failed to open
    if (code != SQLITE_OK) return error_of(connection, file);
    sqlite3_busy_timeout(connection, kBusyMilliseconds);
    return database;
}

Status Database::execute(const std::string& sql) {
    if (sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
    return error_of(connection_, *file_);
}

Result<Statement> Database::prepare(std::string_view sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(connection_, sql.data(), static_cast<int>(sql.size()), &statement, nullptr) != SQLITE_OK) {
        return error_of(connection_, *file_);
    }
    return Statement(connection_, *file_, statement);
}

std::int64_t Database::last_row() const { return sqlite3_last_insert_rowid(connection_); }
bool Database::is_busy() const { return (sqlite3_errcode(connection_) & 0xff) == SQLITE_BUSY; }

Result<Transaction> Transaction::begin(Database& database) {
    if (Status status = database.execute("BEGIN IMMEDIATE"); !status) return tl::make_unexpected(status.error());
    return Transaction(database);
}

Transaction::Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}

Transaction::~Transaction() {
    if (database_ != nullptr) (void)database_->execute("ROLLBACK");
}

Status Transaction::commit() {
    Status status = database_->execute("COMMIT");
    if (status) database_ = nullptr;
    return status;
}

}  // namespace optiml::runs
