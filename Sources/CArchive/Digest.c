#include "Digest.h"

#include <dlfcn.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdlib.h>

/* Every function used, once: declares its pointer below and looks it up in load(). */
#define EACH_CRYPTO(X)                                                                                         \
    X(EVP_MD_CTX_new) X(EVP_MD_CTX_free) X(EVP_MD_fetch) X(EVP_DigestInit_ex) X(EVP_DigestUpdate)              \
    X(EVP_DigestFinal_ex)

#define DECLARE(name) static __typeof__(&name) p_##name;
EACH_CRYPTO(DECLARE)

static const char *const names[] = {"MD5", "SHA1", "SHA2-256", "SHA2-384", "SHA2-512"};
enum { ALGORITHM_COUNT = sizeof names / sizeof *names };

static pthread_once_t once = PTHREAD_ONCE_INIT;
/* Fetched once, since a fetch takes longer than the digest of a small page. */
static EVP_MD *algorithms[ALGORITHM_COUNT];
static int has_crypto;

static void load(void) {
    void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
#define LOOK_UP(name) && (p_##name = (__typeof__(&name))dlsym(library, #name))
    has_crypto = library EACH_CRYPTO(LOOK_UP);
    for (int index = 0; has_crypto && index < ALGORITHM_COUNT; index++)
        algorithms[index] = p_EVP_MD_fetch(NULL, names[index], NULL);
}

struct webl_digest {
    EVP_MD_CTX *context;
    const EVP_MD *algorithm;
};

webl_digest *webl_digest_create(webl_digest_algorithm algorithm) {
    pthread_once(&once, load);
    if (!has_crypto || (unsigned)algorithm >= ALGORITHM_COUNT || !algorithms[algorithm]) return NULL;
    webl_digest *digest = calloc(1, sizeof *digest);
    if (!digest) return NULL;
    digest->algorithm = algorithms[algorithm];
    digest->context = p_EVP_MD_CTX_new();
    if (digest->context && p_EVP_DigestInit_ex(digest->context, digest->algorithm, NULL)) return digest;
    webl_digest_free(digest);
    return NULL;
}

void webl_digest_free(webl_digest *digest) {
    if (!digest) return;
    if (digest->context) p_EVP_MD_CTX_free(digest->context);
    free(digest);
}

int webl_digest_update(webl_digest *digest, const void *bytes, size_t count) {
    return p_EVP_DigestUpdate(digest->context, bytes, count);
}

size_t webl_digest_finish(webl_digest *digest, unsigned char *output) {
    unsigned char bytes[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    if (!p_EVP_DigestFinal_ex(digest->context, bytes, &length) || length > WEBL_DIGEST_MAX ||
        !p_EVP_DigestInit_ex(digest->context, digest->algorithm, NULL))
        return 0;
    for (unsigned index = 0; index < length; index++) output[index] = bytes[index];
    return length;
}
