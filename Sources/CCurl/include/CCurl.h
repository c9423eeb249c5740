/* What Swift sees of libcurl.
 *
 * libcurl and the 33 libraries behind it cost a process 4 to 5 ms of dynamic loading, so nothing links it:
 * webl_curl_load() opens it when the first request is made. Every other function here may only be called once
 * that has returned NULL. Variadic functions do not import into Swift, hence one wrapper an argument type. */
#ifndef WEBLOADER_CCURL_H
#define WEBLOADER_CCURL_H

#include <curl/curl.h>

/* Opens libcurl once for the process; thread-safe. NULL, or what went wrong (lives as long as the process). */
const char *webl_curl_load(void);

CURL *webl_curl_easy_init(void);
void webl_curl_easy_cleanup(CURL *handle);
CURLcode webl_curl_easy_pause(CURL *handle, int bitmask);
const char *webl_curl_easy_strerror(CURLcode code);
const char *webl_curl_version(void);

CURLcode webl_curl_setopt_long(CURL *handle, CURLoption option, long value);
CURLcode webl_curl_setopt_offset(CURL *handle, CURLoption option, curl_off_t value);
CURLcode webl_curl_setopt_string(CURL *handle, CURLoption option, const char *value);
CURLcode webl_curl_setopt_pointer(CURL *handle, CURLoption option, void *value);

/* Body and header callbacks have one shape. Returning anything but size * count ends the transfer. */
typedef size_t (*webl_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);
CURLcode webl_curl_setopt_data_callback(CURL *handle, CURLoption option, webl_curl_data_callback callback);

CURLcode webl_curl_setopt_request_callback(CURL *handle, curl_prereq_callback callback);
CURLcode webl_curl_setopt_socket_callback(CURL *handle, curl_opensocket_callback callback);
CURLcode webl_curl_setopt_debug_callback(CURL *handle, curl_debug_callback callback);

CURLcode webl_curl_getinfo_long(CURL *handle, CURLINFO info, long *value);
CURLcode webl_curl_getinfo_offset(CURL *handle, CURLINFO info, curl_off_t *value);
CURLcode webl_curl_getinfo_string(CURL *handle, CURLINFO info, const char **value);

CURLM *webl_curl_multi_init(void);
CURLMcode webl_curl_multi_cleanup(CURLM *multi);
CURLMcode webl_curl_multi_setopt_long(CURLM *multi, CURLMoption option, long value);
CURLMcode webl_curl_multi_add_handle(CURLM *multi, CURL *handle);
CURLMcode webl_curl_multi_remove_handle(CURLM *multi, CURL *handle);
CURLMcode webl_curl_multi_perform(CURLM *multi, int *running);
CURLMcode webl_curl_multi_poll(CURLM *multi, int timeout_milliseconds);
CURLMcode webl_curl_multi_wakeup(CURLM *multi);
const char *webl_curl_multi_strerror(CURLMcode code);

/* The next finished transfer and its result, or NULL when there is none. */
CURL *webl_curl_multi_next_finished(CURLM *multi, CURLcode *result);

struct curl_slist *webl_curl_slist_append(struct curl_slist *list, const char *line);
void webl_curl_slist_free_all(struct curl_slist *list);

/* What TLS agreed on for the connection that a transfer uses now; only while it does, as in its callbacks.
 *
 * 0 where there is no TLS, or none of OpenSSL's. The strings live as long as the connection. */
int webl_tls_session(CURL *handle, const char **version, const char **cipher);

/* Hands over each certificate of the peer's chain, its own first; times are in seconds since 1970. */
typedef void (*webl_certificate_callback)(void *context, const char *subject, const char *issuer,
                                          long long valid_from, long long expires);
void webl_tls_certificates(CURL *handle, webl_certificate_callback callback, void *context);

#endif
