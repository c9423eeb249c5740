#include "Zip.h"

#include <dlfcn.h>
#include <minizip/unzip.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Every function used, once: declares its pointer below and looks it up in load(). */
#define EACH(X)                                                                                                \
    X(unzOpen2_64) X(unzClose) X(unzGoToFirstFile) X(unzGoToNextFile) X(unzGetCurrentFileInfo64)               \
    X(unzGetFilePos64) X(unzGoToFilePos64) X(unzOpenCurrentFile2) X(unzGetCurrentFileZStreamPos64)             \
    X(unzReadCurrentFile) X(unzCloseCurrentFile)

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

int webl_zip_is_available(void) {
    pthread_once(&once, load);
    return is_available;
}

struct webl_zip {
    webl_zip_read read;
    void *context;
    uint64_t size;
    uint64_t position;
    int has_failed;
    unzFile file;
    /* What was read last: minizip asks for fields of a few bytes, one after the other. */
    uint64_t window_start;
    size_t window_count;
    unsigned char window[16 << 10];
};

/* MARK: - The file, as minizip sees it */

static voidpf ZCALLBACK open_stream(voidpf opaque, const void *name, int mode) {
    (void)name;
    (void)mode;
    return opaque;
}

/* Makes the window begin at the position; 0 if nothing is there. */
static int fill_window(webl_zip *zip) {
    int64_t got = zip->read(zip->context, zip->position, zip->window, sizeof zip->window);
    if (got < 0) zip->has_failed = 1;
    zip->window_start = zip->position;
    zip->window_count = got > 0 ? (size_t)got : 0;
    return got > 0;
}

static uLong ZCALLBACK read_stream(voidpf opaque, voidpf stream, void *bytes, uLong count) {
    (void)stream;
    webl_zip *zip = opaque;
    uLong filled = 0;
    while (filled < count) {
        uint64_t place = zip->position - zip->window_start;
        if (zip->position < zip->window_start || place >= zip->window_count) {
            if (!fill_window(zip)) break;
            place = 0;
        }
        size_t part = zip->window_count - (size_t)place;
        if (part > count - filled) part = count - filled;
        memcpy((char *)bytes + filled, zip->window + place, part);
        zip->position += part;
        filled += part;
    }
    return filled;
}

static uLong ZCALLBACK write_stream(voidpf opaque, voidpf stream, const void *bytes, uLong count) {
    (void)opaque;
    (void)stream;
    (void)bytes;
    (void)count;
    return 0;
}

static ZPOS64_T ZCALLBACK tell_stream(voidpf opaque, voidpf stream) {
    (void)stream;
    return ((webl_zip *)opaque)->position;
}

static long ZCALLBACK seek_stream(voidpf opaque, voidpf stream, ZPOS64_T offset, int origin) {
    (void)stream;
    webl_zip *zip = opaque;
    uint64_t base = origin == ZLIB_FILEFUNC_SEEK_CUR   ? zip->position
                    : origin == ZLIB_FILEFUNC_SEEK_END ? zip->size
                                                       : 0;
    /* A directory may say that something is anywhere. */
    if (offset > INT64_MAX - base) return -1;
    zip->position = base + offset;
    return 0;
}

static int ZCALLBACK close_stream(voidpf opaque, voidpf stream) {
    (void)opaque;
    (void)stream;
    return 0;
}

static int ZCALLBACK error_of_stream(voidpf opaque, voidpf stream) {
    (void)stream;
    return ((webl_zip *)opaque)->has_failed;
}

/* MARK: - Reading */

webl_zip *webl_zip_open(webl_zip_read read, void *context, uint64_t size) {
    if (!webl_zip_is_available() || size > INT64_MAX) return NULL;
    webl_zip *zip = calloc(1, sizeof *zip);
    if (!zip) return NULL;
    zip->read = read;
    zip->context = context;
    zip->size = size;
    zlib_filefunc64_def functions = {
        .zopen64_file = open_stream,
        .zread_file = read_stream,
        .zwrite_file = write_stream,
        .ztell64_file = tell_stream,
        .zseek64_file = seek_stream,
        .zclose_file = close_stream,
        .zerror_file = error_of_stream,
        .opaque = zip,
    };
    zip->file = p_unzOpen2_64("", &functions);
    if (zip->file) return zip;
    free(zip);
    return NULL;
}

void webl_zip_close(webl_zip *zip) {
    if (!zip) return;
    p_unzClose(zip->file);
    free(zip);
}

static webl_zip_result result(int code) {
    switch (code) {
    case UNZ_OK: return WEBL_ZIP_OK;
    case UNZ_END_OF_LIST_OF_FILE: return WEBL_ZIP_END;
    case UNZ_INTERNALERROR: return WEBL_ZIP_NO_MEMORY;
    default: return WEBL_ZIP_DAMAGED;
    }
}

webl_zip_result webl_zip_next(webl_zip *zip, int is_first, webl_zip_entry *entry, char *name, size_t capacity) {
    int code = is_first ? p_unzGoToFirstFile(zip->file) : p_unzGoToNextFile(zip->file);
    unz_file_info64 information;
    unz64_file_pos position;
    if (code == UNZ_OK)
        code = p_unzGetCurrentFileInfo64(zip->file, &information, name, capacity, NULL, 0, NULL, 0);
    if (code == UNZ_OK) code = p_unzGetFilePos64(zip->file, &position);
    if (code != UNZ_OK) return result(code);
    entry->position = position.pos_in_zip_directory;
    entry->number = position.num_of_file;
    entry->compressed_size = information.compressed_size;
    entry->size = information.uncompressed_size;
    entry->method = (uint32_t)information.compression_method;
    entry->flags = (uint32_t)information.flag;
    entry->name_length = information.size_filename;
    return WEBL_ZIP_OK;
}

webl_zip_result webl_zip_begin(webl_zip *zip, const webl_zip_entry *entry, int is_raw, uint64_t *offset) {
    unz64_file_pos position = {entry->position, entry->number};
    int code = p_unzGoToFilePos64(zip->file, &position);
    int method = 0;
    int level = 0;
    if (code == UNZ_OK) code = p_unzOpenCurrentFile2(zip->file, &method, &level, is_raw);
    if (code == UNZ_OK) *offset = p_unzGetCurrentFileZStreamPos64(zip->file);
    return result(code);
}

webl_zip_result webl_zip_read_member(webl_zip *zip, void *bytes, unsigned capacity, unsigned *count) {
    int got = p_unzReadCurrentFile(zip->file, bytes, capacity);
    *count = got > 0 ? (unsigned)got : 0;
    return got > 0 ? WEBL_ZIP_OK : got == 0 ? WEBL_ZIP_END : result(got);
}

webl_zip_result webl_zip_finish(webl_zip *zip) { return result(p_unzCloseCurrentFile(zip->file)); }
