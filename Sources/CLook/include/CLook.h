/* The style sheet that the HTML report and the pages of the local server share. */
#ifndef WEBLOADER_CLOOK_H
#define WEBLOADER_CLOOK_H

#include <stddef.h>

/* look.css as it is, in UTF-8, and how many bytes it has. */
const char *webl_look(size_t *length);

#endif
