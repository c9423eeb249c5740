/* Between CCurl.c and TLS.c. */
#ifndef WEBLOADER_TLS_H
#define WEBLOADER_TLS_H

#include <curl/curl.h>

/* Looks up what is needed of the OpenSSL that libcurl has brought along, if it has. Called once. */
void webl_tls_load(void);

/* OpenSSL's connection that a transfer uses now; 0 if there is none. */
int webl_tls_connection(CURL *handle, void **connection);

#endif
