#define _GNU_SOURCE
#include "CServer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FAILED = 127, REPORT = 3 };

struct start {
    const char *const *arguments;
    int streams[3];
    int death_signal;
    int report; /* a pipe that an error's number goes into; exec closes it */
    pid_t parent;
};

/* The descriptor, or a copy of it that is none of the standard streams; -1 and errno. */
static int above(int descriptor) {
    return descriptor > STDERR_FILENO ? descriptor : fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

/* What the child does: the other threads are not there, and may have held any lock, so that only system calls are made.
   With success it does not return; -1 and errno otherwise. */
static int become(struct start *start) {
    setsid();
    if ((start->report = above(start->report)) < 0)
        return -1;
    for (int number = 0; number < 3; number++)
        if ((start->streams[number] = above(start->streams[number])) < 0)
            return -1;
    for (int number = 0; number < 3; number++)
        if (dup2(start->streams[number], number) < 0)
            return -1;
    if (start->report != REPORT) {
        if (dup3(start->report, REPORT, O_CLOEXEC) < 0)
            return -1;
        start->report = REPORT;
    }
    /* What this process has opened is closed by exec in any case; whoever started it may have left something open. */
    close_range(REPORT + 1, ~0u, 0);
    /* What is ignored would stay so. */
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* Whoever gets a list of arguments may not change them; its type is from before there was a word for that. */
    return execve(start->arguments[0], (char *const *)start->arguments, environ);
}

static void run(struct start *start) {
    if (start->death_signal) {
        prctl(PR_SET_PDEATHSIG, start->death_signal);
        /* Who has ended before that says nothing any more. */
        if (getppid() != start->parent)
            _exit(FAILED);
    }
    if (become(start)) {
        int code = errno;
        while (write(start->report, &code, sizeof code) < 0 && errno == EINTR) {
        }
    }
    _exit(FAILED);
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

int webl_spawn(const char *const *arguments, int input, int output, int error, int death_signal, pid_t *pid) {
    int report[2];
    if (pipe2(report, O_CLOEXEC))
        return errno;
    struct start start = {arguments, {input, output, error}, death_signal, report[1], getpid()};
    /* No handler of this process runs in the child. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    int code = errno;
    if (child == 0)
        run(&start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(report[1]);
    if (child > 0) {
        code = read_code(report[0]);
        if (code)
            while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
            }
    }
    close(report[0]);
    if (!code)
        *pid = child;
    return code;
}

int webl_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) ? errno : 0; }
