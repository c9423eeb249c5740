/* What TLS agreed on, asked of the OpenSSL that libcurl uses.
 *
 * libcurl's own CURLINFO_CERTINFO says nothing where a connection is used again. OpenSSL's headers are not needed: the
 * functions are looked up by name, and their types are written out below. */
#include "TLS.h"

#include "CCurl.h"

#include <dlfcn.h>
#include <time.h>

typedef struct ssl SSL;
typedef struct certificate X509;
typedef struct name X509_NAME;
typedef struct chain CHAIN;
typedef struct moment ASN1_TIME;
typedef struct cipher SSL_CIPHER;
typedef struct bio BIO;

/* One line, UTF-8 as it is, unprintable characters escaped: what `openssl x509 -nameopt oneline,utf8` says. */
enum { NAME_FORMAT = 1 | 2 | 8 | 0x10 | 0x100 | 0x200 | 2 << 16 | 1 << 23, BIO_CTRL_INFO = 3 };

#define EACH_SSL(X)                                                                                            \
    X(const char *, SSL_get_version, (const SSL *))                                                            \
    X(const SSL_CIPHER *, SSL_get_current_cipher, (const SSL *))                                               \
    X(const char *, SSL_CIPHER_get_name, (const SSL_CIPHER *))                                                 \
    X(CHAIN *, SSL_get_peer_cert_chain, (const SSL *))
#define EACH_CRYPTO(X)                                                                                         \
    X(int, OPENSSL_sk_num, (const CHAIN *))                                                                    \
    X(X509 *, OPENSSL_sk_value, (const CHAIN *, int))                                                          \
    X(const X509_NAME *, X509_get_subject_name, (const X509 *))                                                \
    X(const X509_NAME *, X509_get_issuer_name, (const X509 *))                                                 \
    X(const ASN1_TIME *, X509_get0_notBefore, (const X509 *))                                                  \
    X(const ASN1_TIME *, X509_get0_notAfter, (const X509 *))                                                   \
    X(int, X509_NAME_print_ex, (BIO *, const X509_NAME *, int, unsigned long))                                 \
    X(int, ASN1_TIME_to_tm, (const ASN1_TIME *, struct tm *))                                                  \
    X(const void *, BIO_s_mem, (void)) X(BIO *, BIO_new, (const void *)) X(int, BIO_free, (BIO *))             \
    X(long, BIO_ctrl, (BIO *, int, long, void *)) X(int, BIO_write, (BIO *, const void *, int))

#define DECLARE(type, name, parameters) static type(*p_##name) parameters;
EACH_SSL(DECLARE)
EACH_CRYPTO(DECLARE)

static int is_loaded;

static void *opened(const char *newer, const char *older) {
    void *library = dlopen(newer, RTLD_NOW | RTLD_NOLOAD);
    return library ? library : dlopen(older, RTLD_NOW | RTLD_NOLOAD);
}

void webl_tls_load(void) {
#ifndef __APPLE__
    void *ssl = opened("libssl.so.3", "libssl.so.1.1"), *crypto = opened("libcrypto.so.3", "libcrypto.so.1.1");
    if (!ssl || !crypto) return;
#define LOOK_UP(library, type, name) if (!(p_##name = (__typeof__(p_##name))dlsym(library, #name))) return;
#define LOOK_UP_SSL(type, name, parameters) LOOK_UP(ssl, type, name)
#define LOOK_UP_CRYPTO(type, name, parameters) LOOK_UP(crypto, type, name)
    EACH_SSL(LOOK_UP_SSL)
    EACH_CRYPTO(LOOK_UP_CRYPTO)
    is_loaded = 1;
#endif
}

int webl_tls_session(CURL *handle, const char **version, const char **cipher) {
    void *ssl;
    if (!is_loaded || !webl_tls_connection(handle, &ssl)) return 0;
    const SSL_CIPHER *current = p_SSL_get_current_cipher(ssl);
    *version = p_SSL_get_version(ssl);
    *cipher = current ? p_SSL_CIPHER_get_name(current) : NULL;
    return *version && *cipher;
}

/* A name as text with its NUL, in memory that the BIO owns; NULL if there is none. */
static const char *text(BIO *bio, const X509_NAME *name) {
    char *bytes = NULL;
    if (!bio || !name || p_X509_NAME_print_ex(bio, name, 0, NAME_FORMAT) < 0) return NULL;
    return p_BIO_write(bio, "", 1) == 1 && p_BIO_ctrl(bio, BIO_CTRL_INFO, 0, &bytes) > 0 ? bytes : NULL;
}

static long long seconds(const ASN1_TIME *moment) {
    struct tm parts;
    return moment && p_ASN1_TIME_to_tm(moment, &parts) == 1 ? (long long)timegm(&parts) : 0;
}

void webl_tls_certificates(CURL *handle, webl_certificate_callback callback, void *context) {
    void *ssl;
    if (!is_loaded || !webl_tls_connection(handle, &ssl)) return;
    CHAIN *chain = p_SSL_get_peer_cert_chain(ssl);
    int count = chain ? p_OPENSSL_sk_num(chain) : 0;
    for (int i = 0; i < count; i++) {
        X509 *certificate = p_OPENSSL_sk_value(chain, i);
        BIO *subject_bio = p_BIO_new(p_BIO_s_mem()), *issuer_bio = p_BIO_new(p_BIO_s_mem());
        const char *subject = text(subject_bio, p_X509_get_subject_name(certificate));
        const char *issuer = text(issuer_bio, p_X509_get_issuer_name(certificate));
        if (subject && issuer)
            callback(context, subject, issuer, seconds(p_X509_get0_notBefore(certificate)),
                     seconds(p_X509_get0_notAfter(certificate)));
        if (subject_bio) p_BIO_free(subject_bio);
        if (issuer_bio) p_BIO_free(issuer_bio);
    }
}
