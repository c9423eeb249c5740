/* Message digests, by OpenSSL's libcrypto, which takes the CPU's instructions for them.
 *
 * The library is opened when the first digest is made; nothing links it. */
#ifndef WEBLOADER_CARCHIVE_DIGEST_H
#define WEBLOADER_CARCHIVE_DIGEST_H

#include <stddef.h>

typedef enum {
    WEBL_DIGEST_MD5,
    WEBL_DIGEST_SHA1,
    WEBL_DIGEST_SHA256,
    WEBL_DIGEST_SHA384,
    WEBL_DIGEST_SHA512,
} webl_digest_algorithm;

/* No digest is longer. */
enum { WEBL_DIGEST_MAX = 64 };

typedef struct webl_digest webl_digest;

/* A digest of nothing yet; NULL if the library or the algorithm is not there, or there is no memory. */
webl_digest *webl_digest_create(webl_digest_algorithm algorithm);
void webl_digest_free(webl_digest *digest);

/* 0 if it failed. */
int webl_digest_update(webl_digest *digest, const void *bytes, size_t count);

/* Writes the digest, and begins anew; returns its length, 0 if it failed. */
size_t webl_digest_finish(webl_digest *digest, unsigned char *output);

#endif
