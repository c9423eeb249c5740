#define _GNU_SOURCE
#include "VirtualTime.h"

#include <dlfcn.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* As <swift/ExecutorImpl.h> and the runtime's hooks have them. */
#define SWIFT __attribute__((swiftcall))
typedef struct Job Job;
typedef struct { void *identity; uintptr_t implementation; } Executor;

extern SWIFT void swift_job_run(Job *, Executor);
extern SWIFT void (*swift_task_enqueueGlobal_hook)(Job *, void *original);
extern SWIFT void (*swift_task_enqueueGlobalWithDelay_hook)(unsigned long long nanoseconds, Job *, void *original);
extern SWIFT void (*swift_task_enqueueGlobalWithDeadline_hook)(
    long long seconds, long long nanoseconds, long long, long long, int clock, Job *, void *original);
extern SWIFT void (*swift_task_enqueueMainExecutor_hook)(Job *, void *original);

typedef struct { Job *job; int64_t time; uint64_t number; } Timer;

static bool is_active;
/* libdispatch has threads of its own, which sleep by the real clocks. */
static __thread bool is_main;
static int64_t monotonic, wall_offset; /* Nanoseconds. */
static const int64_t start = 1000000000000; /* Of the clock that never jumps. */
static uint32_t order, random_state, random_seed;

static Job **ready;
static size_t ready_count, ready_first, ready_capacity;
static Timer *timers;
static size_t timer_count, timer_capacity;
static uint64_t next_number;

/* MARK: - What is to run */

static SWIFT void enqueue(Job *job, void *original) {
    (void)original;
    if (ready_first + ready_count == ready_capacity) {
        if (ready_first > 0) {
            memmove(ready, ready + ready_first, ready_count * sizeof *ready);
            ready_first = 0;
        } else {
            ready_capacity = ready_capacity ? ready_capacity * 2 : 64;
            ready = realloc(ready, ready_capacity * sizeof *ready);
            if (!ready) abort();
        }
    }
    ready[ready_first + ready_count++] = job;
}

static void enqueue_at(int64_t time, Job *job) {
    if (timer_count == timer_capacity) {
        timer_capacity = timer_capacity ? timer_capacity * 2 : 64;
        timers = realloc(timers, timer_capacity * sizeof *timers);
        if (!timers) abort();
    }
    timers[timer_count++] = (Timer){job, time, next_number++};
}

static int64_t adding(int64_t a, int64_t b) {
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? INT64_MIN : INT64_MAX) : sum;
}

static SWIFT void enqueue_with_delay(unsigned long long nanoseconds, Job *job, void *original) {
    (void)original;
    enqueue_at(adding(monotonic, nanoseconds > INT64_MAX ? INT64_MAX : (int64_t)nanoseconds), job);
}

static SWIFT void enqueue_with_deadline(long long seconds, long long nanoseconds, long long tolerance,
                                        long long tolerance_nanoseconds, int clock, Job *job, void *original) {
    (void)tolerance, (void)tolerance_nanoseconds, (void)clock, (void)original;
    int64_t time;
    if (__builtin_mul_overflow(seconds, 1000000000LL, &time)) time = seconds < 0 ? INT64_MIN : INT64_MAX;
    enqueue_at(adding(adding(time, nanoseconds), -start), job);
}

/* Swift 6.3 sleeps by this, past the hooks, in libdispatch; what is to be done then is the job. The two highest bits of a
 * moment say by which clock it is, and both of those that sleeps know are one here. */
void dispatch_after_f(uint64_t moment, void *queue, void *context, void (*work)(void *)) {
    if (!is_active) {
        void (*next)(uint64_t, void *, void *, void (*)(void *)) = dlsym(RTLD_NEXT, "dispatch_after_f");
        return next(moment, queue, context, work);
    }
    int64_t time = moment == UINT64_MAX ? INT64_MAX : (int64_t)(moment & (UINT64_MAX >> 2));
    enqueue_at(adding(time, -start), context);
}

static uint32_t next_random(void) {
    random_state = random_state * 1664525 + 1013904223;
    return random_state >> 8;
}

bool virtual_time_step(void) {
    if (ready_count == 0) {
        if (timer_count == 0) return false;
        size_t first = 0;
        for (size_t i = 1; i < timer_count; i++)
            if (timers[i].time < timers[first].time
                || (timers[i].time == timers[first].time && timers[i].number < timers[first].number))
                first = i;
        Timer timer = timers[first];
        timers[first] = timers[--timer_count];
        /* What sleeps for ever is woken without the clock having gone to its end. */
        if (timer.time > monotonic && timer.time < INT64_MAX / 2) monotonic = timer.time;
        enqueue(timer.job, NULL);
    }
    size_t chosen = ready_first;
    if (order && ready_count > 1) {
        chosen += next_random() % ready_count;
        Job *job = ready[chosen];
        ready[chosen] = ready[ready_first];
        ready[ready_first] = job;
    }
    Job *job = ready[ready_first++];
    if (--ready_count == 0) ready_first = 0;
    swift_job_run(job, (Executor){NULL, 0});
    return true;
}

/* MARK: - The clocks */

void virtual_time_enter(int64_t milliseconds, uint32_t seed) {
    is_active = is_main = true;
    monotonic = 0;
    wall_offset = milliseconds;
    order = random_state = random_seed = seed;
    swift_task_enqueueGlobal_hook = enqueue;
    swift_task_enqueueGlobalWithDelay_hook = enqueue_with_delay;
    swift_task_enqueueGlobalWithDeadline_hook = enqueue_with_deadline;
    swift_task_enqueueMainExecutor_hook = enqueue;
}

void virtual_time_leave(void) {
    is_active = false;
    swift_task_enqueueGlobal_hook = NULL;
    swift_task_enqueueGlobalWithDelay_hook = NULL;
    swift_task_enqueueGlobalWithDeadline_hook = NULL;
    swift_task_enqueueMainExecutor_hook = NULL;
}

void virtual_time_set_wall_clock(int64_t milliseconds) { wall_offset = milliseconds - monotonic / 1000000; }
double virtual_time_elapsed(void) { return (double)monotonic / 1e9; }
int64_t virtual_time_wall_clock(void) { return wall_offset + monotonic / 1000000; }

static int write_time(int64_t nanoseconds, struct timespec *time) {
    time->tv_sec = nanoseconds / 1000000000;
    time->tv_nsec = nanoseconds % 1000000000;
    return 0;
}

/* Where the library calls clock_gettime, poll, usleep, or swift_stdlib_random, which the standard library's random numbers
 * come from, it calls these: the linker is told so (Package.swift), or for libFuzzer, which is to have the real ones,
 * objcopy is (Scripts/fuzz). */
int __wrap_clock_gettime(clockid_t clock, struct timespec *time) {
    if (!is_active) return (int)syscall(SYS_clock_gettime, clock, time);
    if (clock != CLOCK_REALTIME) return write_time(start + monotonic, time);
    int64_t wall = virtual_time_wall_clock();
    time->tv_sec = wall / 1000 - (wall % 1000 < 0);
    time->tv_nsec = (wall - time->tv_sec * 1000) * 1000000;
    return 0;
}

void __wrap_swift_stdlib_random(void *bytes, size_t count) {
    if (!is_active || count != sizeof(uint64_t)) {
        if (getrandom(bytes, count, 0) < 0) abort();
        return;
    }
    /* By the time, and not by how many were asked for, as for the names of files, but in the last bits, which set these
     * apart: a cache in memory asks for fewer, and is to have the same history. */
    static uint16_t number;
    uint64_t value = ((uint64_t)monotonic + random_seed + 1) * 0x9E3779B97F4A7C15;
    value ^= value >> 29;
    value = (value & ~(uint64_t)0xFFFF) | number++;
    memcpy(bytes, &value, sizeof value);
}

/* What blocks the thread has the time pass that it would take: nothing else runs meanwhile. */
static void pass(int64_t nanoseconds) { monotonic = adding(monotonic, nanoseconds); }

int __wrap_poll(struct pollfd *descriptors, nfds_t count, int milliseconds) {
    struct timespec none = {0, 0};
    if (!is_active) {
        struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
        return (int)syscall(SYS_ppoll, descriptors, count, milliseconds < 0 ? NULL : &time, NULL, 8);
    }
    int ready_now = (int)syscall(SYS_ppoll, descriptors, count, &none, NULL, 8);
    if (ready_now == 0) {
        if (milliseconds < 0) abort(); /* It would wait for ever. */
        pass(milliseconds * 1000000L);
    }
    return ready_now;
}

int __wrap_usleep(useconds_t microseconds) {
    struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000L};
    if (!is_active) return (int)syscall(SYS_nanosleep, &time, NULL);
    pass(microseconds * 1000L);
    return 0;
}

/* And this is clock_gettime itself, by the same means, for all others: Swift's runtime, which asks these clocks how long to sleep, and
 * libFuzzer, which asks the wall clock how long all takes. */
int runtime_clock_gettime(clockid_t clock, struct timespec *time) {
    if (is_active && is_main && (clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME)) return write_time(start + monotonic, time);
    return (int)syscall(SYS_clock_gettime, clock, time);
}
