// Preloaded before libfaketime (Scripts/stress), whose 0.9.10 answers EINVAL where somebody sleeps until an instant of the monotonic
// clock, as Python does, and that clock is not to be faked.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
    if (clock == CLOCK_MONOTONIC) return syscall(SYS_clock_nanosleep, clock, flags, time, rest) == 0 ? 0 : errno;
    int (*next)(clockid_t, int, const struct timespec *, struct timespec *) = dlsym(RTLD_NEXT, "clock_nanosleep");
    return next(clock, flags, time, rest);
}
