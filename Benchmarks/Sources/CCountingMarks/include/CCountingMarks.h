// Places that callgrind looks for: see Scripts/instructions.
#ifndef CCOUNTINGMARKS_H
#define CCOUNTINGMARKS_H

// Where its counts are set to zero.
void counting_begins(void);

// Where its counts are written.
void counting_ends(void);

#endif
