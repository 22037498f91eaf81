#include "evaluation/device/bench.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/random.h"
#include "evaluation/device/error_growth.h"
#include "evaluation/device/repetition.h"

namespace optiml::evaluation::device {
namespace {

double epsilon_of(task::ScalarType type) {
    switch (type) {
        case task::ScalarType::f16: return 0x1p-11;
        case task::ScalarType::bf16: return 0x1p-8;
        case task::ScalarType::f32: return 0x1p-24;
        case task::ScalarType::f64: return 0x1p-53;
        default: return 0;
    }
}

constexpr double kCountedSeconds = 0.05;  // an original that takes longer is not counted: patched code takes many times as long
constexpr int kSpreadRuns = 4;
constexpr double kSpreadSeconds = 0.3;  // after which no further one begins

tl::unexpected<Error> faulty(const gpu::DeviceFailure& failure) {
    return tl::make_unexpected(Error{ErrorKind::faulty_original, "the original fails on the device: " + failure.text(), {}, {}});
}

std::uint64_t bytes_of(const task::ResolvedBuffer& buffer) { return buffer.elements * task::bytes_of(buffer.type); }

}  // namespace

Finding finding_of(const gpu::DeviceFailure& failure, const std::string& kernel) {
    Finding finding;
    finding.kernel = kernel;
    finding.message = failure.text();
    if (failure.name == "CUDA_ERROR_ILLEGAL_ADDRESS") {
        finding.kind = FindingKind::out_of_bounds;
    } else if (failure.name == "CUDA_ERROR_MISALIGNED_ADDRESS") {
        finding.kind = FindingKind::misaligned;
    } else if (failure.name == "CUDA_ERROR_LAUNCH_TIMEOUT") {
        finding.kind = FindingKind::time_limit;
    } else {
        finding.kind = FindingKind::launch;
    }
    return finding;
}

Result<std::unique_ptr<Bench>> Bench::make(gpu::Device& device, gpu::HelperKernels& kernels, const task::Task& task,
                                           const CompiledCandidate& original, const BenchSettings& settings, gpu::Profiler* profiler,
                                           const Disk& disk) {
    std::unique_ptr<Bench> bench(new Bench(device, kernels, task, settings, disk));
    if (const auto prepared = bench->prepare(original); !prepared) return tl::make_unexpected(prepared.error());
    const bool knows_bounds = settings.bounds && settings.bounds->size() == bench->task_buffers_;
    const SteadyClock clock;
    const double began = clock.now();
    if (const auto ran = knows_bounds ? Status{} : bench->run_first(); !ran) return tl::make_unexpected(ran.error());
    if (clock.now() - began > kCountedSeconds) profiler = nullptr;
    bench->terms_per_output_ = settings.terms_per_output ? *settings.terms_per_output : bench->count_terms(profiler);
    if (knows_bounds) {
        bench->bounds_ = *settings.bounds;
    } else if (const auto learned = bench->learn_spread(); !learned) {
        return tl::make_unexpected(learned.error());
    }
    return bench;
}

Status Bench::prepare(const CompiledCandidate& original) {
    auto plan = task::resolve(task_, original.candidate.plan, settings_.sizes);
    if (!plan) return tl::make_unexpected(plan.error());
    plan_ = std::move(*plan);
    task_buffers_ = static_cast<std::size_t>(
        std::count_if(plan_.buffers.begin(), plan_.buffers.end(), [](const auto& buffer) { return !buffer.is_scratch; }));
    auto module = device_.load(original.cubin);
    if (!module) return environment_error("the original does not load on the device: " + module.error().text());
    original_module_ = std::make_unique<gpu::DeviceModule>(std::move(*module));
    const auto allocate_all = [&](Buffers& into, std::size_t first, std::size_t last) -> Status {
        auto buffers = allocate(device_, plan_, first, last);
        if (!buffers) {
            return environment_error("too little device memory: " + buffers.error().text(), "Use smaller sizes (--set, --size small).");
        }
        into = std::move(*buffers);
        return {};
    };
    auto done = allocate_all(pristine_, 0, task_buffers_);
    if (done) done = allocate_all(original_, 0, task_buffers_);
    if (done) done = allocate_all(candidate_, 0, task_buffers_);
    if (done) done = allocate_all(original_scratch_, task_buffers_, plan_.buffers.size());
    if (!done) return done;

    auto program = DeviceProgram::make(device_, *original_module_, original, plan_, addresses(original_, original_scratch_));
    if (!program) {
        return tl::make_unexpected(Error{ErrorKind::faulty_original, fmt::format("the original's {}: {}", program.error().kernel, program.error().message), {}, {}});
    }
    original_program_ = std::move(*program);

    if (const Status written = write_declared_inputs(); !written) return written;
    if (const auto renewed = renew(0); !renewed) return environment_error(renewed.error().text());
    return {};
}

std::vector<gpu::DeviceAddress> Bench::addresses(const Buffers& own, const Buffers& scratch) const {
    std::vector<gpu::DeviceAddress> all;
    for (const GuardedBuffer& buffer : own) all.push_back(buffer.data());
    for (const GuardedBuffer& buffer : scratch) all.push_back(buffer.data());
    return all;
}

std::uint64_t Bench::key(std::size_t buffer) const {
    const std::uint64_t first = 4 * (round_ * 64 + buffer) + (arithmetic_ == Arithmetic::f64 ? 2 : 0);
    const std::uint64_t high = random_bits(settings_.secret, first);
    return high << 32 | random_bits(settings_.secret, first + 1);
}

std::uint64_t Bench::input_bytes() const {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < task_buffers_; ++i) {
        if (is_input(i)) total += bytes_of(plan_.buffers[i]);
    }
    return total;
}

gpu::DeviceStatus Bench::lay_out_original() {
    for (std::size_t i = 0; i < task_buffers_; ++i) {
        const auto laid = is_input(i) ? device_.copy(original_[i].data(), pristine_[i].data(), original_[i].bytes()) : original_[i].poison();
        if (!laid) return laid;
    }
    for (GuardedBuffer& buffer : original_scratch_) {
        if (const auto poisoned = buffer.poison(); !poisoned) return poisoned;
    }
    return original_program_.load_textures();
}

gpu::DeviceStatus Bench::run_original() {
    auto done = lay_out_original();
    if (done) done = original_program_.enqueue();
    if (done) done = original_program_.store_surfaces();
    return done ? device_.synchronize() : done;
}

gpu::DeviceStatus Bench::mask_truth() {
    for (std::size_t i = 0; i < task_buffers_; ++i) {
        if (!is_result(i)) continue;
        if (const auto masked = kernels_.mask(original_[i].data(), original_[i].bytes(), key(i)); !masked) return masked;
    }
    return {};  // what comes after it on the stream, the candidate's inputs first, finds the truth covered
}

gpu::DeviceStatus Bench::run_wider() {
    std::vector<gpu::DeviceAddress> results;
    for (std::size_t i = 0; i < task_buffers_; ++i) results.push_back(is_result(i) ? original_[i].data() : 0);
    return wider_->run(settings_.sizes, pristine_, results);
}

// Where there is no room for f64 the original itself has to do.
gpu::DeviceStatus Bench::refresh(std::uint64_t round) {
    if (wider_ != nullptr) {
        const auto done = refresh(round, Arithmetic::f64);
        if (done || done.error().sticky) return done;
    }
    return refresh(round, Arithmetic::as_written);
}

gpu::DeviceStatus Bench::refresh(std::uint64_t round, Arithmetic arithmetic) {
    auto done = write_inputs(round);
    arithmetic_ = arithmetic;
    if (const auto known = truths_.find({round, arithmetic}); done && known != truths_.end()) return bring_back(known->second);
    if (done) done = arithmetic == Arithmetic::f64 ? run_wider() : run_original();
    if (done) done = mask_truth();
    if (done && round >= first_kept_) keep_truth();
    return done;
}

void Bench::keep_truths_from(std::uint64_t round) {
    first_kept_ = round;
    if (round_ >= round) keep_truth();  // what is there was just computed
}

std::uint64_t Bench::truth_bytes() const {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < task_buffers_; ++i) total += is_result(i) ? original_[i].bytes() : 0;
    return total;
}

// Where there is no room the original runs again the next time.
void Bench::keep_truth() {
    Buffers kept;
    for (std::size_t i = 0; i < task_buffers_; ++i) {
        if (!is_result(i)) continue;
        auto buffer = GuardedBuffer::make(device_, original_[i].bytes(), 0);
        if (!buffer || !device_.copy(buffer->data(), original_[i].data(), original_[i].bytes())) return;
        kept.push_back(std::move(*buffer));
    }
    truths_[{round_, arithmetic_}] = std::move(kept);
}

gpu::DeviceStatus Bench::bring_back(const Buffers& truth) {
    auto kept = truth.begin();
    for (std::size_t i = 0; i < task_buffers_; ++i) {
        if (!is_result(i)) continue;
        if (const auto copied = device_.copy(original_[i].data(), kept->data(), kept->bytes()); !copied) return copied;
        ++kept;
    }
    return {};
}

double Bench::count_terms(gpu::Profiler* profiler) {
    double outputs = 0, inputs = 0;
    for (std::size_t i = 0; i < task_buffers_; ++i) {
        (is_result(i) ? outputs : inputs) += static_cast<double>(plan_.buffers[i].elements);
    }
    constexpr std::size_t kMostLaunches = 16;
    const std::size_t launches = std::min<std::size_t>(original_program_.launch_count(), kMostLaunches);
    if (profiler == nullptr || launches == 0) return supposed_longest_sum(inputs, outputs);
    const std::vector<std::string> names = {
        "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
        "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum"};
    const auto counters = profiler->collect(names, {{launches, [&] { return lay_out_original(); }, [&] { return original_program_.enqueue(launches); }}});
    if (!counters) return supposed_longest_sum(inputs, outputs);
    std::vector<CountedLaunch> counted;
    const auto views = original_program_.launches();
    for (std::size_t i = 0; i < std::min(counters->size(), views.size()); ++i) {
        CountedLaunch& launch = counted.emplace_back();
        for (const auto& [name, value] : (*counters)[i]) launch.additions += value;
        launch.threads = 1;
        for (int axis = 0; axis < 3; ++axis) launch.threads *= static_cast<double>(views[i].shape->grid[axis]) * views[i].shape->block[axis];
    }
    return longest_sum(counted, original_program_.launch_count(), inputs, outputs);
}

// Its results wait in the candidate's buffers for the later runs to be compared with.
Status Bench::run_first() {
    if (const auto ran = run_original(); !ran) return faulty(ran.error());
    for (std::size_t i = 0; i < task_buffers_; ++i) {
        if (!is_result(i)) continue;
        if (const auto kept = device_.copy(candidate_[i].data(), original_[i].data(), original_[i].bytes()); !kept) return faulty(kept.error());
    }
    return {};
}

// The bound of each output: what rounding may do to a sum of so many terms, and what the original itself varies by from run to run.
Status Bench::learn_spread() {
    bounds_.assign(task_buffers_, {});
    std::vector<double> spread(task_buffers_), sum_of_squares(task_buffers_);
    const SteadyClock clock;
    const Deadline deadline(clock, kSpreadSeconds);
    for (int run = 0; run == 0 || (run < kSpreadRuns && !deadline.passed()); ++run) {
        if (const auto ran = run_original(); !ran) return faulty(ran.error());
        for (std::size_t i = 0; i < task_buffers_; ++i) {
            const task::ResolvedBuffer& buffer = plan_.buffers[i];
            if (!is_result(i) || !task::is_float(buffer.type)) continue;
            const auto found = kernels_.compare(candidate_[i].data(), original_[i].data(), buffer.elements, element_type(buffer.type), 0, 0);
            if (!found) return faulty(found.error());
            spread[i] = std::max(spread[i], found->largest_difference);
            sum_of_squares[i] = found->truth_sum_of_squares;
        }
    }
    for (std::size_t i = 0; i < task_buffers_; ++i) {
        const task::ResolvedBuffer& buffer = plan_.buffers[i];
        if (!is_result(i) || !task::is_float(buffer.type)) continue;
        const double mean_square = buffer.elements == 0 ? 0 : sum_of_squares[i] / static_cast<double>(buffer.elements);
        const double growth = std::sqrt(std::max(1.0, terms_per_output_));
        Bound& bound = bounds_[i];
        // Errors of a sum grow with the root of its length for rounding that is not biased (Higham 2002, section 2.8).
        // Sums are taken to be added up in f32 at least; a narrower output rounds once more.
        const double of_sum = std::min(epsilon_of(buffer.type), epsilon_of(task::ScalarType::f32)) * growth;
        bound.relative = settings_.tolerance_factor * 2 * std::max(of_sum, epsilon_of(buffer.type));
        bound.spread = spread[i];
        bound.absolute = bound.relative * std::sqrt(mean_square) + settings_.tolerance_factor * spread[i];
        if (settings_.absolute) bound.absolute = *settings_.absolute;
        if (settings_.relative) bound.relative = *settings_.relative;
        if (settings_.bitwise) bound = {.spread = spread[i]};
    }
    return {};
}

tl::expected<Bench::Seat, Finding> Bench::seat(const CompiledCandidate& candidate, const gpu::DeviceModule& module) {
    Finding finding;
    finding.kind = FindingKind::launch;
    finding.sizes = settings_.sizes;
    auto plan = task::resolve(task_, candidate.candidate.plan, settings_.sizes);
    if (!plan) {
        finding.message = plan.error().text();
        return tl::make_unexpected(finding);
    }
    auto scratch = allocate(device_, *plan, task_buffers_, plan->buffers.size());
    if (!scratch) {
        finding.message = "its scratch buffers do not fit: " + scratch.error().text();
        return tl::make_unexpected(finding);
    }
    Seat seat{std::move(*plan), std::move(*scratch), {}, may_use_atomics(candidate.candidate.source)};
    auto program = DeviceProgram::make(device_, module, candidate, seat.plan, addresses(candidate_, seat.scratch));
    if (!program) {
        finding = program.error();
        finding.sizes = settings_.sizes;
        return tl::make_unexpected(finding);
    }
    seat.program = std::move(*program);
    return seat;
}

gpu::DeviceStatus Bench::lay_out(Seat& seat) {
    for (std::size_t i = 0; i < task_buffers_ + seat.scratch.size(); ++i) {
        if (const auto written = candidate_buffer(seat, i).write_guards(); !written) return written;
    }
    return lay_out_values(seat);
}

gpu::DeviceStatus Bench::lay_out_values(Seat& seat) {
    for (std::size_t i = 0; i < task_buffers_; ++i) {
        const auto done = is_input(i) ? device_.copy(candidate_[i].data(), pristine_[i].data(), candidate_[i].bytes()) : candidate_[i].poison();
        if (!done) return done;
    }
    for (GuardedBuffer& buffer : seat.scratch) {
        if (const auto poisoned = buffer.poison(); !poisoned) return poisoned;
    }
    return seat.program.load_textures();
}

gpu::DeviceStatus Bench::restore(bool for_original) {
    Buffers& buffers = for_original ? original_ : candidate_;
    for (std::size_t i = 0; i < task_buffers_; ++i) {
        if (plan_.buffers[i].role != task::Role::inout) continue;
        if (const auto copied = device_.copy(buffers[i].data(), pristine_[i].data(), buffers[i].bytes()); !copied) return copied;
    }
    if (for_original) return original_program_.load_textures();
    return {};
}

std::optional<Finding> Bench::run(Seat& seat) {
    auto done = lay_out(seat);
    if (done) done = seat.program.enqueue();
    const auto finished = device_.synchronize();
    if (!done || !finished) {
        Finding finding = finding_of(!finished ? finished.error() : done.error(), seat.program.failed_kernel());
        finding.sizes = settings_.sizes;
        return finding;
    }
    return std::nullopt;
}

std::optional<Finding> Bench::run_and_judge(Seat& seat) {
    auto failed = run(seat);
    return failed ? failed : judge(seat);
}

}  // namespace optiml::evaluation::device
