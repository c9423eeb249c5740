/* Stands in for pthread_create, to end a process that would wait for ever.
 *
 * Where no thread can be started, for want of memory or by a limit of processes, Dispatch tries again every second and does
 * nothing else meanwhile: a command would hang, whatever its time limit. Whoever else starts threads (libcurl, to resolve
 * names) gives up at once, says so, and is left alone: only the same call, made again by the same thread a second later,
 * ends the process. */
#define _GNU_SOURCE
#include "CScarcity.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_SANITIZER /* which stands in for it too */
#endif
#endif

#if defined(__linux__) && !defined(HAS_SANITIZER)
#include <dlfcn.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

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
    } else if (failed.start != start || failed.argument != argument) {
        failed.start = start;
        failed.argument = argument;
        failed.since = now();
    } else if (now() - failed.since >= WAIT) {
        static const char line[] =
            "webinspect: threads: none can be started, for want of memory or by a limit of processes (system.threads)\n";
        ssize_t written = write(2, line, sizeof line - 1);
        (void)written;
        _exit(WEBL_EXIT_SCARCITY);
    }
    return code;
}
#endif
