#include "cuda_source/large_stack.h"

#include <cstddef>

#include <pthread.h>

namespace optiml::cuda_source {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 30, kLeastBytes = std::size_t{1} << 26;

void* call(void* work) {
    (*static_cast<const std::function<void()>*>(work))();
    return nullptr;
}

}  // namespace

// Where memory is limited (ulimit -v), with less.
void run_on_large_stack(const std::function<void()>& work) {
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    pthread_t thread;
    bool started = false;
    for (std::size_t bytes = kMostBytes; !started && bytes >= kLeastBytes; bytes /= 2) {
        ::pthread_attr_setstacksize(&attributes, bytes);
        started = ::pthread_create(&thread, &attributes, call, const_cast<std::function<void()>*>(&work)) == 0;
    }
    ::pthread_attr_destroy(&attributes);
    if (started) ::pthread_join(thread, nullptr);
    else work();
}

}  // namespace optiml::cuda_source
