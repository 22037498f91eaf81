#pragma once
// Order between threads by releases that were seen: a fence and then a strong write; a strong read of what it wrote.

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace optiml::emulator {

struct Block;
class Warp;

constexpr std::uint32_t kNoRelease = 0xffffffff;

// What is known of releases; looked into only as far as a question needs.
struct Sightings {
    std::vector<std::uint32_t> releases;                       // seen directly, each once
    std::vector<std::uint32_t> frontier;                       // whose own sightings were not looked into yet
    std::unordered_map<std::uint64_t, std::uint64_t> visible;  // (block, warp) -> stamp below which accesses come before
    std::unordered_set<std::uint32_t> reached;                 // looked into or in the frontier
};

// A warp's part in publishing.
struct Witness {
    std::uint64_t block_fence = 0;                // time of the last fence of any scope
    std::uint64_t device_fence = 0;               // of the last one of device scope or wider
    std::vector<std::uint64_t> known_at_fence;    // by warp of the block: stamps that came before that fence
    Sightings sightings;
    std::uint32_t last_release = kNoRelease;
    std::size_t published = 0;                    // of sightings.releases, how many the last release passes on
    std::size_t published_of_block = 0;           // the same for what the whole block has seen
    std::size_t shared = 0;                       // how many a barrier has made known to the block
};

class Publications {
public:
    // A fence by a warp. block_scope: it counts within the block only.
    void fence(Block& block, Warp& warp, bool block_scope);
    // A strong write to a place: a device address, or place_in_shared. update: it read the place as well (an atomic), so that earlier
    // releases there stay seen by whoever reads it.
    void write(Block& block, Warp& warp, std::uint64_t place, bool update);
    // An arrival at an mbarrier: a fence of block scope and an update.
    void arrive(Block& block, Warp& warp, std::uint64_t place) {
        fence(block, warp, true);
        write(block, warp, place, true);
    }
    // A strong read.
    void read(Warp& warp, std::uint64_t place);
    // Warps passed a barrier: what one has seen, all have.
    void barrier(Block& block, std::uint32_t warps);

    // Whether accesses by `other_warp` of `other_block` with this stamp come before what the warp does now.
    bool has_seen(Block& block, Warp& warp, std::uint32_t other_block, std::uint32_t other_warp, std::uint64_t stamp);

    static std::uint64_t place_in_shared(std::uint32_t run_index, std::uint64_t offset) {
        return std::uint64_t{1} << 63 | std::uint64_t{run_index} << 24 | offset;
    }

private:
    // Accesses of the block's warps with stamps below these come before whoever sees the release.
    struct Release {
        std::uint32_t block = kNoRelease;      // run index; none: it only joins others
        std::vector<std::uint64_t> to_all;     // by warp
        std::vector<std::uint64_t> to_block;   // for threads of the same block: fences of block scope count too
        std::vector<std::uint32_t> seen;       // releases that come before this one
    };
    struct Place {
        std::uint32_t head = kNoRelease;       // what a reader sees
        std::unordered_set<std::uint32_t> joined;
    };

    std::uint32_t release_of(Block& block, Warp& warp);
    std::uint32_t add(Release release);
    bool look(Sightings& sightings, std::uint32_t own_block, std::uint64_t key, std::uint64_t stamp);

    std::deque<Release> releases_;
    std::unordered_map<std::uint64_t, Place> places_;
};

}  // namespace optiml::emulator
