/* malloc and its kin, counting what is live and refusing before it is granted.
 *
 * The count is of what glibc hands out, its own eight bytes a block included. One thread, so no locks and no atomics:
 * measured on a parse, the count costs less than can be told from noise. */
#define _GNU_SOURCE
#include "guard.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* `peak` is the most that was live since `baseline` was set, `most_used` the most above any baseline of the run. */
static uint64_t live, peak, limit = UINT64_MAX, baseline, most_used;
static void (*reclaim)(void *);
static void *reclaim_context;
static int is_busy;

int *webl_guard_busy(void) { return &is_busy; }

uint64_t webl_guard_live(void) { return live; }

uint64_t webl_guard_peak_memory(void) {
    uint64_t used = limit != UINT64_MAX && peak > baseline ? peak - baseline : 0;
    return used > most_used ? used : most_used;
}

void webl_guard_limit(uint64_t bytes, uint64_t base) {
    most_used = webl_guard_peak_memory();
    peak = live;
    limit = bytes;
    baseline = base;
}

void webl_guard_forget_peak(void) { most_used = 0; }

ptrdiff_t webl_guard_headroom(void) {
    uint64_t room = limit > live ? limit - live : 0;
    return room < PTRDIFF_MAX ? (ptrdiff_t)room : PTRDIFF_MAX;
}

void webl_guard_set_reclaim(void (*function)(void *), void *context) {
    reclaim = function;
    reclaim_context = context;
}

#if WEBL_COUNTS_MEMORY

int webl_guard_counts_memory(void) { return 1; }

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

/* What a block takes, its header included: the word before it, whose lowest three bits say other things. Asking
   malloc_usable_size would take a call for each block made and freed, and a page is a hundred thousand of them. */
static inline uint64_t size_of(void *block) { return block ? ((const size_t *)block)[-1] & ~(size_t)7 : 0; }

/* The most that a block of so many bytes can take: rounded up to a page, where it is mapped on its own. */
static inline uint64_t most(size_t size) {
    uint64_t rounded = (uint64_t)size + 4 * sizeof(size_t) + 15;
    return size >= 64 << 10 ? rounded + 4096 : rounded;
}

/* Lets an allocation through, or ends the process; `less` is what it gives back. */
static void refuse(uint64_t more, uint64_t less) {
    if (reclaim && !is_busy) {
        is_busy = 1;
        reclaim(reclaim_context);
        is_busy = 0;
        if (live - less + more <= limit)
            return;
    }
    webl_status->asked_memory = live - less + more - baseline;
    webl_guard_breach(WEBL_LIMIT_MEMORY);
}

static inline void admit(uint64_t more, uint64_t less) {
    if (__builtin_expect(live - less + more > limit, 0))
        refuse(more, less);
}

static inline void *counted(void *block, size_t size) {
    if (!block) {
        /* The system has none. Under a budget that is a breach, never a value: libraries carry on with wrong ones. */
        if (limit != UINT64_MAX) {
            webl_status->asked_memory = live + size - baseline;
            webl_guard_breach(WEBL_LIMIT_MEMORY);
        }
        /* Otherwise nobody is told either: Swift's runtime would trap. */
        webl_guard_leave(WEBL_WORKER_SCARCITY);
    }
    live += size_of(block);
    if (live > peak) {
        peak = live;
        /* Whoever asked for the rules may look at it as they run. */
        if (limit != UINT64_MAX)
            __atomic_store_n(&webl_status->peak_memory, webl_guard_peak_memory(), __ATOMIC_RELAXED);
    }
    return block;
}

void *malloc(size_t size) {
    admit(most(size), 0);
    return counted(__libc_malloc(size), size);
}

void *calloc(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    admit(most(bytes), 0);
    return counted(__libc_calloc(count, size), bytes);
}

void free(void *block) {
    live -= size_of(block);
    __libc_free(block);
}

void *realloc(void *block, size_t size) {
    if (!block)
        return malloc(size);
    uint64_t before = size_of(block);
    if (size > before)
        admit(most(size), before);
    void *moved = __libc_realloc(block, size);
    if (!moved) {
        if (size == 0) /* it was freed */
            live -= before;
        else
            counted(NULL, size);
        return NULL;
    }
    live -= before;
    return counted(moved, size);
}

void *memalign(size_t alignment, size_t size) {
    admit(most(size) + alignment, 0);
    return counted(__libc_memalign(alignment, size), size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) || (alignment & (alignment - 1)) || alignment == 0)
        return EINVAL;
    void *made = memalign(alignment, size);
    if (!made)
        return ENOMEM;
    *block = made;
    return 0;
}

void *valloc(size_t size) { return memalign((size_t)sysconf(_SC_PAGESIZE), size); }

void *pvalloc(size_t size) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return memalign(page, (size + page - 1) / page * page);
}

#else

int webl_guard_counts_memory(void) { return 0; }

#endif
