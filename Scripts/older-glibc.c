/* What a release takes of glibc 2.35 and 2.36, so that it runs with 2.34, too: all else that it asks for is no newer.
 *
 * The linker meets these before the C library. They are hidden: libraries that are opened later have glibc's own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* 2.36; libstdc++'s std::random_device, which nothing of ours has. */
HIDDEN uint32_t arc4random(void) {
    uint32_t number;
    while (getrandom(&number, sizeof number, 0) != sizeof number)
        if (errno != EINTR) abort();
    return number;
}

/* 2.35 has another one that leaves errno alone; Swift's overlay of Glibc. No square of a float leaves a double's range. */
HIDDEN float hypotf(float x, float y) {
    if (isinf(x) || isinf(y)) return INFINITY;
    return (float)sqrt((double)x * x + (double)y * y);
}

/* 2.35; GCC's unwinder from GCC 12 on, which walked the objects by itself before. */
#ifdef DLFO_EH_SEGMENT_TYPE
struct search {
    uintptr_t address;
    struct dl_find_object *result;
};

static int look(struct dl_phdr_info *object, size_t size, void *data) {
    struct search *search = data;
    uintptr_t begin = UINTPTR_MAX, end = 0, unwinding = 0;
    int is_inside = 0;
    (void)size;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        uintptr_t first = object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == DLFO_EH_SEGMENT_TYPE) unwinding = first;
        if (segment->p_type != PT_LOAD) continue;
        if (first < begin) begin = first;
        if (first + segment->p_memsz > end) end = first + segment->p_memsz;
        if (search->address - first < segment->p_memsz) is_inside = 1;
    }
    /* Without what the unwinder wants of it, it is as good as not there: the stack ends in it. */
    if (!is_inside || unwinding == 0) return 0;
    search->result->dlfo_map_start = (void *)begin;
    search->result->dlfo_map_end = (void *)end;
    search->result->dlfo_eh_frame = (void *)unwinding;
    return 1;
}

HIDDEN int _dl_find_object(void *address, struct dl_find_object *result) {
    struct search search = {(uintptr_t)address, result};
    *result = (struct dl_find_object){0};
    return dl_iterate_phdr(look, &search) == 1 ? 0 : -1;
}
#endif
