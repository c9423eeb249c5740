/* How wide characters are on a terminal, by the system's tables: Glibc's module has no wcwidth. And what Ctrl-C does to a job
   that can be continued: a handler may do next to nothing, so it is here. And programs of the user's that are started. And lines that
   are edited at the terminal, by libedit, which is opened when the first is read. */
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

/* Catches SIGINT for as long as the process lives: from then on each is a byte that can be read from the descriptor that is returned;
   -1 if that is not possible. Not together with webl_catch_interrupts. */
int webl_catch_each_interrupt(void);

/* Starts a program, looked for in $PATH, in a process group of its own: its standard input is the pipe whose end is returned, which
   does not block; its standard output is this process's standard error. Strings stand one behind the other, each with its NUL; the
   variables of `additions` ("NAME=value") take the place of this process's. Returns 0, or a number of errno. */
int webl_start_program(
    const char *arguments, size_t argument_count, const char *additions, size_t addition_count, int *input, pid_t *process);

/* An editor of lines on the standard streams; to be used by one thread at a time. */
typedef struct webl_lines webl_lines;

/* Asked at a Tab, with the line up to the cursor, of so many bytes. Gives what is to be inserted there or, if that is nothing, what is
   shown at a second Tab: text with an end of line; both allocated by malloc, NULL for none. */
typedef void (*webl_complete)(void *context, const char *line, size_t length, char **insertion, char **listing);

/* Lines that are remembered, at most. */
enum { WEBL_HISTORY_COUNT = 1000 };

/* In place of a length: the end of the input; an interrupt; a line of more than 262,144 characters. */
enum { WEBL_LINES_END = -1, WEBL_LINES_INTERRUPTED = -2, WEBL_LINES_TOO_LONG = -3 };

/* Whether libedit is there. */
int webl_lines_are_available(void);

/* An editor; NULL where libedit is missing, or standard input and output are not a terminal on which a line can be edited. */
webl_lines *webl_lines_open(const char *prompt, webl_complete complete);

/* Reads a line, without its end, which stays valid until the next is read. Returns its length, or one of WEBL_LINES_. The context is
   passed to what completes. The terminal is as it was when this returns, and when a signal ends the process. */
ptrdiff_t webl_lines_read(webl_lines *lines, void *context, const char **line);

/* Adds a line to those that the arrow keys bring back; not one that is the same as the last. */
void webl_lines_remember(webl_lines *lines, const char *line, size_t length);

void webl_lines_close(webl_lines *lines);

#endif
