/* The guard of a browser: a process that waits for its owner's end or the browser's, and clears up.

   It is a copy of its owner. Making it takes the time to copy the owner's page tables, 70 ms for 500 MB; of memory it has 0.1 MB of
   its own at first, and then the former state of each page that the owner writes to, however much of that is listed as its. */
#define _GNU_SOURCE
#include "browser.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    FAILED = 127,
    SPARE = GUARD_END + 16, /* where descriptors are out of the way */
    /* How long a process without /proc is waited for, whose children may be anywhere. */
    BLIND_ROUNDS = 500,
    ROUND_MILLISECONDS = 10,
    LAST_PIECES = 32,
};

static void tell(int report, int code) {
    while (write(report, &code, sizeof code) < 0 && errno == EINTR) {
    }
}

/* MARK: Descriptors */

/* Closes a descriptor and those after it, to the last one that is named. */
static void close_between(unsigned first, unsigned last) {
    if (!close_range(first, last, 0))
        return;
    /* Older than Linux 5.9, or not allowed to. */
    struct rlimit limit = {0, 0};
    getrlimit(RLIMIT_NOFILE, &limit);
    rlim_t end = limit.rlim_cur < 1 << 20 ? limit.rlim_cur : 1 << 20;
    for (unsigned number = first; number <= last && number < end; number++)
        close((int)number);
}

/* Puts what is needed in its places, and closes all else; 0, or -1 and errno. */
static int arrange(int descriptors[GUARD_COUNT]) {
    for (int index = 0; index < GUARD_COUNT; index++) {
        int copy = fcntl(descriptors[index], F_DUPFD_CLOEXEC, SPARE);
        if (copy < 0)
            return -1;
        descriptors[index] = copy;
    }
    for (int index = 0; index < GUARD_COUNT; index++) {
        if (dup3(descriptors[index], GUARD_LIFELINE + index, O_CLOEXEC) < 0)
            return -1;
        descriptors[index] = GUARD_LIFELINE + index;
    }
    close_between(0, GUARD_LIFELINE - 1);
    close_between(GUARD_END, ~0u);
    return 0;
}

/* MARK: The browser */

/* With success it does not return; -1 and errno otherwise. */
static int become(const struct webl_browser_start *start) {
    static const int sources[] = {GUARD_NOTHING, GUARD_NOTHING, GUARD_ERROR, GUARD_REQUESTS, GUARD_ANSWERS};
    setsid();
    for (int number = 0; number < 5; number++)
        if (dup2(sources[number], number) < 0)
            return -1;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (webl_browser_confine())
        return -1;
    /* Whoever gets such lists may not change them; their types are from before there was a word for that. */
    return execve(start->arguments[0], (char *const *)start->arguments, (char *const *)start->environment);
}

static _Noreturn void run(const struct webl_browser_start *start, pid_t guard) {
    /* It ends with the guard, if that is killed. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == guard && become(start))
        tell(GUARD_REPORT, errno);
    _exit(FAILED);
}

/* MARK: What it says */

/* Keeps what it has said; how many bytes these are, 0 once nobody can say more, and -1 for nothing now. */
static ssize_t listen_once(struct webl_browser_state *state) {
    uint64_t written = state->written;
    size_t start = written % WEBL_BROWSER_WORDS;
    ssize_t count = read(GUARD_WORDS, state->words + start, WEBL_BROWSER_WORDS - start);
    if (count > 0)
        __atomic_store_n(&state->written, written + (uint64_t)count, __ATOMIC_RELEASE);
    return count;
}

/* MARK: Waiting */

/* Reaps what has ended; whether the browser's first process has, which stays as it is. */
static int has_ended(pid_t browser) {
    for (;;) {
        siginfo_t info = {.si_pid = 0};
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid == 0)
            return 0;
        if (info.si_pid == browser)
            return 1;
        waitpid(info.si_pid, NULL, WNOHANG);
    }
}

/* Waits until the owner has let go, the browser has ended, or somebody wants this process to end. */
static void watch(const struct webl_browser_start *start, pid_t browser, int signals) {
    struct pollfd events[] = {
        {.fd = GUARD_LIFELINE, .events = POLLIN},
        {.fd = signals, .events = POLLIN},
        {.fd = GUARD_WORDS, .events = POLLIN},
    };
    for (;;) {
        if (poll(events, 3, -1) < 0)
            continue;
        if (events[0].revents)
            return;
        if (events[1].revents) {
            struct signalfd_siginfo signal;
            if (read(signals, &signal, sizeof signal) == sizeof signal && signal.ssi_signo != SIGCHLD)
                return;
            if (has_ended(browser))
                return;
        }
        if (events[2].revents && listen_once(start->state) == 0)
            events[2].fd = -1;
    }
}

/* MARK: The end */

static void kill_child(pid_t child, void *context) {
    (void)context;
    kill(child, SIGKILL);
}

/* Kills this process's children; whether it is known which these are. */
static int kill_children(void) {
    return webl_browser_each_child(AT_FDCWD, "/proc/thread-self/children", kill_child, NULL);
}

/* Kills all that has come of the browser, and says how its first process has ended.

   What has lost its parent becomes a child of this process, whatever session it is in: nobody is left once this one has no
   children. */
static int end_all(pid_t browser, int signals) {
    int status = 0;
    struct pollfd next = {.fd = signals, .events = POLLIN};
    struct signalfd_siginfo signal;
    kill(-browser, SIGKILL);
    kill(browser, SIGKILL);
    for (int round = 0; kill_children() || round < BLIND_ROUNDS; round++) {
        int one;
        pid_t child;
        while ((child = waitpid(-1, &one, WNOHANG)) > 0)
            if (child == browser)
                status = one;
        if (child < 0 && errno == ECHILD)
            break;
        /* Until one more has ended. */
        if (poll(&next, 1, ROUND_MILLISECONDS) > 0)
            while (read(signals, &signal, sizeof signal) > 0) {
            }
    }
    return status;
}

void webl_browser_guard(struct webl_browser_start *start) {
    int report = GUARD_REPORT - GUARD_LIFELINE;
    const struct rlimit nothing = {0, 0};
    setsid();
    prctl(PR_SET_NAME, "browser-guard");
    /* What the owner has in memory, and what pages have in the browser's, gets into no file. */
    setrlimit(RLIMIT_CORE, &nothing);
    /* What is ignored would stay so. */
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGCHLD);
    sigaddset(&wanted, SIGTERM);
    sigaddset(&wanted, SIGINT);
    sigaddset(&wanted, SIGHUP);
    int signals = -1;
    /* All signals are blocked here: these come as they are read. */
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) || arrange(start->descriptors) || chdir("/") ||
        (signals = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK)) < 0) {
        tell(start->descriptors[report], errno);
        _exit(FAILED);
    }
    pid_t guard = getpid();
    pid_t browser = _Fork();
    if (browser == 0)
        run(start, guard);
    if (browser < 0) {
        tell(GUARD_REPORT, errno);
        _exit(FAILED);
    }
    close_between(GUARD_ERROR, GUARD_NOTHING);
    close(GUARD_REPORT);
    watch(start, browser, signals);
    int status = end_all(browser, signals);
    /* What is in the pipe; who else might have it does not keep this process. */
    for (int piece = 0; piece < LAST_PIECES && listen_once(start->state) > 0; piece++) {
    }
    start->state->status = status;
    __atomic_store_n(&start->state->has_ended, 1, __ATOMIC_RELEASE);
    struct webl_browser_folder folder = {.place = GUARD_PLACE, .folder = GUARD_FOLDER, .lock = GUARD_LOCK};
    for (size_t index = 0; index + 1 < sizeof folder.name && start->folder[index]; index++)
        folder.name[index] = start->folder[index];
    webl_browser_folder_remove(&folder);
    _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}
