/* How fast libcurl alone brings pages: fetch PAGES CONNECTIONS URL
 *
 * One thread, connections kept open, each body kept whole. Prints how many failed as JSON; the caller takes the time.
 * Stands in for the shared program of the same purpose. */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct body {
    char *bytes;
    size_t size, capacity;
};

static size_t receive(char *piece, size_t one, size_t count, void *context) {
    struct body *body = context;
    size_t size = one * count;
    if (body->size + size > body->capacity) {
        size_t capacity = 2 * (body->size + size);
        char *bytes = realloc(body->bytes, capacity);
        if (!bytes)
            return 0;
        body->bytes = bytes;
        body->capacity = capacity;
    }
    memcpy(body->bytes + body->size, piece, size);
    body->size += size;
    return size;
}

int main(int count, char **arguments) {
    long pages = count == 4 ? atol(arguments[1]) : 0, connections = count == 4 ? atol(arguments[2]) : 0;
    if (pages < 1 || connections < 1) {
        fprintf(stderr, "usage: fetch PAGES CONNECTIONS URL\n");
        return 2;
    }
    long started = 0, finished = 0, failed = 0;
    curl_global_init(CURL_GLOBAL_ALL);
    CURLM *multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
    for (; started < connections && started < pages; started++) {
        CURL *easy = curl_easy_init();
        struct body *body = calloc(1, sizeof *body);
        curl_easy_setopt(easy, CURLOPT_URL, arguments[3]);
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
        curl_easy_setopt(easy, CURLOPT_WRITEDATA, body);
        curl_easy_setopt(easy, CURLOPT_PRIVATE, body);
        curl_multi_add_handle(multi, easy);
    }
    while (finished < pages) {
        int running = 0, left = 0;
        if (curl_multi_perform(multi, &running) != CURLM_OK)
            return 1;
        for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));) {
            if (message->msg != CURLMSG_DONE)
                continue;
            CURL *easy = message->easy_handle;
            struct body *body = NULL;
            long status = 0;
            curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&body);
            curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
            failed += message->data.result != CURLE_OK || status != 200;
            finished++;
            body->size = 0;
            curl_multi_remove_handle(multi, easy);
            if (started < pages) {
                started++;
                curl_multi_add_handle(multi, easy);
            } else {
                curl_easy_cleanup(easy);
                free(body->bytes);
                free(body);
            }
        }
        if (running)
            curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
    curl_multi_cleanup(multi);
    printf("{\"pages\":%ld,\"failed\":%ld}\n", finished, failed);
    return 0;
}
