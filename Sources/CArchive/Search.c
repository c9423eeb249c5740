#define _GNU_SOURCE
#include "Search.h"

#include <string.h>

const void *webl_find(const void *bytes, size_t count, const void *needle, size_t needle_count) {
    return memmem(bytes, count, needle, needle_count);
}
