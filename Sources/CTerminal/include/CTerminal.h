/* How wide characters are on a terminal, by the system's tables: Glibc's module has no wcwidth. */
#ifndef WEBLOADER_CTERMINAL_H
#define WEBLOADER_CTERMINAL_H

#include <stdint.h>

/* The columns that a character of Unicode takes: 0, 1 or 2; 1 where the system does not know. */
int webl_columns(uint32_t scalar);

#endif
