/* What Swift sees of PCRE2: the functions for UTF-8. */
#ifndef WEBLOADER_CPCRE2_SHIM_H
#define WEBLOADER_CPCRE2_SHIM_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* A macro that has a cast in it, which does not import. */
static inline PCRE2_SIZE webl_pcre2_unset(void) { return PCRE2_UNSET; }

#endif
