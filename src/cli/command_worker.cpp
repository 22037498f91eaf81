#include <iostream>
#include <memory>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/command.h"
#include "gpu/device.h"
#include "optimizer/evaluators.h"
#include "process/restrictions.h"
#include "process/sandbox.h"
#include "workers/serve.h"

namespace optiml::cli {
namespace {

struct WorkerOptions {
    std::string device;
    bool build = false;
    bool compile = false;
};

// A candidate's device code may print, and that arrives on descriptor 1: answers go to a private copy of it instead, so that nothing
// printed can be taken for an answer.
class PrivateOutput {
public:
    PrivateOutput() : descriptor_(::fcntl(1, F_DUPFD_CLOEXEC, 3)) { ::dup2(2, 1); }
    ~PrivateOutput() { ::close(descriptor_); }
    PrivateOutput(const PrivateOutput&) = delete;
    PrivateOutput& operator=(const PrivateOutput&) = delete;
    int descriptor() const { return descriptor_; }

private:
    int descriptor_;
};

class DescriptorBuffer final : public std::streambuf {
public:
    explicit DescriptorBuffer(int descriptor) : descriptor_(descriptor) {}

private:
    std::streamsize xsputn(const char* text, std::streamsize count) override {
        pending_.append(text, static_cast<std::size_t>(count));
        return count;
    }
    int_type overflow(int_type letter) override {
        if (letter != traits_type::eof()) pending_.push_back(static_cast<char>(letter));
        return letter;
    }
    int sync() override {
        std::size_t sent = 0;
        while (sent < pending_.size()) {
            const ssize_t count = ::write(descriptor_, pending_.data() + sent, pending_.size() - sent);
            if (count <= 0) return -1;
            sent += static_cast<std::size_t>(count);
        }
        pending_.clear();
        return 0;
    }

    int descriptor_;
    std::string pending_;
};

Result<int> run(const WorkerOptions& options) {
    std::unique_ptr<workers::Service> service;
    if (options.build) {
        service = workers::make_build_service();
    } else if (options.compile) {
        service = workers::make_compile_service();
    } else {
        const auto ordinals = optimizer::device_ordinals(options.device);
        if (!ordinals) return tl::make_unexpected(ordinals.error());
        if (ordinals->size() != 1) return user_error("a worker serves one device", {}, "Start one worker a card.");
        // Starting the driver may need what is given up below: nodes in /dev are made by another program.
        (void)gpu::Device::count();
        service = workers::make_device_service(ordinals->front());
    }
    if (process::Sandbox::is_wanted()) process::restrict_this_process();
    const PrivateOutput output;
    DescriptorBuffer buffer(output.descriptor());
    std::ostream answers(&buffer);
    workers::serve(*service, std::cin, answers);
    return kDone;
}

}  // namespace

void add_worker(CLI::App& app, Action& chosen) {
    CLI::App* command = app.add_subcommand("worker", "Serve evaluations: JSON lines on standard input and output (started by the program itself)");
    auto options = std::make_shared<WorkerOptions>();
    auto* kind = command->add_option_group("kind");
    kind->add_option("--device", options->device, "cuda:N: verify, time and profile on this card");
    kind->add_flag("--build", options->build, "Compile and check on the emulator");
    kind->add_flag("--compile", options->compile, "Compile");
    kind->require_option(1);
    command->callback([options, &chosen] {
        chosen = [options](Console&) { return run(*options); };
    });
}

}  // namespace optiml::cli
