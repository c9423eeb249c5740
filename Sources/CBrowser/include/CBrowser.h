/* Starting a browser so that nothing is left of it, whatever becomes of the process that has started it, and its memory. */
#ifndef WEBLOADER_CBROWSER_H
#define WEBLOADER_CBROWSER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* How many bytes of what a browser writes to its standard error are kept: the last ones. */
#define WEBL_BROWSER_WORDS 65536

/* What a guard tells whoever has started it, in memory that both have. */
struct webl_browser_state {
    uint64_t written;               /* how many bytes the browser has written to its standard error */
    int32_t has_ended;              /* whether its first process has */
    int32_t status;                 /* how, as wait has it */
    char words[WEBL_BROWSER_WORDS]; /* its last bytes; the one after them stands at `written` modulo the size */
};

/* A folder of a browser's own, locked as long as anybody has `lock` open. */
struct webl_browser_folder {
    int place;  /* the folder that it is in */
    int folder; /* itself */
    int lock;   /* a file in it, which says what it is */
    char name[48];
};

/* A browser that has been started, and the process that guards it. */
struct webl_browser {
    pid_t guard;   /* a child of this process */
    int process;   /* a pidfd of it */
    int lifeline;  /* once nobody has this open any more, the browser is ended */
    int requests;  /* what is written here can be read from the browser's descriptor 3: a socket, which need not signal */
    int answers;   /* what it writes to its descriptor 4: a pipe */
    struct webl_browser_state *state;
};

/* Makes a folder for a browser in another one, which others cannot read; 0, or a number of errno. */
int webl_browser_folder_make(const char *place, struct webl_browser_folder *folder);

/* Closes what is open of a folder, which stays. */
void webl_browser_folder_close(const struct webl_browser_folder *folder);

/* Removes a folder with all that is in it. Nothing is followed: what links point to stays. */
void webl_browser_folder_remove(const struct webl_browser_folder *folder);

/* Removes the folders of this user's browsers in a folder whose guards have ended without doing so. */
void webl_browser_sweep(const char *place);

/* Starts a program, whose absolute path comes first in a list of arguments that ends with NULL, under a guard: a process that
   does nothing but wait, and ends all that has come of the program, in whatever session, as soon as its first process ends,
   or nobody has the lifeline open any more; then it removes the folder, and ends.

   The program has these descriptors and no other: nothing (0, 1), its last words (2), requests (3), answers (4). It can open no
   sockets but local ones, nor can anything that it starts. It has the given environment and no other.

   0, or a number of errno: what the system says to starting the guard or the program. The folder is removed and closed then; it
   is the guard's, and closed here, otherwise. */
int webl_browser_start(
    const char *const *arguments, const char *const *environment, const struct webl_browser_folder *folder,
    struct webl_browser *browser);

/* Waits for the guard's end for that many milliseconds, or less if a signal comes: whether it has ended. */
int webl_browser_wait(const struct webl_browser *browser, int milliseconds);

/* Reaps a guard that has ended: its number may be another process's then. */
void webl_browser_reap(const struct webl_browser *browser);

/* Kills a guard that does not end; the browser's first process ends with it, and the folder stays for the next sweep. */
void webl_browser_kill(const struct webl_browser *browser);

/* Closes what webl_browser_start has opened, except for the lifeline, requests and answers. */
void webl_browser_close(const struct webl_browser *browser);

/* Copies the last bytes that the browser has written to its standard error; how many these are. */
size_t webl_browser_words(const struct webl_browser *browser, char bytes[WEBL_BROWSER_WORDS]);

/* Whether the browser's first process has ended; how, as wait has it. */
int webl_browser_has_ended(const struct webl_browser *browser, int *status);

/* The bytes of memory that all processes below a guard have for themselves or share with each other; 0 if there are none. */
uint64_t webl_browser_memory(pid_t guard);

#endif
