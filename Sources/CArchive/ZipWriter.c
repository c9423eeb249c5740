#include "ZipWriter.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <minizip/zip.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* Every function used, once: declares its pointer below and looks it up in load(). */
#define EACH(X) X(zipOpen2_64) X(zipOpenNewFileInZip64) X(zipWriteInFileInZip) X(zipCloseFileInZip) X(zipClose)

#define DECLARE(name) static __typeof__(&name) p_##name;
EACH(DECLARE)

#ifdef __APPLE__
#define LIBRARY(name, version) "lib" name "." version ".dylib"
#else
#define LIBRARY(name, version) "lib" name ".so." version
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_available;

static void load(void) {
    void *library = dlopen(LIBRARY("minizip", "1"), RTLD_NOW | RTLD_LOCAL);
#define LOOK_UP(name) && (p_##name = (__typeof__(&name))dlsym(library, #name))
    is_available = library EACH(LOOK_UP);
}

struct webl_zip_writer {
    int descriptor;
    int error;
    ZPOS64_T position, end;
    zipFile file;
};

/* - The file, as minizip sees it - */

static voidpf ZCALLBACK open_stream(voidpf opaque, const void *name, int mode) {
    (void)name;
    (void)mode;
    return opaque;
}

static uLong ZCALLBACK read_stream(voidpf opaque, voidpf stream, void *bytes, uLong count) {
    webl_zip_writer *writer = opaque;
    (void)stream;
    ssize_t got = pread(writer->descriptor, bytes, count, (off_t)writer->position);
    if (got < 0) return 0;
    writer->position += (ZPOS64_T)got;
    return (uLong)got;
}

static uLong ZCALLBACK write_stream(voidpf opaque, voidpf stream, const void *bytes, uLong count) {
    webl_zip_writer *writer = opaque;
    (void)stream;
    uLong written = 0;
    while (written < count) {
        ssize_t put = pwrite(writer->descriptor, (const char *)bytes + written, count - written,
                             (off_t)writer->position);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) {
            if (!writer->error) writer->error = put < 0 ? errno : EIO;
            break;
        }
        written += (uLong)put;
        writer->position += (ZPOS64_T)put;
    }
    if (writer->position > writer->end) writer->end = writer->position;
    return written;
}

static ZPOS64_T ZCALLBACK tell_stream(voidpf opaque, voidpf stream) {
    (void)stream;
    return ((webl_zip_writer *)opaque)->position;
}

static long ZCALLBACK seek_stream(voidpf opaque, voidpf stream, ZPOS64_T offset, int origin) {
    webl_zip_writer *writer = opaque;
    (void)stream;
    switch (origin) {
    case ZLIB_FILEFUNC_SEEK_SET: writer->position = offset; return 0;
    case ZLIB_FILEFUNC_SEEK_CUR: writer->position += offset; return 0;
    case ZLIB_FILEFUNC_SEEK_END: writer->position = writer->end + offset; return 0;
    default: return -1;
    }
}

static int ZCALLBACK close_stream(voidpf opaque, voidpf stream) {
    (void)opaque;
    (void)stream;
    return 0;
}

static int ZCALLBACK stream_error(voidpf opaque, voidpf stream) {
    (void)stream;
    return ((webl_zip_writer *)opaque)->error;
}

/* - Writing - */

webl_zip_writer *webl_zip_writer_create(int descriptor) {
    pthread_once(&once, load);
    if (!is_available) return NULL;
    webl_zip_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    writer->descriptor = descriptor;
    zlib_filefunc64_def functions = {open_stream,  read_stream,  write_stream, tell_stream,
                                     seek_stream,  close_stream, stream_error, writer};
    writer->file = p_zipOpen2_64("", APPEND_STATUS_CREATE, NULL, &functions);
    if (writer->file) return writer;
    free(writer);
    return NULL;
}

int webl_zip_writer_begin(webl_zip_writer *writer, const char *name, int is_stored, const webl_zip_time *time) {
    zip_fileinfo info = {0};
    info.tmz_date.tm_year = time->year;
    info.tmz_date.tm_mon = time->month - 1;
    info.tmz_date.tm_mday = time->day;
    info.tmz_date.tm_hour = time->hour;
    info.tmz_date.tm_min = time->minute;
    info.tmz_date.tm_sec = time->second;
    /* A regular file that all may read. */
    info.external_fa = (uLong)0100644 << 16;
    return p_zipOpenNewFileInZip64(writer->file, name, &info, NULL, 0, NULL, 0, NULL, is_stored ? 0 : Z_DEFLATED,
                                   is_stored ? 0 : Z_DEFAULT_COMPRESSION, 1) == ZIP_OK;
}

int webl_zip_writer_write(webl_zip_writer *writer, const void *bytes, size_t count) {
    const char *start = bytes;
    while (count > 0) {
        unsigned piece = count < INT_MAX ? (unsigned)count : INT_MAX;
        if (p_zipWriteInFileInZip(writer->file, start, piece) != ZIP_OK || writer->error) return 0;
        start += piece;
        count -= piece;
    }
    return 1;
}

int webl_zip_writer_end(webl_zip_writer *writer) {
    return p_zipCloseFileInZip(writer->file) == ZIP_OK && !writer->error;
}

int webl_zip_writer_finish(webl_zip_writer *writer) {
    int code = p_zipClose(writer->file, NULL);
    writer->file = NULL;
    return code == ZIP_OK && !writer->error;
}

int webl_zip_writer_error(const webl_zip_writer *writer) { return writer->error; }

void webl_zip_writer_free(webl_zip_writer *writer) {
    if (!writer) return;
    /* Nothing else frees what it holds; what it writes on the way is of no interest to anybody. */
    if (writer->file) p_zipClose(writer->file, NULL);
    free(writer);
}
