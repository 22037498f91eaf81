#pragma once
// For tests: the instruction forms of lane_forms.txt, each with the kinds of its sources and what an NVIDIA H200 computed for
// lane_inputs.h (compute capability 9.0, driver 580.159, ptxas 13.0), as a fingerprint of all results.
//
// A line is: fingerprint, kinds, instruction; separated by tabs. Source k is register number k, the destination number 0, further
// destinations 9, 8 and 7. The kind 'c' is the carry flag before the instruction; the flag after it counts as a last destination.
// The fingerprint "approximate" stands for forms whose results PTX leaves open in the last places.

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace optiml::emulator {

struct LaneForm {
    std::string fingerprint;
    std::string kinds;  // letters of InputKind; "-": none
    std::string text;
};

inline std::vector<LaneForm> read_lane_forms(const std::string& file) {
    std::vector<LaneForm> forms;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        std::istringstream fields(line);
        LaneForm form;
        std::getline(fields, form.fingerprint, '\t');
        std::getline(fields, form.kinds, '\t');
        std::getline(fields, form.text);
        if (form.kinds == "-") form.kinds.clear();
        forms.push_back(form);
    }
    return forms;
}

// A hash of a sequence of values (FNV-1a, a value at a time, folded).
class Fingerprint {
public:
    void add(std::uint64_t value) { hash_ = (hash_ ^ value) * 0x100000001b3ull ^ hash_ >> 47; }
    std::string text() const {
        std::ostringstream stream;
        stream << std::hex << hash_;
        return stream.str();
    }

private:
    std::uint64_t hash_ = 0xcbf29ce484222325ull;
};

}  // namespace optiml::emulator
