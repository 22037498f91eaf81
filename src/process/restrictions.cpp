#include "process/restrictions.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace optiml::process {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;  // not known: no filter
#endif

constexpr std::uint32_t kRefused = SECCOMP_RET_ERRNO | EPERM;

// Nothing of this is needed to compile, emulate or drive a card that has been initialised.
constexpr std::uint32_t kForbiddenCalls[] = {
    SYS_execve,      SYS_execveat,      SYS_ptrace,        SYS_process_vm_readv, SYS_process_vm_writev, SYS_mount,   SYS_umount2,
    SYS_pivot_root,  SYS_chroot,        SYS_kexec_load,    SYS_init_module,      SYS_finit_module,      SYS_reboot,  SYS_delete_module,
    SYS_setns,       SYS_unshare,       SYS_bpf,           SYS_add_key,          SYS_keyctl,            SYS_swapon,  SYS_acct,
};
constexpr std::uint32_t kForbiddenFamilies[] = {AF_INET, AF_INET6, AF_PACKET};

class Filter {
public:
    Filter() {
        load(offsetof(seccomp_data, arch));
        program_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0));
        program_.push_back(BPF_STMT(BPF_RET | BPF_K, kRefused));
        load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
        constexpr std::uint32_t kX32 = 0x40000000;  // the other numbering of the same calls
        program_.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kX32, 0, 1));
        program_.push_back(BPF_STMT(BPF_RET | BPF_K, kRefused));
#endif
        for (const std::uint32_t call : kForbiddenCalls) refuse(call);
        program_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 1, 0));
        allow();
        load(offsetof(seccomp_data, args[0]));  // the lower half: families are small, and both architectures are little-endian
        for (const std::uint32_t family : kForbiddenFamilies) refuse(family);
        allow();
    }

    bool install() {
        const sock_fprog program{static_cast<unsigned short>(program_.size()), program_.data()};
        // Without this flag older kernels slow the whole process down for the sake of the filter.
        return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) == 0 ||
               ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
    }

private:
    void load(std::size_t offset) { program_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset))); }
    void allow() { program_.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)); }
    // If what was loaded has this value.
    void refuse(std::uint32_t value) {
        program_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
        program_.push_back(BPF_STMT(BPF_RET | BPF_K, kRefused));
    }

    std::vector<sock_filter> program_;
};

}  // namespace

Restrictions restrict_this_process() {
    Restrictions restrictions;
    const rlimit no_core{0, 0};
    restrictions.no_core_dumps = ::setrlimit(RLIMIT_CORE, &no_core) == 0;
    restrictions.no_new_privileges = ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    restrictions.system_calls = kArchitecture != 0 && restrictions.no_new_privileges && Filter().install();
    return restrictions;
}

}  // namespace optiml::process
