/* How wide characters are on a terminal, by the system's tables: Glibc's module has no wcwidth. And what Ctrl-C does to a job
   that can be continued: a handler may do next to nothing, so it is here. And programs of the user's that are started. */
#ifndef WEBLOADER_CTERMINAL_H
#define WEBLOADER_CTERMINAL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The columns that a character of Unicode takes: 0, 1 or 2; 1 where the system does not know. */
int webl_columns(uint32_t scalar);

/* Has SIGINT, SIGTERM and SIGHUP write their number, as a byte, to a pipe in place of ending the process; the third signal ends it
   as ever. Returns the pipe's descriptor to read from; -1 with errno if there is none. To be called once. */
int webl_catch_interrupts(void);

/* Starts a program, looked for in $PATH, in a process group of its own: its standard input is the pipe whose end is returned, which
   does not block; its standard output is this process's standard error. Strings stand one behind the other, each with its NUL; the
   variables of `additions` ("NAME=value") take the place of this process's. Returns 0, or a number of errno. */
int webl_start_program(
    const char *arguments, size_t argument_count, const char *additions, size_t addition_count, int *input, pid_t *process);

#endif
