#pragma once
// A card and a compiler for the tests that need them; says SKIP where there is no card.

#include <memory>

#include <gtest/gtest.h>

#include "gpu/compiler.h"
#include "gpu/device.h"

namespace optiml::gpu {

class DeviceTest : public testing::Test {
protected:
    void SetUp() override {
        const auto count = Device::count();
        if (!count || *count == 0) GTEST_SKIP() << "no NVIDIA GPU: " << (count ? "none" : count.error().message);
        auto opened = Device::open(0);
        ASSERT_TRUE(opened) << opened.error().text();
        device_ = std::move(*opened);
        auto compiler = load_compiler();
        ASSERT_TRUE(compiler) << compiler.error().text();
        compiler_ = std::move(*compiler);
    }

    DeviceModule compile(const char* source) {
        CompileRequest request{.source = source};
        request.compute_capability = device_->properties().compute_capability;
        const CompileOutcome outcome = compiler_->compile(request);
        EXPECT_TRUE(outcome.compiled) << outcome.log;
        auto module = device_->load(outcome.cubin);
        EXPECT_TRUE(module) << (module ? "" : module.error().text());
        return std::move(*module);
    }

    std::unique_ptr<Device> device_;
    std::unique_ptr<Compiler> compiler_;  // null: skipped, or failed
};

}  // namespace optiml::gpu
