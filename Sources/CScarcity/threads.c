/* Stands in for pthread_create, to end a process that would wait for ever.
 *
 * Where no thread can be started, for want of memory or by a limit of processes, Dispatch tries again every second and does
 * nothing else meanwhile: a command would hang, whatever its time limit. Whoever else starts threads (libcurl, to resolve
 * names) gives up at once, says so, and is left alone: only the same call, made again by the same thread a second later,
 * ends the process; or the first one, where NIO starts threads, which traps. */
#define _GNU_SOURCE
#include "scarcity.h"

static _Atomic(int) is_needed;

void webl_needs_threads(void) { is_needed = 1; }

#if WEBL_ENDS_SCARCITY
#include <dlfcn.h>
#include <pthread.h>
#include <time.h>

typedef int (*CREATE)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* Milliseconds after which the same call is one that has been waiting. */
enum { WAIT = 900 };

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    static _Thread_local struct {
        void *(*start)(void *);
        void *argument;
        long long since;
    } failed;
    static _Atomic(CREATE) system;
    CREATE create = system;
    if (!create) system = create = (CREATE)dlsym(RTLD_NEXT, "pthread_create");
    int code = create(thread, attributes, start, argument);
    if (code == 0) {
        failed.start = NULL;
    } else if (!is_needed && (failed.start != start || failed.argument != argument)) {
        failed.start = start;
        failed.argument = argument;
        failed.since = now();
    } else if (is_needed || now() - failed.since >= WAIT) {
        webl_end("webinspect: threads: none can be started, for want of memory or by a limit of processes (system.threads)\n");
    }
    return code;
}
#endif
