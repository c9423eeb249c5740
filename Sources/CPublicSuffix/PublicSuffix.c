/* Public suffixes, asked of the libpsl that libcurl uses for cookies. */
#include "CPublicSuffix.h"

#include <dlfcn.h>
#include <pthread.h>

typedef struct psl LIST;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const LIST *list;
static int (*is_public_suffix)(const LIST *, const char *);

static void load(void) {
#ifndef __APPLE__
    void *library = dlopen("libpsl.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    is_public_suffix = (__typeof__(is_public_suffix))dlsym(library, "psl_is_public_suffix");
    LIST *(*latest)(const char *) = (__typeof__(latest))dlsym(library, "psl_latest");
    if (is_public_suffix && latest) list = latest(NULL);
#endif
}

int webl_is_public_suffix(const char *domain) {
    pthread_once(&once, load);
    return list ? is_public_suffix(list, domain) : -1;
}
