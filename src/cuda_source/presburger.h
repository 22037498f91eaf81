#pragma once
// Integer constraint systems in isl's text form, decided by isl under an operation limit.

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

struct isl_ctx;

namespace optiml::cuda_source {

// A conjunction over parameters and variables. Constraints are isl text: "0 <= t1 < 256", "not (a = b)", "q = floor((x)/4)".
struct System {
    std::set<std::string> parameters;
    std::vector<std::string> variables;
    std::vector<std::string> constraints;

    void add(std::string constraint) { constraints.push_back(std::move(constraint)); }
    std::string text(const std::vector<std::string>& tuple) const;  // the set of values that the tuple's expressions take
};

enum class Verdict { empty, inhabited, unknown };

// Not for several threads at once.
class Presburger {
public:
    explicit Presburger(unsigned long most_operations = 400000);
    ~Presburger();
    Presburger(const Presburger&) = delete;
    Presburger& operator=(const Presburger&) = delete;

    Verdict decide(const System& system);
    // The one value that the expression takes; nullopt if it takes none, several, or one that depends on parameters.
    std::optional<std::int64_t> fixed_value(const System& system, const std::string& expression);
    // How many different values the tuple takes; nullopt where parameters are left or the limit is reached.
    std::optional<std::int64_t> count(const System& system, const std::vector<std::string>& tuple);

private:
    void restart();

    struct Free {
        void operator()(isl_ctx* context) const;
    };
    std::unique_ptr<isl_ctx, Free> context_;
};

}  // namespace optiml::cuda_source
