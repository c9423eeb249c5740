/* One interface to the libraries that undo content codings.
 *
 * libcurl brings them along, so they are opened, as it is, when the first response is to be had, and nothing links
 * them. One that is not there is not offered to servers. */
#ifndef WEBLOADER_CCONTENTCODING_H
#define WEBLOADER_CCONTENTCODING_H

#include <stddef.h>

typedef enum {
    WEBL_CODING_GZIP,
    /* zlib's format or, as some servers have it and browsers take it, bare deflate. */
    WEBL_CODING_DEFLATE,
    WEBL_CODING_BROTLI,
    WEBL_CODING_ZSTD,
} webl_coding;

typedef enum {
    /* More input or more room is needed. */
    WEBL_DECODE_MORE,
    /* The stream is at its end, its checksum right where it has one. */
    WEBL_DECODE_END,
    WEBL_DECODE_DAMAGED,
    WEBL_DECODE_NO_MEMORY,
} webl_decode_result;

typedef struct webl_decoder webl_decoder;

/* Whether the coding's library is there; opens it. Thread-safe. */
int webl_coding_is_available(webl_coding coding);

/* A decoder at the start of a stream; NULL if the library is not there or there is no memory. */
webl_decoder *webl_decoder_create(webl_coding coding);
void webl_decoder_free(webl_decoder *decoder);

/* Sets it to the start of another stream; 0 if that cannot be had. */
int webl_decoder_restart(webl_decoder *decoder);

/* Decodes what it can; the counts say on return how much is left. */
webl_decode_result webl_decoder_step(webl_decoder *decoder, const unsigned char *input, size_t *input_left,
                                     unsigned char *output, size_t *output_left);

#endif
