/* What ThreadSanitizer has to know of Swift's Mutex on Linux: Scripts/nightly has every process under it load this first.
 *
 * Where nobody waits, a mutex is taken and given back by atomic instructions in our own code, which are instrumented.
 * Where somebody does, the standard library asks the kernel, uninstrumented: without this, each such turn is reported as
 * a race on whatever the mutex holds. This stands before those functions and tells what they do, so that nothing is
 * suppressed: what is done beside the mutex shows as before. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

void __tsan_acquire(void *) __attribute__((weak));
void __tsan_release(void *) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex

/* Synchronization._MutexHandle: _lockSlow(UInt32), _tryLockSlow() -> Bool, _unlockSlow(). */
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slowly(uint32_t thread, SELF) __asm__(LOCK);
SWIFT _Bool try_to_lock_slowly(SELF) __asm__(TRY_LOCK);
SWIFT void unlock_slowly(SELF) __asm__(UNLOCK);

SWIFT void lock_slowly(uint32_t thread, SELF) {
    SWIFT void (*next)(uint32_t, SELF) = (SWIFT void (*)(uint32_t, SELF))dlsym(RTLD_NEXT, LOCK);
    next(thread, mutex);
    if (__tsan_acquire)
        __tsan_acquire(mutex);
}

SWIFT _Bool try_to_lock_slowly(SELF) {
    SWIFT _Bool (*next)(SELF) = (SWIFT _Bool (*)(SELF))dlsym(RTLD_NEXT, TRY_LOCK);
    _Bool is_taken = next(mutex);
    if (is_taken && __tsan_acquire)
        __tsan_acquire(mutex);
    return is_taken;
}

SWIFT void unlock_slowly(SELF) {
    SWIFT void (*next)(SELF) = (SWIFT void (*)(SELF))dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release)
        __tsan_release(mutex);
    next(mutex);
}
