#define _GNU_SOURCE
#include "CWorker.h"

#include <malloc.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

/* Descriptors are moved above the worker's own, so that putting one into its place never overwrites another. */
static int above(int descriptor) {
    if (descriptor < 0 || descriptor > WEBL_WORKER_LIFELINE)
        return descriptor;
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, WEBL_WORKER_LIFELINE + 1);
    int code = errno;
    close(descriptor);
    errno = code;
    return moved;
}

int webl_worker_memory(void) {
    int memory = above(memfd_create("webinspect-worker", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (memory < 0)
        return -1;
    /* What is mapped here must stay there, whatever the worker does. */
    if (ftruncate(memory, WEBL_WORKER_STATUS_SIZE) || fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK)) {
        int code = errno;
        close(memory);
        errno = code;
        return -1;
    }
    return memory;
}

static int make_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC))
        return -1;
    ends[0] = above(ends[0]);
    ends[1] = above(ends[1]);
    return ends[0] < 0 || ends[1] < 0 ? -1 : 0;
}

/* A pair of sockets, whose end here never blocks, whatever is done to the other (an eventfd is one thing for both). */
static int make_bell(int ends[2]) {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return -1;
    ends[0] = above(ends[0]);
    ends[1] = above(ends[1]);
    return ends[0] < 0 || ends[1] < 0 ? -1 : 0;
}

static void close_all(const int *descriptors, size_t count) {
    for (size_t index = 0; index < count; index++)
        if (descriptors[index] >= 0)
            close(descriptors[index]);
}

/* No environment but what the worker needs: scripts find no secrets in it, and a crash does not wait for a debugger. */
static int start(const char *path, const int descriptors[4], pid_t *pid) {
    char library_path[4096] = "LD_LIBRARY_PATH=";
    const char *libraries = getenv("LD_LIBRARY_PATH");
    /* The Swift runtime looks for its backtracer in a dozen folders, wanted or not, unless it is told where it is. */
    char *environment[] = {"SWIFT_BACKTRACE=enable=no,swift-backtrace=/dev/null", NULL, NULL};
    if (libraries && strlen(libraries) < sizeof library_path - strlen(library_path) - 1)
        environment[1] = strcat(library_path, libraries);
    char *arguments[] = {(char *)"webinspect-worker", NULL};

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int code = posix_spawn_file_actions_init(&actions);
    if (code)
        return code;
    code = posix_spawnattr_init(&attributes);
    if (code) {
        posix_spawn_file_actions_destroy(&actions);
        return code;
    }
    /* What this process catches is not caught after exec; what it ignores would be ignored. */
    sigset_t none, ignored;
    sigemptyset(&none);
    sigemptyset(&ignored);
    sigaddset(&ignored, SIGPIPE);
    sigaddset(&ignored, SIGINT);
    sigaddset(&ignored, SIGTERM);
    sigaddset(&ignored, SIGIO);
    code = posix_spawnattr_setsigmask(&attributes, &none);
    if (!code)
        code = posix_spawnattr_setsigdefault(&attributes, &ignored);
    if (!code)
        code = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (!code)
        code = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0);
    for (int number = 1; number <= 2 && !code; number++)
        code = posix_spawn_file_actions_adddup2(&actions, 0, number);
    for (int index = 0; index < 4 && !code; index++)
        code = posix_spawn_file_actions_adddup2(&actions, descriptors[index], WEBL_WORKER_MEMORY + index);
    /* What this process has open besides, and did not mean to hand on, is not the worker's. */
    if (!code)
        code = posix_spawn_file_actions_addclosefrom_np(&actions, WEBL_WORKER_LIFELINE + 1);
    if (!code)
        code = posix_spawn(pid, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

int webl_worker_spawn(const char *path, int memory, struct webl_worker_process *process) {
    int requests[2] = {-1, -1}, records[2] = {-1, -1}, lifeline[2] = {-1, -1};
    if (make_bell(requests) || make_pipe(records) || make_pipe(lifeline)) {
        int code = errno;
        close_all((int[]){requests[0], requests[1], records[0], records[1], lifeline[0], lifeline[1]}, 6);
        return code;
    }
    int code = start(path, (int[]){memory, requests[1], records[1], lifeline[0]}, &process->pid);
    close_all((int[]){requests[1], records[1], lifeline[0]}, 3);
    if (code) {
        close_all((int[]){requests[0], records[0], lifeline[1]}, 3);
        return code;
    }
    process->process = (int)syscall(SYS_pidfd_open, process->pid, 0);
    if (process->process < 0) {
        code = errno;
        /* Nobody else may wait for it, so that its number is still its own. */
        kill(process->pid, SIGKILL);
        waitpid(process->pid, NULL, 0);
        close_all((int[]){requests[0], records[0], lifeline[1]}, 3);
        return code;
    }
    fcntl(records[0], F_SETFL, O_NONBLOCK);
    process->records = records[0];
    process->requests = requests[0];
    process->lifeline = lifeline[1];
    return 0;
}

int webl_worker_notify(int requests) {
    const uint64_t one = 1;
    ssize_t count;
    do
        count = send(requests, &one, sizeof one, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (count < 0 && errno == EINTR);
    if (count == sizeof one || (count < 0 && (errno == EPIPE || errno == ECONNRESET)))
        return 0;
    return count < 0 ? errno : EAGAIN;
}

int webl_worker_signal(int process, int signal) {
    return (int)syscall(SYS_pidfd_send_signal, process, signal, NULL, 0);
}

int webl_worker_reap(int process) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    int code;
    do
        code = waitid((idtype_t)P_PIDFD, (id_t)process, &info, WEXITED);
    while (code && errno == EINTR);
    if (code || info.si_pid == 0)
        return -1;
    return info.si_code == CLD_EXITED ? (info.si_status & 0xff) << 8 : info.si_status & 0x7f;
}

size_t webl_heap_in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
