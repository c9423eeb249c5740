/* What the files of this module share: where they stand in for the system, and how they end a process. */
#ifndef WEBLOADER_SCARCITY_H
#define WEBLOADER_SCARCITY_H

#include "CScarcity.h"

#include <string.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_SANITIZER /* which stands in for the same functions */
#endif
#endif

#if defined(__GLIBC__) && !defined(HAS_SANITIZER)
#define WEBL_ENDS_SCARCITY 1

/* Ends the process with a line that says of what there is too little. It allocates nothing. */
_Noreturn static inline void webl_end(const char *line) {
    ssize_t written = write(STDERR_FILENO, line, strlen(line));
    (void)written;
    _exit(WEBL_EXIT_SCARCITY);
}
#endif

#endif
