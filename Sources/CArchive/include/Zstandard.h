/* Frames of Zstandard, one at a time, with a dictionary or not.
 *
 * The library is opened when the first decoder is made; nothing links it. */
#ifndef WEBLOADER_CARCHIVE_ZSTANDARD_H
#define WEBLOADER_CARCHIVE_ZSTANDARD_H

#include <stddef.h>

typedef enum {
    /* More input or more room is needed. */
    WEBL_UNZSTD_MORE,
    /* The frame is at its end. */
    WEBL_UNZSTD_END,
    WEBL_UNZSTD_DAMAGED,
} webl_unzstd_result;

typedef struct webl_unzstd webl_unzstd;

/* A decoder that allows windows of 8 MiB; NULL if the library is not there or there is no memory. */
webl_unzstd *webl_unzstd_create(void);
void webl_unzstd_free(webl_unzstd *decoder);

/* Has the frames from now on decoded with a dictionary, which is copied; 0 if it is none. */
int webl_unzstd_set_dictionary(webl_unzstd *decoder, const void *bytes, size_t count);

/* Sets it to the start of a frame; 0 if that is impossible. */
int webl_unzstd_begin(webl_unzstd *decoder);

/* Decodes what it can; the counts say on return how much is left. */
webl_unzstd_result webl_unzstd_step(webl_unzstd *decoder, const void *input, size_t *input_left, void *output,
                                    size_t *output_left);

#endif
