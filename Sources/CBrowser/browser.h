/* What starting a browser and guarding it share. All of it makes system calls only: the guard is a copy of a process with threads,
   any of which may have held any lock. */
#ifndef WEBLOADER_BROWSER_H
#define WEBLOADER_BROWSER_H

#include "CBrowser.h"

/* What a guard has open, at these numbers. The browser has 0 to 4. */
enum {
    GUARD_LIFELINE = 5, /* its end says that the owner is done */
    GUARD_REPORT,       /* a pipe that an error's number goes into; exec closes it */
    GUARD_WORDS,        /* what the browser says, to be read */
    GUARD_ERROR,        /* the other end of that */
    GUARD_REQUESTS,
    GUARD_ANSWERS,
    GUARD_NOTHING, /* the null device */
    GUARD_PLACE,
    GUARD_FOLDER,
    GUARD_LOCK,
    GUARD_END,
    GUARD_COUNT = GUARD_END - GUARD_LIFELINE,
};

struct webl_browser_start {
    const char *const *arguments;
    const char *const *environment;
    int descriptors[GUARD_COUNT]; /* in the order above */
    const char *folder;           /* its name in the place */
    struct webl_browser_state *state;
};

/* What the guard is: does not return. */
_Noreturn void webl_browser_guard(struct webl_browser_start *start);

/* Has this process, and all that come of it, open no sockets but local ones; 0, or -1 and errno. */
int webl_browser_confine(void);

/* Does something with each child of the thread whose list has that path, relative to a folder; 0 where there is no list. */
int webl_browser_each_child(int folder, const char *path, void (*body)(pid_t child, void *context), void *context);

/* What the system says of a name in a folder. */
struct webl_browser_entry {
    uint64_t inode;
    int64_t offset;
    unsigned short length; /* of all this */
    unsigned char type;
    char name[];
};

#endif
