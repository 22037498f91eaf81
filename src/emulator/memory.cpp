#include "emulator/memory.h"

#include "emulator/checks/access_history.h"
#include "emulator/execution/module_image.h"
#include "emulator/storage/memory_implementation.h"
#include "emulator/values/shadow_page.h"

namespace optiml::emulator {
namespace {

// cudaMalloc's granularity.
constexpr std::uint64_t kAllocationBytes = 512;

}  // namespace

Memory::Implementation::Implementation() = default;
Memory::Implementation::~Implementation() = default;

Region& Memory::Implementation::add_region(BufferSpec spec) {
    const std::uint64_t bytes = spec.bytes;
    Region& region = regions.emplace_back(std::move(spec), regions.size() + 1, next_stagger);
    next_stagger = (next_stagger + bytes / kAllocationBytes * kAllocationBytes + 2 * kAllocationBytes) % (kRegionStart / 2);
    return region;
}

std::unique_ptr<AccessHistory> Memory::Implementation::take_history() {
    if (spare_histories.empty()) return std::make_unique<AccessHistory>();
    std::unique_ptr<AccessHistory> history = std::move(spare_histories.back());
    spare_histories.pop_back();
    return history;
}

void Memory::Implementation::forget_accesses() {
    for (Region& region : regions) {
        region.for_each_page([&](Page& page) {
            if (page.history == nullptr) return;
            page.history->clear();
            spare_histories.push_back(std::move(page.history));
        });
    }
}

Memory::Memory() : implementation_(std::make_unique<Implementation>()) {}
Memory::~Memory() = default;
Memory::Memory(Memory&&) noexcept = default;
Memory& Memory::operator=(Memory&&) noexcept = default;

BufferId Memory::add(BufferSpec spec) {
    implementation_->buffers.push_back(&implementation_->add_region(std::move(spec)));
    return static_cast<BufferId>(implementation_->buffers.size() - 1);
}

std::uint64_t Memory::add_texture(BufferId buffer, const TextureDescription& description) {
    const auto region = static_cast<std::size_t>(implementation_->buffers[buffer]->address() >> kSlotShift) - 1;
    implementation_->textures.push_back({.description = description, .region = region});
    return handle_of_texture(implementation_->textures.size() - 1);
}

std::uint64_t Memory::add_surface(BufferId buffer, const TextureLayout& layout) {
    const std::uint64_t handle = add_texture(buffer, {.layout = layout, .sampling = {}});
    implementation_->textures.back().is_surface = true;
    return handle;
}

std::uint64_t Memory::address(BufferId buffer) const { return implementation_->buffers[buffer]->address(); }
const BufferSpec& Memory::spec(BufferId buffer) const { return implementation_->buffers[buffer]->spec(); }
std::size_t Memory::buffer_count() const { return implementation_->buffers.size(); }

void Memory::write(BufferId buffer, std::uint64_t offset, const void* bytes, std::uint64_t count) {
    implementation_->buffers[buffer]->write(offset, static_cast<const std::uint8_t*>(bytes), count);
}

void Memory::read(BufferId buffer, std::uint64_t offset, void* bytes, std::uint64_t count) const {
    implementation_->buffers[buffer]->read(offset, static_cast<std::uint8_t*>(bytes), count);
}

void Memory::fill(BufferId buffer, std::uint8_t value) { implementation_->buffers[buffer]->fill(value); }
void Memory::reset(BufferId buffer) { implementation_->buffers[buffer]->reset(); }

std::vector<std::uint8_t> Memory::uninitialized(BufferId buffer, std::uint64_t offset, std::uint64_t count) const {
    std::vector<std::uint8_t> flags(count);
    for (std::uint64_t byte = 0; byte < count; ++byte) flags[byte] = !implementation_->buffers[buffer]->is_written(offset + byte);
    return flags;
}

void Memory::read_shadow(BufferId buffer, std::uint64_t first_element, std::uint64_t count, double* high, double* low) const {
    const Region& region = *implementation_->buffers[buffer];
    const std::uint32_t bytes = region.spec().element_bytes;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t offset = (first_element + i) * bytes;
        const std::uint64_t address = region.address() + offset;
        const Page* page = region.existing_page(address);
        const ShadowValue* shadow = page != nullptr && page->shadow ? page->shadow->find(address % kPageBytes, bytes) : nullptr;
        if (shadow == nullptr) {
            high[i] = low[i] = 0;
            if (bytes == sizeof(float)) {
                float value = 0;
                region.read(offset, reinterpret_cast<std::uint8_t*>(&value), bytes);
                high[i] = value;
            } else if (bytes == sizeof(double)) {
                region.read(offset, reinterpret_cast<std::uint8_t*>(&high[i]), bytes);
            }
        } else {
            high[i] = shadow->high;
            low[i] = shadow->low;
        }
    }
}

}  // namespace optiml::emulator
