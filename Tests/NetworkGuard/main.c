/* network-guard [--no-threads] COMMAND [ARG ...]: runs a command that the kernel kills (SIGSYS) when it opens a socket,
 * or with --no-threads when it starts a thread or a process.
 *
 * For the tests that --cache-only opens none, and that a command with a file starts none. Needs no privilege; x86-64 and
 * arm64 Linux. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int forbids_threads = argc > 1 && strcmp(argv[1], "--no-threads") == 0;
    argv += forbids_threads;
    argc -= forbids_threads;
    if (argc < 2) {
        fprintf(stderr, "usage: network-guard [--no-threads] COMMAND [ARG ...]\n");
        return 2;
    }
    unsigned first = forbids_threads ? SYS_clone : SYS_socket, second = forbids_threads ? SYS_clone3 : SYS_socketpair;
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, first, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, second, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
        fprintf(stderr, "network-guard: seccomp: %s\n", strerror(errno));
        return 77;
    }
    execv(argv[1], argv + 1);
    fprintf(stderr, "network-guard: %s: %s\n", argv[1], strerror(errno));
    return 127;
}
