/* What the command does where the system has too little: of descriptors, of threads, of memory. */
#ifndef WEBLOADER_CSCARCITY_H
#define WEBLOADER_CSCARCITY_H

/* Whether so many more descriptors can be had, up to 64. */
int webl_has_descriptors(int count);

/* From now on the first thread that cannot be started ends the process: whoever asks for it would trap. */
void webl_needs_threads(void);

/* The exit status of a process that ends since no thread can be started, or for want of memory. */
enum { WEBL_EXIT_SCARCITY = 71 };

#endif
