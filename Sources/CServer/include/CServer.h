/* What the local server has in C: the files of its page, and starting processes that end with it. */
#ifndef WEBLOADER_CSERVER_H
#define WEBLOADER_CSERVER_H

#include <stddef.h>
#include <sys/types.h>

/* A file of the page, as a part of the program. */
struct webl_asset {
    const char *name;
    const char *type; /* as Content-Type has it */
    const unsigned char *bytes;
    size_t length;
};

extern const size_t webl_asset_count;

/* The file with an index below the count; NULL for any other. */
const struct webl_asset *webl_asset_at(size_t index);

/* Starts a program, whose path comes first in a list of arguments that ends with NULL, with three descriptors as its
   standard input, output and error, and with no other. It is the leader of a session and a process group of its own, with
   this process's environment; its signals are those of a program that nobody has told otherwise.

   It gets the given signal when the thread that called ends, be it with its process; none for 0. Returns 0, or a number of
   errno. */
int webl_spawn(const char *const *arguments, int input, int output, int error, int death_signal, pid_t *pid);

/* Makes a pipe that is closed by exec, with its end to read from first; 0, or a number of errno. Swift's Glibc has no
   pipe2. */
int webl_pipe(int ends[2]);

#endif
