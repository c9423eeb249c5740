/* Writing ZIP archives, by minizip, to a file that can be written at any place.
 *
 * Sizes and checksums are put into each member's head once it ends, so readers need no more than the directory. */
#ifndef WEBLOADER_CARCHIVE_ZIPWRITER_H
#define WEBLOADER_CARCHIVE_ZIPWRITER_H

#include <stddef.h>

typedef struct webl_zip_writer webl_zip_writer;

/* When a member was changed, UTC. */
typedef struct {
    int year, month, day, hour, minute, second;
} webl_zip_time;

/* Begins an archive at the start of a file, which stays open; NULL if the library is not there, or there is no memory. */
webl_zip_writer *webl_zip_writer_create(int descriptor);

/* Begins a member, stored or compressed, of any size; 0 if that failed, as with all that follow. */
int webl_zip_writer_begin(webl_zip_writer *writer, const char *name, int is_stored, const webl_zip_time *time);
int webl_zip_writer_write(webl_zip_writer *writer, const void *bytes, size_t count);
int webl_zip_writer_end(webl_zip_writer *writer);

/* Writes the directory. */
int webl_zip_writer_finish(webl_zip_writer *writer);

/* The error of the last write that failed, 0 if none did. */
int webl_zip_writer_error(const webl_zip_writer *writer);

void webl_zip_writer_free(webl_zip_writer *writer);

#endif
