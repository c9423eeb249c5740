/* The system calls that are left: for memory, time, what is open already, and ending. */
#define _GNU_SOURCE
#include "guard.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the worker's filter of system calls is written for x86-64 and arm64"
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)
#define ALLOW(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##number, 0, 1), RETURN(SECCOMP_RET_ALLOW)
/* The low half of an argument; the values looked at here fit into it, and the kernel ignores the rest. */
#define ARGUMENT(index) LOAD(args[index])

#define REFUSE RETURN(SECCOMP_RET_ERRNO | EPERM)

int webl_guard_install_filter(void) {
    struct sock_filter filter[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
        ALLOW(read),
        ALLOW(write),
        ALLOW(munmap),
        ALLOW(mremap),
        ALLOW(madvise),
        ALLOW(brk),
        ALLOW(futex),
        ALLOW(clock_gettime),
        ALLOW(gettimeofday),
        ALLOW(setitimer),
        ALLOW(rt_sigreturn),
        ALLOW(rt_sigprocmask),
        ALLOW(restart_syscall),
        ALLOW(getrandom),
        ALLOW(sched_yield),
        ALLOW(exit),
        ALLOW(exit_group),
#if !WEBL_COUNTS_MEMORY
        /* Wherever a function does not return, AddressSanitizer asks which stack it is on, and ends the process if it is not
           told. */
        ALLOW(sigaltstack),
#endif
        /* No memory that is run as code. */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 4),
        ARGUMENT(2),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        REFUSE,
        RETURN(SECCOMP_RET_ALLOW),
        /* Its own limits, not those of other processes. */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 3),
        ARGUMENT(0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
        RETURN(SECCOMP_RET_ALLOW),
        REFUSE,
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) ? errno : 0;
}
