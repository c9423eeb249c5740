/* What the process that asks for rules to be run and the one that runs them share: a file in memory whose first page is
 * struct webl_worker_status and whose rest holds requests, the numbers of descriptors, and exit statuses. Also the
 * system calls of the asking side that Swift's Glibc lacks. */
#ifndef WEBLOADER_CWORKER_H
#define WEBLOADER_CWORKER_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Raised with every change to the status, the records or the requests: a worker of another build refuses to serve. */
#define WEBL_WORKER_PROTOCOL 3u

/* The worker's descriptors. */
enum {
    WEBL_WORKER_MEMORY = 3,   /* the file in memory */
    WEBL_WORKER_REQUESTS = 4, /* a socket: eight bytes come when a request lies in the file */
    WEBL_WORKER_RECORDS = 5,  /* a pipe that results go into */
    WEBL_WORKER_LIFELINE = 6, /* a pipe that nothing comes through: its end is the asking process's */
};

/* Exit statuses of the worker. */
enum {
    WEBL_WORKER_DONE = 0,
    WEBL_WORKER_USAGE = 2,     /* started by hand */
    WEBL_WORKER_BREACH = 90,   /* the status says which limit it was */
    WEBL_WORKER_PROTOCOL_MISMATCH = 91,
    WEBL_WORKER_UNCONFINED = 92, /* the kernel refused to take its privileges away */
    WEBL_WORKER_SCARCITY = 93,   /* outside of a budget, the system had no memory for it */
};

enum webl_worker_phase {
    WEBL_PHASE_STARTING, /* not yet reading requests */
    WEBL_PHASE_WAITING,  /* for a request */
    WEBL_PHASE_PREPARING, /* parsing the page, setting up the engine */
    WEBL_PHASE_RULES,    /* the budget is running */
};

enum webl_worker_limit { WEBL_LIMIT_NONE, WEBL_LIMIT_TIME, WEBL_LIMIT_MEMORY, WEBL_LIMIT_STACK };

/* Where the requests begin in the file. */
#define WEBL_WORKER_STATUS_SIZE 4096

/* Written by the worker as it goes, and in its last breath; the asking process trusts none of it. */
struct webl_worker_status {
    uint32_t protocol; /* written by the asking process, as are these two */
    uint32_t reserved;
    uint64_t request_length;

    uint32_t phase;
    uint32_t limit;         /* the limit that ended it */
    uint32_t rule;          /* the index of the rule in hand, plus one; 0 for none */
    uint32_t memory_counted; /* whether memory is counted: not under sanitizers */
    uint64_t peak_memory;   /* bytes above what stood before the rules; told as the budget runs, too */
    uint64_t asked_memory;  /* what would have been live, had the last request been granted */
    uint64_t used_nanoseconds;
};

static inline uint32_t webl_status_load(const uint32_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
static inline uint64_t webl_status_load_long(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }

/* A file in memory that can grow and not shrink; -1 and errno. */
int webl_worker_memory(void);

struct webl_worker_process {
    pid_t pid;
    int process;  /* a pidfd */
    int records;  /* to read from */
    int requests; /* to say through that there is a request */
    int lifeline; /* to be held open */
};

/* Starts a worker; 0, or an errno. All descriptors are close-on-exec in this process. */
int webl_worker_spawn(const char *path, int memory, struct webl_worker_process *process);

/* Says that a request lies in the file, without waiting; 0, or an errno. A worker that has ended is no error here. */
int webl_worker_notify(int requests);

/* Sends a signal to the very process that the pidfd is of. */
int webl_worker_signal(int process, int signal);

/* Waits for a process that has ended or is about to: its wait status, or -1 if somebody else has taken it. */
int webl_worker_reap(int process);

/* The bytes of this process's heap that are in use. */
size_t webl_heap_in_use(void);

#endif
