/* ZIP archives, by minizip: one that is not there is told as such, since only WACZ needs it.
 *
 * Nothing here opens a path: all bytes come from the caller's function, so that an archive may be a part of a file, or in
 * memory. A handle is used by one thread at a time. */
#ifndef WEBLOADER_CARCHIVE_ZIP_H
#define WEBLOADER_CARCHIVE_ZIP_H

#include <stddef.h>
#include <stdint.h>

typedef struct webl_zip webl_zip;

/* Reads up to `count` bytes from an offset: how many, 0 at the end, less than 0 if it failed. */
typedef int64_t (*webl_zip_read)(void *context, uint64_t offset, void *bytes, size_t count);

typedef struct {
    /* Where it is in the directory, for webl_zip_go. */
    uint64_t position;
    uint64_t number;
    uint64_t compressed_size;
    uint64_t size;
    uint32_t method;
    uint32_t flags;
    /* Bytes of the name, of which no more than the buffer holds were copied. */
    size_t name_length;
} webl_zip_entry;

typedef enum {
    WEBL_ZIP_OK,
    /* After the last entry, or the end of a member. */
    WEBL_ZIP_END,
    WEBL_ZIP_DAMAGED,
    WEBL_ZIP_NO_MEMORY,
} webl_zip_result;

/* Whether the library is there; opens it. Thread-safe. */
int webl_zip_is_available(void);

/* Reads the end of the directory; NULL if there is none, the library is not there, or there is no memory. */
webl_zip *webl_zip_open(webl_zip_read read, void *context, uint64_t size);
void webl_zip_close(webl_zip *zip);

/* The first entry of the directory if `is_first`, else the one after the last that was read. */
webl_zip_result webl_zip_next(webl_zip *zip, int is_first, webl_zip_entry *entry, char *name, size_t capacity);

/* Begins to read the member of an entry, as it is if `is_raw`; says where its bytes begin in the file. */
webl_zip_result webl_zip_begin(webl_zip *zip, const webl_zip_entry *entry, int is_raw, uint64_t *offset);

/* The next bytes of the member, WEBL_ZIP_END after the last of them. */
webl_zip_result webl_zip_read_member(webl_zip *zip, void *bytes, unsigned capacity, unsigned *count);

/* Ends the member; WEBL_ZIP_DAMAGED if all was read and its checksum is not right. */
webl_zip_result webl_zip_finish(webl_zip *zip);

#endif
