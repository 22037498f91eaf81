#pragma once
// Frames that are made and dropped with every warp and call.

#include <memory>
#include <vector>

#include "emulator/execution/frame.h"

namespace optiml::emulator {

class FramePool {
public:
    // A frame of the program with all registers zero.
    std::unique_ptr<Frame> take(const Program& program, bool wide) {
        std::unique_ptr<Frame> frame;
        if (spare_.empty()) {
            frame = std::make_unique<Frame>();
        } else {
            frame = std::move(spare_.back());
            spare_.pop_back();
        }
        frame->reset(program, wide);
        return frame;
    }
    void give_back(std::unique_ptr<Frame> frame) { spare_.push_back(std::move(frame)); }

private:
    std::vector<std::unique_ptr<Frame>> spare_;
};

}  // namespace optiml::emulator
