/* XXH3, compiled in from its header: nothing to link, nothing to load at start-up. */
#ifndef WEBLOADER_CXXHASH_SHIM_H
#define WEBLOADER_CXXHASH_SHIM_H

#include <stddef.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static inline uint64_t webl_xxh3_64(const void *bytes, size_t count, uint64_t seed) {
    return XXH3_64bits_withSeed(bytes, count, seed);
}

/* 128 bits as two words, low first: enough that keys do not meet by chance. */
static inline void webl_xxh3_128(const void *bytes, size_t count, uint64_t result[2]) {
    XXH128_hash_t hash = XXH3_128bits(bytes, count);
    result[0] = hash.low64;
    result[1] = hash.high64;
}

#endif
