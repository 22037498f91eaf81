#include "gpu/machine_code_listing.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "process/scratch_folder.h"

namespace optiml::gpu {
namespace {

using testing::HasSubstr;

// A folder that stands for a toolkit, with one program that is a script.
class FakeToolkit {
public:
    FakeToolkit(const std::string& name, const std::string& script) : folder_(std::move(*process::ScratchFolder::make())) {
        std::filesystem::create_directories(folder_.path() / "bin");
        std::ofstream(folder_.path() / "bin" / name) << "#!/bin/sh\n" << script;
        std::filesystem::permissions(folder_.path() / "bin" / name, std::filesystem::perms::owner_all);
        ::setenv("OPTIML_CUDA_HOME", folder_.path().c_str(), 1);
    }
    ~FakeToolkit() { ::unsetenv("OPTIML_CUDA_HOME"); }
    FakeToolkit(const FakeToolkit&) = delete;
    FakeToolkit& operator=(const FakeToolkit&) = delete;

private:
    process::ScratchFolder folder_;
};

TEST(MachineCodeListing, TheDisassemblerGetsTheCubin) {
    const FakeToolkit toolkit("nvdisasm", "echo \"$1 $2\"; cat \"$3\"\n");
    const auto listing = list_machine_code({'E', 'L', 'F'});
    ASSERT_TRUE(listing) << listing.error().text();
    EXPECT_EQ(*listing, "--print-line-info --print-code\nELF");
}

TEST(MachineCodeListing, AFailureIsTheMachines) {
    const FakeToolkit toolkit("nvdisasm", "echo 'too new a cubin' >&2; exit 1\n");
    const auto listing = list_machine_code({'E'});
    ASSERT_FALSE(listing);
    EXPECT_EQ(listing.error().kind, ErrorKind::environment);
    EXPECT_THAT(listing.error().message, HasSubstr("too new a cubin"));
    EXPECT_FALSE(listing.error().remedy.empty());
}

}  // namespace
}  // namespace optiml::gpu
