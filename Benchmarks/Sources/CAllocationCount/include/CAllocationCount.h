#ifndef CALLOCATIONCOUNT_H
#define CALLOCATIONCOUNT_H

/* How many blocks this program, libraries included, has allocated so far; a block that grows counts again. */
unsigned long allocation_count(void);

#endif
