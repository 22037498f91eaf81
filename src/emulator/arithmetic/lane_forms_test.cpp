// Every form of lane_forms.txt at every level: the device's results, inactive lanes untouched, destinations that are sources.

#include "emulator/arithmetic/lane_forms.h"

#include <map>

#include <gtest/gtest.h>

#include "emulator/arithmetic/lane_inputs.h"
#include "emulator/arithmetic/lane_rows.h"

namespace optiml::emulator {
namespace {

constexpr std::uint32_t kWarps = kInputCount / kLanes;
constexpr Level kLevels[] = {Level::baseline, Level::v3, Level::v4};
constexpr std::uint64_t kMarker = 0x5a5a5a5a'a5a5a5a5ull;

const std::vector<LaneForm>& forms() {
    static const auto read = read_lane_forms(OPTIML_SOURCE_DIR "/src/emulator/arithmetic/lane_forms.txt");
    return read;
}

const std::vector<std::uint64_t>& cached_values(char kind, std::uint32_t index) {
    static std::map<std::pair<char, std::uint32_t>, std::vector<std::uint64_t>> cache;
    auto& values = cache[{kind, index}];
    if (values.empty()) values = input_values(InputKind{kind}, index);
    return values;
}

// Sets the sources to the values of one warp.
void set_sources(LaneRows& rows, const std::string& kinds, std::uint32_t warp) {
    for (std::uint32_t index = 0; index < kinds.size(); ++index) {
        const auto& values = cached_values(kinds[index], index);
        Lanes lanes;
        for (int lane = 0; lane < kLanes; ++lane) lanes[lane] = values[warp * kLanes + lane];
        if (kinds[index] != 'c') {
            rows.set_numbered(static_cast<int>(index) + 1, lanes);
            continue;
        }
        rows.carry = 0;
        for (int lane = 0; lane < kLanes; ++lane) rows.carry |= static_cast<LaneMask>(lanes[lane] & 1) << lane;
    }
}

void mark_destinations(LaneRows& rows) {
    Lanes marker;
    marker.fill(kMarker);
    for (std::size_t index = 0; index < rows.destination_count(); ++index)
        if (!rows.is_sink(index)) rows.set_destination(index, marker);
}

using Results = std::vector<std::vector<std::uint64_t>>;  // by destination, then number; the carry flag last

Results results_of(LaneRows& rows, LaneFunction function, const LaneForm& form) {
    const bool has_carry = form.kinds.find('c') != std::string::npos;
    Results results(rows.destination_count() + (has_carry ? 1 : 0));
    for (std::uint32_t warp = 0; warp < kWarps; ++warp) {
        set_sources(rows, form.kinds, warp);
        rows.run(function);
        for (std::size_t index = 0; index < rows.destination_count(); ++index) {
            if (rows.is_sink(index)) continue;
            const Lanes lanes = rows.destination(index);
            results[index].insert(results[index].end(), lanes.begin(), lanes.end());
        }
        if (has_carry)
            for (int lane = 0; lane < kLanes; ++lane) results.back().push_back(rows.carry >> lane & 1);
    }
    return results;
}

std::string fingerprint_of(const Results& results) {
    Fingerprint fingerprint;
    for (const auto& values : results)
        for (const std::uint64_t value : values) fingerprint.add(value);
    return fingerprint.text();
}

TEST(LaneForms, GiveTheResultsOfTheDeviceAtEveryLevel) {
    ASSERT_GT(forms().size(), 1400u);
    for (const LaneForm& form : forms()) {
        auto rows = LaneRows::parse(form.text);
        ASSERT_TRUE(rows) << form.text;
        std::string expected = form.fingerprint;
        for (const Level level : kLevels) {
            if (!is_offered(level)) continue;
            const LaneFunction function = rows->find(level);
            ASSERT_NE(function, nullptr) << form.text;
            const std::string found = fingerprint_of(results_of(*rows, function, form));
            if (expected == "approximate") expected = found;  // then the levels agree with each other
            EXPECT_EQ(found, expected) << form.text << " at level " << static_cast<int>(level);
        }
    }
}

TEST(LaneForms, LeaveInactiveLanesAlone) {
    for (const LaneForm& form : forms()) {
        auto rows = LaneRows::parse(form.text);
        ASSERT_TRUE(rows) << form.text;
        const LaneFunction function = find_lane_function(best_level(), rows->function(), rows->instruction());
        const Results full = results_of(*rows, function, form);
        for (std::uint32_t warp = 0; warp < kWarps; warp += 7) {
            const auto active = static_cast<LaneMask>(inputs::scramble(warp));
            set_sources(*rows, form.kinds, warp);
            mark_destinations(*rows);
            std::vector<Lanes> before;
            for (std::size_t index = 0; index < rows->destination_count(); ++index)
                before.push_back(rows->is_sink(index) ? Lanes{} : rows->destination(index));
            const LaneMask carry = rows->carry;
            rows->run(function, active);
            for (std::size_t index = 0; index < rows->destination_count(); ++index) {
                if (rows->is_sink(index)) continue;
                const Lanes after = rows->destination(index);
                for (int lane = 0; lane < kLanes; ++lane)
                    EXPECT_EQ(after[lane], active >> lane & 1 ? full[index][warp * kLanes + lane] : before[index][lane]) << form.text;
            }
            EXPECT_EQ(rows->carry & ~active, carry & ~active) << form.text;
        }
    }
}

// The form with destination 0 replaced by source `digit`; empty if their registers differ in class.
std::string aliased(const std::string& text, char digit) {
    const std::size_t destination = text.find("0,") - 2;
    if (destination > text.size()) return "";
    const std::string source = text.substr(destination, 2) + digit;
    if (text[destination] != '%' || text.find(source) == std::string::npos) return "";
    return text.substr(0, destination) + source + text.substr(destination + 3);
}

TEST(LaneForms, AllowTheDestinationToBeASource) {
    std::size_t tried = 0;
    for (const LaneForm& form : forms()) {
        for (const char digit : {'1', '2', '3'}) {
            const std::string text = aliased(form.text, digit);
            if (text.empty()) continue;
            auto apart = LaneRows::parse(form.text), same = LaneRows::parse(text);
            ASSERT_TRUE(apart && same) << text;
            const LaneFunction function = apart->find(best_level());
            ASSERT_EQ(same->find(best_level()), function) << text;
            EXPECT_EQ(fingerprint_of(results_of(*same, function, form)), fingerprint_of(results_of(*apart, function, form))) << text;
            ++tried;
        }
    }
    EXPECT_GT(tried, 1000u);
}

}  // namespace
}  // namespace optiml::emulator
