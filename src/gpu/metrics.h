#pragma once
// Hardware counters by Nsight Compute name, in tiers of growing cost. Works without a driver: which metrics a chip has and how many
// passes a set needs can be asked anywhere (CUPTI's host interface).

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace optiml::gpu {

// Each tier holds those before it. Pass counts on GH100: 1, 2, 4 and about 13.
enum class MetricTier : std::uint8_t { one_pass, two_passes, four_passes, full };

// Metrics of a tier for a chip ("GH100"). GB20x name DRAM traffic differently.
std::vector<std::string> metrics_of(MetricTier tier, const std::string& chip);

// A set of metrics ready to be collected on one chip.
struct MetricSet {
    std::string chip;
    std::vector<std::string> names;
    std::vector<std::uint8_t> configuration;  // CUPTI's config image
    std::uint32_t passes = 0;
};

class Cupti;

// CUPTI's host side. Errors (environment): CUPTI or its metric library (nvperf) is not there; (internal) it refuses a metric.
class MetricTables {
public:
    static Result<std::unique_ptr<MetricTables>> load();

    Result<std::vector<std::string>> chips() const;
    // Every base metric the chip has, without suffixes.
    Result<std::vector<std::string>> base_metrics(const std::string& chip) const;
    // availability: the device's counter-availability image, empty where there is no device.
    Result<MetricSet> configure(const std::string& chip, const std::vector<std::string>& names,
                                const std::vector<std::uint8_t>& availability = {}) const;
    // Those that configure() takes.
    std::vector<std::string> available(const std::string& chip, const std::vector<std::string>& names,
                                       const std::vector<std::uint8_t>& availability = {}) const;
    std::string library_path() const;

private:
    explicit MetricTables(const Cupti& cupti) : cupti_(&cupti) {}
    const Cupti* cupti_;
};

}  // namespace optiml::gpu
