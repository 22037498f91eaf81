#include "emulator/checks/publications.h"

#include <algorithm>

#include "emulator/execution/block.h"

namespace optiml::emulator {
namespace {

std::uint64_t key_of(std::uint32_t block, std::uint32_t warp) { return std::uint64_t{block} << 32 | warp; }

void see(Sightings& sightings, std::uint32_t release) {
    if (!sightings.reached.insert(release).second) return;
    sightings.releases.push_back(release);
    sightings.frontier.push_back(release);
}

}  // namespace

std::uint32_t Publications::add(Release release) {
    releases_.push_back(std::move(release));
    return static_cast<std::uint32_t>(releases_.size() - 1);
}

void Publications::fence(Block& block, Warp& warp, bool block_scope) {
    Witness& witness = warp.witness;
    witness.block_fence = ++block.clock;
    if (block_scope) return;
    witness.device_fence = block.clock;
    witness.known_at_fence.resize(block.warps.size());
    for (const auto& other : block.warps) witness.known_at_fence[other->number()] = block.order.known(warp.number(), other->number());
}

// The release that a strong write of the warp makes now: what its last fence covered, and what other warps fenced before a barrier.
std::uint32_t Publications::release_of(Block& block, Warp& warp) {
    Witness& witness = warp.witness;
    Release release{.block = block.run_index, .to_all = {}, .to_block = {}, .seen = {}};
    for (const auto& other : block.warps) {
        const bool own = other->number() == warp.number();
        const std::uint64_t known = own ? ~std::uint64_t{0} : block.order.known(warp.number(), other->number());
        std::uint64_t visible = std::min(known, other->witness.device_fence);
        if (!own && !witness.known_at_fence.empty()) visible = std::max(visible, witness.known_at_fence[other->number()]);
        release.to_all.push_back(visible);
        release.to_block.push_back(std::max(visible, std::min(known, other->witness.block_fence)));
    }
    const std::vector<std::uint32_t>& seen = witness.sightings.releases;
    const std::vector<std::uint32_t>& seen_by_block = block.sightings.releases;
    const bool nothing_new = witness.published == seen.size() && witness.published_of_block == seen_by_block.size();
    if (witness.last_release != kNoRelease) {
        const Release& last = releases_[witness.last_release];
        if (nothing_new && last.to_all == release.to_all && last.to_block == release.to_block) return witness.last_release;
        release.seen.push_back(witness.last_release);
    }
    release.seen.insert(release.seen.end(), seen.begin() + static_cast<std::ptrdiff_t>(witness.published), seen.end());
    release.seen.insert(release.seen.end(), seen_by_block.begin() + static_cast<std::ptrdiff_t>(witness.published_of_block),
                        seen_by_block.end());
    witness.published = seen.size();
    witness.published_of_block = seen_by_block.size();
    return witness.last_release = add(std::move(release));
}

void Publications::write(Block& block, Warp& warp, std::uint64_t place_number, bool update) {
    Place& place = places_[place_number];
    const std::uint32_t release = release_of(block, warp);
    if (!update || place.head == kNoRelease) {
        place.head = release;
        place.joined = {release};
    } else if (place.joined.insert(release).second) {
        place.head = add({.block = kNoRelease, .to_all = {}, .to_block = {}, .seen = {place.head, release}});
    }
}

void Publications::read(Warp& warp, std::uint64_t place) {
    const auto found = places_.find(place);
    if (found != places_.end() && found->second.head != kNoRelease) see(warp.witness.sightings, found->second.head);
}

void Publications::barrier(Block& block, std::uint32_t warps) {
    for (const auto& warp : block.warps) {
        if ((warps >> warp->number() & 1) == 0) continue;
        Witness& witness = warp->witness;
        for (; witness.shared < witness.sightings.releases.size(); ++witness.shared)
            see(block.sightings, witness.sightings.releases[witness.shared]);
    }
}

bool Publications::look(Sightings& sightings, std::uint32_t own_block, std::uint64_t key, std::uint64_t stamp) {
    for (;;) {
        const auto found = sightings.visible.find(key);
        if (found != sightings.visible.end() && stamp < found->second) return true;
        if (sightings.frontier.empty()) return false;
        const Release& release = releases_[sightings.frontier.back()];
        sightings.frontier.pop_back();
        const std::vector<std::uint64_t>& stamps = release.block == own_block ? release.to_block : release.to_all;
        for (std::uint32_t warp = 0; warp < stamps.size(); ++warp) {
            std::uint64_t& visible = sightings.visible[key_of(release.block, warp)];
            visible = std::max(visible, stamps[warp]);
        }
        for (const std::uint32_t seen : release.seen)
            if (sightings.reached.insert(seen).second) sightings.frontier.push_back(seen);
    }
}

bool Publications::has_seen(Block& block, Warp& warp, std::uint32_t other_block, std::uint32_t other_warp, std::uint64_t stamp) {
    const std::uint64_t key = key_of(other_block, other_warp);
    return look(warp.witness.sightings, block.run_index, key, stamp) || look(block.sightings, block.run_index, key, stamp);
}

}  // namespace optiml::emulator
