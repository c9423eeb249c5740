/* Bytes in bytes: what Swift's module of the C library leaves out. */
#ifndef WEBLOADER_CARCHIVE_SEARCH_H
#define WEBLOADER_CARCHIVE_SEARCH_H

#include <stddef.h>

/* Where the needle first begins in the bytes; NULL if it is not in them. */
const void *webl_find(const void *bytes, size_t count, const void *needle, size_t needle_count);

#endif
