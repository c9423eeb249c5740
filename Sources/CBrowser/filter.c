/* What a browser may not ask the system for: the network. Its pages come from us. */
#define _GNU_SOURCE
#include "browser.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the browser's filter of system calls is written for x86-64 and arm64"
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)
#define REFUSE(code) RETURN(SECCOMP_RET_ERRNO | (code))
/* Goes on with the next line if what is loaded is that value, and jumps over a number of them otherwise. */
#define IF(value, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, otherwise)

int webl_browser_confine(void) {
    struct sock_filter filter[] = {
        /* Other architectures number their calls otherwise: a program of theirs is none that is needed. */
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
#if defined(__x86_64__)
        /* So does x32, which has the same architecture, and this bit. */
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x40000000, 0, 1),
        REFUSE(ENOSYS),
#endif
        /* It makes sockets, too, and nothing looks at its requests. */
        IF(SYS_io_uring_setup, 1),
        REFUSE(ENOSYS),
        /* A socket of another process of this user's. */
        IF(SYS_pidfd_getfd, 1),
        REFUSE(EPERM),
        IF(SYS_socket, 4),
        /* The kernel, too, looks at the low half of a family only. What goes through netlink stays in the machine: which
           interfaces there are. */
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 1, 0),
        REFUSE(EACCES),
        RETURN(SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    /* No program that it starts gets more rights than this one: not by its file's owner either. */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}
