#pragma once
// SQLite behind Results: one connection, and statements that bind, step and read.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace optiml::runs {

class Statement {
public:
    Statement(sqlite3* connection, const std::string& file, sqlite3_stmt* statement);
    ~Statement();
    Statement(Statement&& other) noexcept;
    Statement& operator=(Statement&&) = delete;

    // Parameters are bound in order, from 1.
    Statement& bind(std::string_view text);
    Statement& bind(std::int64_t number);
    Statement& bind(double number);
    // true: there is a row; false: done.
    Result<bool> step();
    Status run();  // steps to the end
    std::string text(int column) const;
    std::int64_t integer(int column) const;
    double real(int column) const;

private:
    sqlite3* connection_;
    const std::string& file_;
    sqlite3_stmt* statement_;
    int bound_ = 0;
};

class Database {
public:
    static Result<Database> open(const std::string& file);
    Database(Database&& other) noexcept;
    Database& operator=(Database&&) = delete;
    ~Database();

    Status execute(const std::string& sql);
    Result<Statement> prepare(std::string_view sql);
    std::int64_t last_row() const;
    bool is_busy() const;  // the last call failed because another process holds a lock
    const std::string& file() const { return *file_; }

private:
    Database(sqlite3* connection, std::string file);
    sqlite3* connection_;
    std::unique_ptr<const std::string> file_;  // statements refer to it
};

// Rolls back unless committed. IMMEDIATE: takes the write lock at once, so that what it read is still true when it writes.
class Transaction {
public:
    static Result<Transaction> begin(Database& database);
    Transaction(Transaction&& other) noexcept;
    Transaction& operator=(Transaction&&) = delete;
    ~Transaction();
    Status commit();

private:
    explicit Transaction(Database& database) : database_(&database) {}
    Database* database_;
};

}  // namespace optiml::runs
