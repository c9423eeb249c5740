/* Starting a browser's guard, in the process that wants a browser. */
#define _GNU_SOURCE
#include "browser.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

static void close_all(const int *descriptors, int count) {
    for (int index = 0; index < count; index++)
        if (descriptors[index] >= 0)
            close(descriptors[index]);
}

/* The number that comes through a pipe; 0 if it is closed without one. */
static int read_code(int report) {
    int code = 0;
    ssize_t count;
    do
        count = read(report, &code, sizeof code);
    while (count < 0 && errno == EINTR);
    return count == sizeof code ? code : 0;
}

/* Two ends each, first the one that is read from; those of the guard go into a list of its own. */
struct ends {
    int lifeline[2], report[2], words[2], requests[2], answers[2], nothing;
};

static int make_ends(struct ends *ends) {
    *ends = (struct ends){{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}, -1};
    if (pipe2(ends->lifeline, O_CLOEXEC) || pipe2(ends->report, O_CLOEXEC) || pipe2(ends->words, O_CLOEXEC) ||
        /* What is written to a pipe that nobody reads any more is a signal, which would be for the whole process. */
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends->requests) || pipe2(ends->answers, O_CLOEXEC))
        return errno;
    /* The guard reads what there is, and looks after other things then. */
    if (fcntl(ends->words[0], F_SETFL, O_NONBLOCK))
        return errno;
    ends->nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    return ends->nothing < 0 ? errno : 0;
}

/* Forks the guard, and waits until the browser has been started; 0, or a number of errno. */
static int fork_guard(struct webl_browser_start *start, int report, pid_t *guard) {
    /* No handler of this process runs in the guard. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    int code = errno;
    if (child == 0)
        webl_browser_guard(start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (child < 0)
        return code;
    *guard = child;
    close(start->descriptors[GUARD_REPORT - GUARD_LIFELINE]);
    start->descriptors[GUARD_REPORT - GUARD_LIFELINE] = -1;
    return read_code(report);
}

static void wait_for(pid_t child) {
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
}

int webl_browser_start(
    const char *const *arguments, const char *const *environment, const struct webl_browser_folder *folder,
    struct webl_browser *browser) {
    struct ends ends;
    pid_t guard = -1;
    int process = -1;
    int code = make_ends(&ends);
    struct webl_browser_state *state =
        mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!code && state == MAP_FAILED)
        code = errno;
    struct webl_browser_start start = {
        arguments,
        environment,
        {ends.lifeline[0], ends.report[1], ends.words[0], ends.words[1], ends.requests[0], ends.answers[1], ends.nothing,
         folder->place, folder->folder, folder->lock},
        folder->name,
        state,
    };
    if (!code)
        code = fork_guard(&start, ends.report[0], &guard);
    if (!code) {
        process = (int)syscall(SYS_pidfd_open, guard, 0);
        if (process < 0)
            code = errno;
    }
    close_all(start.descriptors, GUARD_PLACE - GUARD_LIFELINE);
    close_all(ends.report, 1);
    if (!code) {
        webl_browser_folder_close(folder);
        *browser = (struct webl_browser){guard, process, ends.lifeline[1], ends.requests[1], ends.answers[0], state};
        return 0;
    }
    /* A guard that has been started ends with its lifeline, and takes the folder along. */
    close_all((int[]){ends.lifeline[1], ends.requests[1], ends.answers[0]}, 3);
    if (guard >= 0)
        wait_for(guard);
    webl_browser_folder_remove(folder);
    webl_browser_folder_close(folder);
    if (state != MAP_FAILED)
        munmap(state, sizeof *state);
    return code;
}

int webl_browser_wait(const struct webl_browser *browser, int milliseconds) {
    struct pollfd end = {.fd = browser->process, .events = POLLIN};
    return poll(&end, 1, milliseconds) > 0;
}

void webl_browser_reap(const struct webl_browser *browser) {
    siginfo_t info;
    while (waitid((idtype_t)P_PIDFD, (id_t)browser->process, &info, WEXITED | WNOHANG) && errno == EINTR) {
    }
}

void webl_browser_kill(const struct webl_browser *browser) {
    syscall(SYS_pidfd_send_signal, browser->process, SIGKILL, NULL, 0);
}

void webl_browser_close(const struct webl_browser *browser) {
    close(browser->process);
    munmap(browser->state, sizeof *browser->state);
}

int webl_browser_has_ended(const struct webl_browser *browser, int *status) {
    if (!__atomic_load_n(&browser->state->has_ended, __ATOMIC_ACQUIRE))
        return 0;
    *status = browser->state->status;
    return 1;
}

size_t webl_browser_words(const struct webl_browser *browser, char bytes[WEBL_BROWSER_WORDS]) {
    uint64_t written = __atomic_load_n(&browser->state->written, __ATOMIC_ACQUIRE);
    const char *words = browser->state->words;
    if (written <= WEBL_BROWSER_WORDS) {
        memcpy(bytes, words, written);
        return written;
    }
    size_t start = written % WEBL_BROWSER_WORDS;
    memcpy(bytes, words + start, WEBL_BROWSER_WORDS - start);
    memcpy(bytes + WEBL_BROWSER_WORDS - start, words, start);
    return WEBL_BROWSER_WORDS;
}
