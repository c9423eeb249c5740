/* What the command does where the system has too little: of descriptors, of threads. */
#ifndef WEBLOADER_CSCARCITY_H
#define WEBLOADER_CSCARCITY_H

/* Whether so many more descriptors can be had, up to 64. */
int webl_has_descriptors(int count);

/* The exit status of a process that ends since no thread can be started. */
enum { WEBL_EXIT_SCARCITY = 71 };

#endif
