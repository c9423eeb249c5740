/* The children of a process, as the system lists them. */
#define _GNU_SOURCE
#include "browser.h"

#include <fcntl.h>
#include <unistd.h>

int webl_browser_each_child(int folder, const char *path, void (*body)(pid_t child, void *context), void *context) {
    int list = openat(folder, path, O_RDONLY | O_CLOEXEC);
    if (list < 0)
        return 0;
    char buffer[4096];
    ssize_t count;
    pid_t child = 0;
    while ((count = read(list, buffer, sizeof buffer)) > 0)
        for (ssize_t index = 0; index < count; index++) {
            /* Each number has a space behind it, and none is above 2^22. */
            if (buffer[index] >= '0' && buffer[index] <= '9') {
                child = (child & 0xffffff) * 10 + (buffer[index] - '0');
                continue;
            }
            if (child > 1)
                body(child, context);
            child = 0;
        }
    close(list);
    return 1;
}
