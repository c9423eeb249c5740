/* What holds a run of rules to its budget from inside its process: memory counted at malloc, a timer, the stack's end,
 * and no way out to files, sockets and processes.
 *
 * Linked into webinspect-worker only: it stands in for malloc in the whole process. The process has one thread. */
#ifndef WEBLOADER_CWORKERGUARD_H
#define WEBLOADER_CWORKERGUARD_H

#include <stddef.h>
#include <stdint.h>

/* What the worker exits with where the next fails. */
int webl_guard_unconfined_status(void);

/* Takes away what the worker does not need; 0, or an errno. Afterwards no descriptor can be opened. */
int webl_guard_confine(void);

/* Maps the status and says that this process lives no longer than the one at the lifeline's other end; 0, or an exit
   status. */
int webl_guard_attach(void);

/* Waits for a request and maps it; NULL when the asking process has gone. */
const unsigned char *webl_guard_next_request(size_t *length);
void webl_guard_release_request(const unsigned char *request, size_t length);

/* A budget begins to run, of whose time so much is used already: what is live now does not count. */
void webl_guard_begin(uint64_t nanoseconds, uint64_t used, uint64_t memory);

/* The budget stops running, and what is allocated meanwhile does not count; the bytes that were live. */
uint64_t webl_guard_pause(void);

/* It runs again. What was allocated since the pause, and is still there, is returned: the caller gives it back with
   webl_guard_uncount once it is freed. */
uint64_t webl_guard_resume(uint64_t live_at_pause);
void webl_guard_uncount(uint64_t bytes);

/* The budget has been kept. */
void webl_guard_end(void);

void webl_guard_set_phase(uint32_t phase);
void webl_guard_set_rule(uint32_t index_plus_one);

/* What may still be allocated; the most that can be said while no budget runs. */
ptrdiff_t webl_guard_headroom(void);

/* Called before an allocation is refused, to let go of what is held without need; NULL for nothing. It must free only. */
void webl_guard_set_reclaim(void (*reclaim)(void *), void *context);

/* While this is not 0, nothing is reclaimed: the caller is in the middle of its own bookkeeping. */
int *webl_guard_busy(void);

uint64_t webl_guard_used_nanoseconds(void);
uint64_t webl_guard_peak_memory(void);
int webl_guard_counts_memory(void);

/* Writes all of it to the records; ends the process if nobody reads them. */
void webl_guard_write(const unsigned char *bytes, size_t count);

#endif
