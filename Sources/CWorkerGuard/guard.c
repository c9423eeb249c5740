/* The budget's time, the stack's end, and how a run ends. */
#define _GNU_SOURCE
#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct webl_worker_status *webl_status;

/* How far the stack may grow: enough for values nested as deeply as they may be, and little beside a budget. */
#define STACK_SIZE ((uintptr_t)3 << 20)

extern void *__libc_stack_end;

static uint64_t started, used_before, time_limit, memory_limit, counted_baseline;
static int is_running;
static rlim_t hard_data_limit = RLIM_INFINITY;

uint64_t webl_guard_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t webl_guard_used_nanoseconds(void) {
    return used_before + (is_running ? webl_guard_now() - started : 0);
}

WEBL_UNSANITIZED _Noreturn void webl_guard_leave(int status) {
    for (;;)
        syscall(SYS_exit_group, status);
}

WEBL_UNSANITIZED _Noreturn void webl_guard_breach(uint32_t limit) {
    webl_status->peak_memory = webl_guard_peak_memory();
    webl_status->used_nanoseconds = webl_guard_used_nanoseconds();
    __atomic_store_n(&webl_status->limit, limit, __ATOMIC_RELEASE);
    webl_guard_leave(WEBL_WORKER_BREACH);
}

/* MARK: Signals */

WEBL_UNSANITIZED static void time_is_up(int signal) {
    (void)signal;
    if (is_running)
        webl_guard_breach(WEBL_LIMIT_TIME);
}

WEBL_UNSANITIZED static void fault(int signal, siginfo_t *info, void *context) {
    (void)context;
    uintptr_t top = (uintptr_t)__libc_stack_end, place = (uintptr_t)info->si_addr;
    /* The kernel keeps a gap of a megabyte below a stack. */
    if (info->si_code > 0 && place < top && place > top - STACK_SIZE - (2u << 20))
        webl_guard_breach(WEBL_LIMIT_STACK);
    /* A crash, then: the signal comes again, and this time it is not caught (SA_RESETHAND). One that somebody sent does
       not come again by itself. */
    if (info->si_code <= 0)
        webl_guard_leave(128 + signal);
}

static int install_handlers(void) {
    static _Alignas(16) unsigned char stack[32 << 10];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    if (sigaltstack(&alternate, NULL))
        return errno;
    struct sigaction action = {.sa_flags = SA_ONSTACK | SA_RESTART};
    action.sa_handler = time_is_up;
    if (sigaction(SIGALRM, &action, NULL))
        return errno;
    struct sigaction faulting = {.sa_flags = SA_ONSTACK | SA_SIGINFO | SA_RESETHAND};
    faulting.sa_sigaction = fault;
    if (sigaction(SIGSEGV, &faulting, NULL) || sigaction(SIGBUS, &faulting, NULL))
        return errno;
    return 0;
}

/* MARK: Setting up */

static int started_by_hand(void) {
    static const char message[] = "webinspect-worker: the library starts this; it does nothing by itself\n";
    ssize_t written = write(2, message, sizeof message - 1);
    (void)written;
    return WEBL_WORKER_USAGE;
}

/* Whoever starts it by hand has not put a file of ours where the memory is to be. (Swift's way to the arguments is to read
   them from /proc, which takes longer than all of this.) */
int webl_guard_attach(void) {
    struct stat file;
    if (fstat(WEBL_WORKER_MEMORY, &file) || !S_ISREG(file.st_mode) || file.st_size < WEBL_WORKER_STATUS_SIZE)
        return started_by_hand();
    void *memory = mmap(NULL, WEBL_WORKER_STATUS_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, WEBL_WORKER_MEMORY, 0);
    if (memory == MAP_FAILED)
        return started_by_hand();
    webl_status = memory;
    if (webl_status->protocol != WEBL_WORKER_PROTOCOL)
        return WEBL_WORKER_PROTOCOL_MISMATCH;
    webl_status->memory_counted = (uint32_t)webl_guard_counts_memory();
    /* SIGIO, which ends a process, comes when the other end of the lifeline is closed: as its process ends, however that
       comes about. (PR_SET_PDEATHSIG looks at the thread that started this one, and threads come and go.) */
    struct pollfd lifeline = {.fd = WEBL_WORKER_LIFELINE, .events = POLLIN};
    if (fcntl(WEBL_WORKER_LIFELINE, F_SETOWN, getpid()) || fcntl(WEBL_WORKER_LIFELINE, F_SETFL, O_ASYNC) ||
        poll(&lifeline, 1, 0) != 0)
        return WEBL_WORKER_USAGE;
    return 0;
}

static int set_limit(int resource, rlim_t soft, rlim_t hard) {
    struct rlimit limit = {.rlim_cur = soft, .rlim_max = hard};
    return setrlimit(resource, &limit) ? errno : 0;
}

int webl_guard_unconfined_status(void) { return WEBL_WORKER_UNCONFINED; }

int webl_guard_confine(void) {
    if (syscall(SYS_close_range, WEBL_WORKER_LIFELINE + 1, ~0u, 0) && errno != ENOSYS)
        return errno;
    /* Large blocks are mapped on their own, however many have been freed, and what is freed goes back to the system: what
       is resident stays close to what is live. Smaller ones are used again, without a page fault for each page. */
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 2 << 20);
    struct rlimit data;
    if (getrlimit(RLIMIT_DATA, &data))
        return errno;
    hard_data_limit = data.rlim_max;
    int code = set_limit(RLIMIT_CORE, 0, 0);
    if (!code)
        code = set_limit(RLIMIT_FSIZE, 0, 0);
    if (!code)
        code = set_limit(RLIMIT_STACK, STACK_SIZE, STACK_SIZE);
    if (!code)
        code = set_limit(RLIMIT_NOFILE, WEBL_WORKER_LIFELINE + 1, WEBL_WORKER_LIFELINE + 1);
    if (!code)
        code = install_handlers();
    if (!code && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        code = errno;
    return code ? code : webl_guard_install_filter();
}

/* MARK: Requests and records */

const unsigned char *webl_guard_next_request(size_t *length) {
    uint64_t count;
    ssize_t got;
    do
        got = read(WEBL_WORKER_REQUESTS, &count, sizeof count);
    while (got < 0 && errno == EINTR);
    size_t size = (size_t)webl_status->request_length;
    if (got != sizeof count || size == 0)
        return NULL;
    void *request = mmap(NULL, size, PROT_READ, MAP_SHARED, WEBL_WORKER_MEMORY, WEBL_WORKER_STATUS_SIZE);
    if (request == MAP_FAILED)
        return NULL;
    *length = size;
    return request;
}

void webl_guard_release_request(const unsigned char *request, size_t length) { munmap((void *)request, length); }

void webl_guard_write(const unsigned char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(WEBL_WORKER_RECORDS, bytes, count);
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        } else if (written < 0 && errno != EINTR) {
            webl_guard_leave(WEBL_WORKER_USAGE);
        }
    }
}

void webl_guard_set_phase(uint32_t phase) { __atomic_store_n(&webl_status->phase, phase, __ATOMIC_RELEASE); }

void webl_guard_set_rule(uint32_t index) { __atomic_store_n(&webl_status->rule, index, __ATOMIC_RELEASE); }

/* MARK: The budget */

static void arm(uint64_t nanoseconds) {
    uint64_t microseconds = nanoseconds / 1000;
    struct itimerval timer = {.it_value = {.tv_sec = (time_t)(microseconds / 1000000),
                                           .tv_usec = (suseconds_t)(microseconds % 1000000)}};
    /* It comes again, lest it fall between two steps of a pause. */
    timer.it_interval.tv_usec = 10000;
    if (microseconds == 0)
        timer.it_value.tv_usec = 1;
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void disarm(void) {
    struct itimerval none = {0};
    setitimer(ITIMER_REAL, &none, NULL);
}

/* RLIMIT_DATA is a backstop for what does not come from malloc: malloc itself is counted to the byte. A sanitizer's own maps,
   which are terabytes, would count too. */
static void limit_data(uint64_t bytes) {
    if (!webl_guard_counts_memory())
        return;
    struct rlimit limit = {.rlim_cur = bytes < hard_data_limit ? bytes : hard_data_limit, .rlim_max = hard_data_limit};
    setrlimit(RLIMIT_DATA, &limit);
}

static uint64_t sum(uint64_t left, uint64_t right) {
    uint64_t total;
    return __builtin_add_overflow(left, right, &total) ? UINT64_MAX - 1 : total;
}

static void run(void) {
    started = webl_guard_now();
    is_running = 1;
    webl_guard_limit(sum(counted_baseline, memory_limit), counted_baseline);
    uint64_t data = sum(sum(webl_guard_live(), counted_baseline), sum(memory_limit, 64u << 20));
    limit_data(data);
    webl_guard_set_phase(WEBL_PHASE_RULES);
    arm(time_limit > used_before ? time_limit - used_before : 0);
}

static void stop(void) {
    disarm();
    used_before = webl_guard_used_nanoseconds();
    is_running = 0;
    webl_guard_limit(UINT64_MAX, counted_baseline);
    limit_data(RLIM_INFINITY);
}

void webl_guard_begin(uint64_t nanoseconds, uint64_t used, uint64_t memory) {
    used_before = used;
    time_limit = nanoseconds;
    memory_limit = memory;
    counted_baseline = webl_guard_live();
    webl_guard_forget_peak();
    run();
}

uint64_t webl_guard_pause(void) {
    stop();
    webl_guard_set_phase(WEBL_PHASE_PREPARING);
    return webl_guard_live();
}

uint64_t webl_guard_resume(uint64_t live_at_pause) {
    uint64_t live = webl_guard_live(), more = live > live_at_pause ? live - live_at_pause : 0;
    counted_baseline = sum(counted_baseline, more);
    run();
    return more;
}

void webl_guard_uncount(uint64_t bytes) {
    counted_baseline -= bytes < counted_baseline ? bytes : counted_baseline;
    if (is_running)
        webl_guard_limit(sum(counted_baseline, memory_limit), counted_baseline);
}

void webl_guard_end(void) {
    stop();
    webl_guard_set_rule(0);
}
