/* Shared by the files of the guard. */
#ifndef WEBLOADER_GUARD_H
#define WEBLOADER_GUARD_H

#include "CWorker.h"
#include "CWorkerGuard.h"

/* AddressSanitizer has a malloc of its own. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WEBL_COUNTS_MEMORY 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define WEBL_COUNTS_MEMORY 0
#endif
#endif
#ifndef WEBL_COUNTS_MEMORY
#define WEBL_COUNTS_MEMORY 1
#endif

/* What may leave while a signal is handled. AddressSanitizer would have it ask where the other stack ends, and the answer is
   in a file that can no longer be opened. */
#define WEBL_UNSANITIZED __attribute__((no_sanitize("address")))

/* Mapped before anything else happens; only then are budgets begun. */
extern struct webl_worker_status *webl_status;

uint64_t webl_guard_now(void);

/* Bytes that are live in the heap. */
uint64_t webl_guard_live(void);

/* What may be live while a budget runs; UINT64_MAX while none does. */
void webl_guard_limit(uint64_t bytes, uint64_t baseline);
void webl_guard_forget_peak(void);

/* Writes down which limit was met, and ends the process. Safe in a signal handler. */
_Noreturn void webl_guard_breach(uint32_t limit);

/* Ends the process with a status. Safe in a signal handler. */
_Noreturn void webl_guard_leave(int status);

int webl_guard_install_filter(void);

#endif
