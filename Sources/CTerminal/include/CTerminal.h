/* How wide characters are on a terminal, by the system's tables: Glibc's module has no wcwidth. And what Ctrl-C does to a job
   that can be continued: a handler may do next to nothing, so it is here. */
#ifndef WEBLOADER_CTERMINAL_H
#define WEBLOADER_CTERMINAL_H

#include <stdint.h>

/* The columns that a character of Unicode takes: 0, 1 or 2; 1 where the system does not know. */
int webl_columns(uint32_t scalar);

/* Has SIGINT, SIGTERM and SIGHUP write their number, as a byte, to a pipe in place of ending the process; the third signal ends it
   as ever. Returns the pipe's descriptor to read from; -1 with errno if there is none. To be called once. */
int webl_catch_interrupts(void);

#endif
