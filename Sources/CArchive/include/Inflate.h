/* Members of gzip, one at a time: at once by libdeflate where all of one is at hand, else as a stream by zlib.
 *
 * The libraries are opened when the first decoder is made; nothing links them. */
#ifndef WEBLOADER_CARCHIVE_INFLATE_H
#define WEBLOADER_CARCHIVE_INFLATE_H

#include <stddef.h>

typedef enum {
    /* More input or more room is needed. */
    WEBL_INFLATE_MORE,
    /* The member is at its end, its checksum and its length are right. */
    WEBL_INFLATE_END,
    WEBL_INFLATE_DAMAGED,
    WEBL_INFLATE_NO_MEMORY,
    /* Only of a whole member: it does not fit into the room. */
    WEBL_INFLATE_NO_ROOM,
} webl_inflate_result;

typedef struct webl_inflater webl_inflater;

/* NULL if zlib is not there or there is no memory. */
webl_inflater *webl_inflater_create(void);
void webl_inflater_free(webl_inflater *inflater);

/* Decodes a member that begins the input; on success the counts say how much of input and output it takes. DAMAGED may
 * also mean that the input ends before the member does, or that libdeflate is not there. */
webl_inflate_result webl_inflate_whole(webl_inflater *inflater, const void *input, size_t *input_count, void *output,
                                       size_t *output_count);

/* Sets it to the start of a member; 0 if there is no memory. */
int webl_inflater_begin(webl_inflater *inflater);

/* Decodes what it can; the counts say on return how much is left. */
webl_inflate_result webl_inflater_step(webl_inflater *inflater, const void *input, size_t *input_left, void *output,
                                       size_t *output_left);

#endif
