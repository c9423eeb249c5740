#include "CCurl.h"
#include "TLS.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* curl's headers wrap these in type-checking macros; here the plain functions are meant. */
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

/* Every function used, once: declares its pointer below and looks it up in load(). */
#define EACH_FUNCTION(X)                                                                                       \
    X(curl_global_init) X(curl_version)                                                                        \
    X(curl_easy_init) X(curl_easy_cleanup) X(curl_easy_pause) X(curl_easy_strerror) X(curl_easy_setopt)        \
    X(curl_easy_getinfo)                                                                                       \
    X(curl_multi_init) X(curl_multi_cleanup) X(curl_multi_setopt) X(curl_multi_add_handle)                     \
    X(curl_multi_remove_handle) X(curl_multi_perform) X(curl_multi_poll) X(curl_multi_wakeup)                  \
    X(curl_multi_strerror) X(curl_multi_info_read) X(curl_slist_append) X(curl_slist_free_all)

#define DECLARE(name) static __typeof__(&name) p_##name;
EACH_FUNCTION(DECLARE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[256];

static void load(void) {
#ifdef __APPLE__
    void *library = dlopen("libcurl.4.dylib", RTLD_NOW | RTLD_LOCAL);
#else
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
#endif
    if (!library) {
        snprintf(failure, sizeof failure, "%s", dlerror());
        return;
    }
#define LOOK_UP(name)                                                                                          \
    if (!(p_##name = (__typeof__(&name))dlsym(library, #name))) {                                              \
        snprintf(failure, sizeof failure, "libcurl lacks " #name);                                             \
        return;                                                                                                \
    }
    EACH_FUNCTION(LOOK_UP)
    webl_tls_load();
    /* glibc gives memory back to the system above a threshold, 128 KB at first, which it learns from the large blocks
     * that come and go. Pages of just below that would have the kernel clear each body's memory anew. */
    void *volatile block = malloc(4 << 20);
    free(block);
    CURLcode code = p_curl_global_init(CURL_GLOBAL_DEFAULT);
    if (code != CURLE_OK) snprintf(failure, sizeof failure, "curl_global_init: %s", p_curl_easy_strerror(code));
}

int webl_tls_connection(CURL *handle, void **connection) {
    struct curl_tlssessioninfo *session = NULL;
    if (p_curl_easy_getinfo(handle, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session) return 0;
    *connection = session->internals;
    return session->backend == CURLSSLBACKEND_OPENSSL && session->internals;
}

const char *webl_curl_load(void) {
    pthread_once(&once, load);
    return failure[0] ? failure : NULL;
}

const char *webl_curl_version(void) { return p_curl_version(); }

CURL *webl_curl_easy_init(void) { return p_curl_easy_init(); }
void webl_curl_easy_cleanup(CURL *handle) { p_curl_easy_cleanup(handle); }
CURLcode webl_curl_easy_pause(CURL *handle, int bitmask) { return p_curl_easy_pause(handle, bitmask); }
const char *webl_curl_easy_strerror(CURLcode code) { return p_curl_easy_strerror(code); }

CURLcode webl_curl_setopt_long(CURL *handle, CURLoption option, long value) {
    return p_curl_easy_setopt(handle, option, value);
}
CURLcode webl_curl_setopt_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return p_curl_easy_setopt(handle, option, value);
}
CURLcode webl_curl_setopt_string(CURL *handle, CURLoption option, const char *value) {
    return p_curl_easy_setopt(handle, option, value);
}
CURLcode webl_curl_setopt_pointer(CURL *handle, CURLoption option, void *value) {
    return p_curl_easy_setopt(handle, option, value);
}
CURLcode webl_curl_setopt_data_callback(CURL *handle, CURLoption option, webl_curl_data_callback callback) {
    return p_curl_easy_setopt(handle, option, callback);
}

CURLcode webl_curl_setopt_request_callback(CURL *handle, curl_prereq_callback callback) {
    return p_curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback);
}

CURLcode webl_curl_setopt_socket_callback(CURL *handle, curl_opensocket_callback callback) {
    return p_curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, callback);
}
CURLcode webl_curl_setopt_debug_callback(CURL *handle, curl_debug_callback callback) {
    return p_curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, callback);
}

CURLcode webl_curl_getinfo_long(CURL *handle, CURLINFO info, long *value) {
    return p_curl_easy_getinfo(handle, info, value);
}
CURLcode webl_curl_getinfo_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return p_curl_easy_getinfo(handle, info, value);
}
CURLcode webl_curl_getinfo_string(CURL *handle, CURLINFO info, const char **value) {
    return p_curl_easy_getinfo(handle, info, value);
}

CURLM *webl_curl_multi_init(void) { return p_curl_multi_init(); }
CURLMcode webl_curl_multi_cleanup(CURLM *multi) { return p_curl_multi_cleanup(multi); }
CURLMcode webl_curl_multi_setopt_long(CURLM *multi, CURLMoption option, long value) {
    return p_curl_multi_setopt(multi, option, value);
}
CURLMcode webl_curl_multi_add_handle(CURLM *multi, CURL *handle) { return p_curl_multi_add_handle(multi, handle); }
CURLMcode webl_curl_multi_remove_handle(CURLM *multi, CURL *handle) {
    return p_curl_multi_remove_handle(multi, handle);
}
CURLMcode webl_curl_multi_perform(CURLM *multi, int *running) { return p_curl_multi_perform(multi, running); }
CURLMcode webl_curl_multi_poll(CURLM *multi, int timeout_milliseconds) {
    return p_curl_multi_poll(multi, NULL, 0, timeout_milliseconds, NULL);
}
CURLMcode webl_curl_multi_wakeup(CURLM *multi) { return p_curl_multi_wakeup(multi); }
const char *webl_curl_multi_strerror(CURLMcode code) { return p_curl_multi_strerror(code); }

CURL *webl_curl_multi_next_finished(CURLM *multi, CURLcode *result) {
    int left;
    CURLMsg *message;
    while ((message = p_curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

struct curl_slist *webl_curl_slist_append(struct curl_slist *list, const char *line) {
    return p_curl_slist_append(list, line);
}
void webl_curl_slist_free_all(struct curl_slist *list) { p_curl_slist_free_all(list); }
