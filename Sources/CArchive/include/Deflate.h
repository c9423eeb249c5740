/* Compressing records into members of their own, gzip's or zstd's, and finding where such members end.
 *
 * A record that is at hand as a whole is compressed by libdeflate, which takes a third of zlib's time; what is too large for
 * that goes through zlib piece by piece. The libraries are opened when the first member is made. */
#ifndef WEBLOADER_CARCHIVE_DEFLATE_H
#define WEBLOADER_CARCHIVE_DEFLATE_H

#include <stddef.h>

typedef enum {
    WEBL_MEMBER_GZIP,
    /* A frame with its content's size and a checksum. */
    WEBL_MEMBER_ZSTD,
} webl_member_form;

typedef struct webl_compressor webl_compressor;
typedef struct webl_member_check webl_member_check;

/* Whether the form's library is there; opens it. Thread-safe. */
int webl_member_is_available(webl_member_form form);

/* NULL if the library is not there or there is no memory. Levels are the library's own: gzip 1 to 9, zstd 1 to 19. */
webl_compressor *webl_compressor_create(webl_member_form form, int level);
void webl_compressor_free(webl_compressor *compressor);

/* Bytes that a member of `size` bytes takes at most, if it is compressed as a whole. */
size_t webl_compressor_bound(webl_compressor *compressor, size_t size);

/* Compresses a whole member; its size, 0 if that failed. */
size_t webl_compressor_whole(webl_compressor *compressor, const unsigned char *input, size_t size,
                             unsigned char *output, size_t room);

/* Begins a member of `size` bytes, which come in pieces; 0 if that cannot be had. */
int webl_compressor_begin(webl_compressor *compressor, size_t size);

typedef enum {
    /* The input is used up, or there is no more room. */
    WEBL_COMPRESS_MORE,
    /* The member is complete. */
    WEBL_COMPRESS_END,
    WEBL_COMPRESS_FAILED,
} webl_compress_result;

/* Compresses what it can; the counts say on return how much is left. After the last input it is called until it ends. */
webl_compress_result webl_compressor_step(webl_compressor *compressor, const unsigned char *input, size_t *input_left,
                                          unsigned char *output, size_t *output_left, int is_last);

typedef enum {
    /* More input is needed. */
    WEBL_MEMBER_OPEN,
    /* The member is whole, its checksum right. */
    WEBL_MEMBER_END,
    WEBL_MEMBER_DAMAGED,
    WEBL_MEMBER_NO_MEMORY,
} webl_member_state;

/* The first bytes of a member's content are kept. */
enum { WEBL_MEMBER_PREFIX = 16 };

/* Goes through members without keeping what is in them; NULL if the library is not there or there is no memory. */
webl_member_check *webl_member_check_create(webl_member_form form);
void webl_member_check_free(webl_member_check *check);

/* Sets it to the start of a member; 0 if that cannot be had. */
int webl_member_check_begin(webl_member_check *check);

/* Goes on until the input is used up, or the member ends; the count says on return how much is left. */
webl_member_state webl_member_check_step(webl_member_check *check, const unsigned char *input, size_t *input_left);

/* The content's first bytes, as far as they are known. */
size_t webl_member_check_prefix(const webl_member_check *check, const unsigned char **prefix);

#endif
