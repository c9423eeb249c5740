/* Stands in for malloc and its kin, to end a process that the system has no memory for.
 *
 * Swift's runtime takes NULL for a trap, or writes to it; Dispatch waits for ever; libraries carry on with half of what they
 * need. None of them can do without, so nobody is told: a line, and the end. What is granted is glibc's own block, for its own
 * free. Weak, since webinspect-worker's guard stands in for them too, and tests have both. */
#include "scarcity.h"

#if WEBL_ENDS_SCARCITY
#include <errno.h>
#include <stddef.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

#define STANDS_IN __attribute__((weak))

static inline void *granted(void *block) {
    if (__builtin_expect(!block, 0)) webl_end("webinspect: memory: the system has none left (system.memory)\n");
    return block;
}

STANDS_IN void *malloc(size_t size) { return granted(__libc_malloc(size)); }

STANDS_IN void *calloc(size_t count, size_t size) { return granted(__libc_calloc(count, size)); }

STANDS_IN void *realloc(void *block, size_t size) {
    void *moved = __libc_realloc(block, size);
    /* Of no size, it was freed. */
    return size > 0 || !block ? granted(moved) : moved;
}

STANDS_IN void *memalign(size_t alignment, size_t size) { return granted(__libc_memalign(alignment, size)); }

STANDS_IN void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

STANDS_IN int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) || (alignment & (alignment - 1)) || alignment == 0) return EINVAL;
    *block = memalign(alignment, size);
    return 0;
}
#endif
