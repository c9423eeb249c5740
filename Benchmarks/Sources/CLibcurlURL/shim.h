/* libcurl's URL interface alone. */
#include <curl/urlapi.h>
#include <curl/curl.h>
