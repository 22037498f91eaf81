#include "emulator/counting/shared_banks.h"

#include <algorithm>
#include <array>
#include <bit>

namespace optiml::emulator {
namespace {

constexpr std::uint32_t kBanks = 32;
constexpr std::uint32_t kBankBytes = 4;

// Words wanted of each bank; equal words count once, unless `repeated`.
class Banks {
public:
    explicit Banks(bool repeated) : repeated_(repeated) {}

    void add(std::uint64_t word) {
        const std::uint32_t bank = word % kBanks;
        std::uint32_t& count = counts_[bank];
        if (!repeated_) {
            const auto begin = words_[bank].begin();
            if (std::find(begin, begin + count, word) != begin + count) return;
            words_[bank][count] = word;
        }
        deepest_ = std::max(deepest_, ++count);
        ++total_;
    }

    std::uint32_t deepest() const { return deepest_; }
    std::uint32_t words() const { return total_; }

private:
    bool repeated_;
    std::uint32_t deepest_ = 0;
    std::uint32_t total_ = 0;
    std::array<std::uint32_t, kBanks> counts_{};
    std::array<std::array<std::uint64_t, kLanes>, kBanks> words_;  // only the first counts_[bank] are set
};

bool conflict_free(std::uint32_t bytes, const std::uint64_t* addresses) {
    std::uint64_t difference = 0;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) difference |= addresses[lane] ^ (addresses[0] + std::uint64_t{lane} * bytes);
    return difference == 0;
}

BankUse bank_use(LaneMask active, std::uint32_t bytes, const std::uint64_t* addresses, bool repeated) {
    const std::uint32_t words = std::max(1u, bytes / kBankBytes);
    Banks banks(repeated);
    for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
        const std::uint64_t word = addresses[std::countr_zero(rest)] / kBankBytes;
        for (std::uint32_t i = 0; i < words; ++i) banks.add(word + i);
    }
    const std::uint32_t needed = (banks.words() + kBanks - 1) / kBanks;
    return {banks.deepest(), banks.deepest() - needed};
}

BankUse halves_bank_use(LaneMask active, std::uint32_t bytes, const std::uint64_t* addresses, bool repeated) {
    const BankUse lower = bank_use(active & 0xffff, bytes, addresses, repeated);
    const BankUse upper = bank_use(active & 0xffff0000, bytes, addresses, repeated);
    return {lower.wavefronts + upper.wavefronts, lower.conflicts + upper.conflicts};
}

}  // namespace

BankUse shared_bank_use(LaneMask active, std::uint32_t bytes, const std::uint64_t* addresses) {
    if (active == ~LaneMask{0} && bytes >= kBankBytes && addresses[0] % bytes == 0 && conflict_free(bytes, addresses)) {
        return {bytes / kBankBytes, 0};
    }
    return bytes == 16 ? halves_bank_use(active, bytes, addresses, false) : bank_use(active, bytes, addresses, false);
}

BankUse shared_atomic_bank_use(LaneMask active, std::uint32_t bytes, const std::uint64_t* addresses) {
    return bank_use(active, bytes, addresses, true);
}

}  // namespace optiml::emulator
