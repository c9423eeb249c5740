#include "Deflate.h"

#include <dlfcn.h>
#include <libdeflate.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#undef deflateInit2
#undef inflateInit2

/* Every function used, once: declares its pointer below and looks it up in load(). */
#define EACH_ZLIB(X)                                                                                           \
    X(deflateInit2_) X(deflate) X(deflateReset) X(deflateEnd) X(inflateInit2_) X(inflate) X(inflateReset)      \
    X(inflateEnd)
#define EACH_LIBDEFLATE(X)                                                                                     \
    X(libdeflate_alloc_compressor) X(libdeflate_free_compressor) X(libdeflate_gzip_compress)                   \
    X(libdeflate_gzip_compress_bound)
#define EACH_ZSTD(X)                                                                                           \
    X(ZSTD_createCCtx) X(ZSTD_freeCCtx) X(ZSTD_CCtx_setParameter) X(ZSTD_CCtx_reset)                           \
    X(ZSTD_CCtx_setPledgedSrcSize) X(ZSTD_compress2) X(ZSTD_compressStream2) X(ZSTD_compressBound)             \
    X(ZSTD_createDCtx) X(ZSTD_freeDCtx) X(ZSTD_DCtx_setParameter) X(ZSTD_DCtx_reset) X(ZSTD_decompressStream)  \
    X(ZSTD_isError)

#define DECLARE(name) static __typeof__(&name) p_##name;
EACH_ZLIB(DECLARE)
EACH_LIBDEFLATE(DECLARE)
EACH_ZSTD(DECLARE)

#ifdef __APPLE__
#define LIBRARY(name, version) "lib" name "." version ".dylib"
#else
#define LIBRARY(name, version) "lib" name ".so." version
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int has_zlib, has_libdeflate, has_zstd;

static void load(void) {
    void *library;
#define LOOK_UP(name) && (p_##name = (__typeof__(&name))dlsym(library, #name))
    library = dlopen(LIBRARY("z", "1"), RTLD_NOW | RTLD_LOCAL);
    has_zlib = library EACH_ZLIB(LOOK_UP);
    library = dlopen(LIBRARY("deflate", "0"), RTLD_NOW | RTLD_LOCAL);
    has_libdeflate = library EACH_LIBDEFLATE(LOOK_UP);
    library = dlopen(LIBRARY("zstd", "1"), RTLD_NOW | RTLD_LOCAL);
    has_zstd = library EACH_ZSTD(LOOK_UP);
}

int webl_member_is_available(webl_member_form form) {
    pthread_once(&once, load);
    switch (form) {
    case WEBL_MEMBER_GZIP: return has_zlib;
    case WEBL_MEMBER_ZSTD: return has_zstd;
    }
    return 0;
}

/* - Compressing - */

struct webl_compressor {
    webl_member_form form;
    int level;
    struct libdeflate_compressor *whole;
    z_stream zlib;
    int has_deflate;
    ZSTD_CCtx *zstd;
};

webl_compressor *webl_compressor_create(webl_member_form form, int level) {
    if (!webl_member_is_available(form)) return NULL;
    webl_compressor *compressor = calloc(1, sizeof *compressor);
    if (!compressor) return NULL;
    compressor->form = form;
    compressor->level = level;
    int is_ready = 1;
    switch (form) {
    case WEBL_MEMBER_GZIP:
        /* Without it, everything goes through zlib. */
        if (has_libdeflate) compressor->whole = p_libdeflate_alloc_compressor(level);
        break;
    case WEBL_MEMBER_ZSTD:
        compressor->zstd = p_ZSTD_createCCtx();
        is_ready = compressor->zstd &&
                   !p_ZSTD_isError(p_ZSTD_CCtx_setParameter(compressor->zstd, ZSTD_c_compressionLevel, level)) &&
                   !p_ZSTD_isError(p_ZSTD_CCtx_setParameter(compressor->zstd, ZSTD_c_contentSizeFlag, 1)) &&
                   !p_ZSTD_isError(p_ZSTD_CCtx_setParameter(compressor->zstd, ZSTD_c_checksumFlag, 1));
        break;
    }
    if (is_ready) return compressor;
    webl_compressor_free(compressor);
    return NULL;
}

void webl_compressor_free(webl_compressor *compressor) {
    if (!compressor) return;
    if (compressor->whole) p_libdeflate_free_compressor(compressor->whole);
    if (compressor->has_deflate) p_deflateEnd(&compressor->zlib);
    if (compressor->zstd) p_ZSTD_freeCCtx(compressor->zstd);
    free(compressor);
}

/* What zlib adds at most to what it cannot compress, with its smallest blocks. */
static size_t zlib_bound(size_t size) { return size + (size >> 3) + (size >> 8) + 64; }

size_t webl_compressor_bound(webl_compressor *compressor, size_t size) {
    switch (compressor->form) {
    case WEBL_MEMBER_GZIP:
        return compressor->whole ? p_libdeflate_gzip_compress_bound(compressor->whole, size) : zlib_bound(size);
    case WEBL_MEMBER_ZSTD: return p_ZSTD_compressBound(size);
    }
    return 0;
}

static size_t zlib_whole(webl_compressor *compressor, const unsigned char *input, size_t size, unsigned char *output,
                         size_t room) {
    if (!webl_compressor_begin(compressor, size)) return 0;
    size_t input_left = size, output_left = room;
    while (1) {
        size_t before = input_left + output_left;
        switch (webl_compressor_step(compressor, input + (size - input_left), &input_left,
                                     output + (room - output_left), &output_left, 1)) {
        case WEBL_COMPRESS_END: return room - output_left;
        case WEBL_COMPRESS_FAILED: return 0;
        case WEBL_COMPRESS_MORE:
            if (input_left + output_left == before) return 0;
        }
    }
}

size_t webl_compressor_whole(webl_compressor *compressor, const unsigned char *input, size_t size,
                             unsigned char *output, size_t room) {
    switch (compressor->form) {
    case WEBL_MEMBER_GZIP:
        return compressor->whole ? p_libdeflate_gzip_compress(compressor->whole, input, size, output, room)
                                 : zlib_whole(compressor, input, size, output, room);
    case WEBL_MEMBER_ZSTD: {
        p_ZSTD_CCtx_reset(compressor->zstd, ZSTD_reset_session_only);
        size_t count = p_ZSTD_compress2(compressor->zstd, output, room, input, size);
        return p_ZSTD_isError(count) ? 0 : count;
    }
    }
    return 0;
}

int webl_compressor_begin(webl_compressor *compressor, size_t size) {
    switch (compressor->form) {
    case WEBL_MEMBER_GZIP:
        if (compressor->has_deflate) return p_deflateReset(&compressor->zlib) == Z_OK;
        compressor->has_deflate =
            p_deflateInit2_(&compressor->zlib, compressor->level, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY,
                            ZLIB_VERSION, (int)sizeof(z_stream)) == Z_OK;
        return compressor->has_deflate;
    case WEBL_MEMBER_ZSTD:
        return !p_ZSTD_isError(p_ZSTD_CCtx_reset(compressor->zstd, ZSTD_reset_session_only)) &&
               !p_ZSTD_isError(p_ZSTD_CCtx_setPledgedSrcSize(compressor->zstd, size));
    }
    return 0;
}

static uInt piece(size_t size) { return size < UINT_MAX ? (uInt)size : UINT_MAX; }

webl_compress_result webl_compressor_step(webl_compressor *compressor, const unsigned char *input, size_t *input_left,
                                          unsigned char *output, size_t *output_left, int is_last) {
    switch (compressor->form) {
    case WEBL_MEMBER_GZIP: {
        z_stream *stream = &compressor->zlib;
        uInt input_size = piece(*input_left), output_size = piece(*output_left);
        stream->next_in = (Bytef *)input;
        stream->avail_in = input_size;
        stream->next_out = output;
        stream->avail_out = output_size;
        int code = p_deflate(stream, is_last && input_size == *input_left ? Z_FINISH : Z_NO_FLUSH);
        *input_left -= input_size - stream->avail_in;
        *output_left -= output_size - stream->avail_out;
        if (code == Z_STREAM_END) return WEBL_COMPRESS_END;
        return code == Z_OK || code == Z_BUF_ERROR ? WEBL_COMPRESS_MORE : WEBL_COMPRESS_FAILED;
    }
    case WEBL_MEMBER_ZSTD: {
        ZSTD_inBuffer in = {input, *input_left, 0};
        ZSTD_outBuffer out = {output, *output_left, 0};
        size_t left =
            p_ZSTD_compressStream2(compressor->zstd, &out, &in, is_last ? ZSTD_e_end : ZSTD_e_continue);
        *input_left -= in.pos;
        *output_left -= out.pos;
        if (p_ZSTD_isError(left)) return WEBL_COMPRESS_FAILED;
        return is_last && left == 0 ? WEBL_COMPRESS_END : WEBL_COMPRESS_MORE;
    }
    }
    return WEBL_COMPRESS_FAILED;
}

/* - Finding the ends of members - */

struct webl_member_check {
    webl_member_form form;
    z_stream zlib;
    int has_inflate;
    ZSTD_DCtx *zstd;
    unsigned char prefix[WEBL_MEMBER_PREFIX];
    size_t prefix_length;
    /* What is in the member passes through here. */
    unsigned char content[64 << 10];
};

/* As all readers here have it: no frame may ask for more than 8 MiB of window. */
enum { ZSTD_WINDOW_LOG_MAX = 23 };

webl_member_check *webl_member_check_create(webl_member_form form) {
    if (!webl_member_is_available(form)) return NULL;
    webl_member_check *check = malloc(sizeof *check);
    if (!check) return NULL;
    memset(check, 0, offsetof(webl_member_check, content));
    check->form = form;
    int is_ready = 0;
    switch (form) {
    case WEBL_MEMBER_GZIP:
        is_ready = check->has_inflate = p_inflateInit2_(&check->zlib, 16 + MAX_WBITS, ZLIB_VERSION, (int)sizeof(z_stream)) == Z_OK;
        break;
    case WEBL_MEMBER_ZSTD:
        is_ready = (check->zstd = p_ZSTD_createDCtx()) &&
                   !p_ZSTD_isError(p_ZSTD_DCtx_setParameter(check->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG_MAX));
        break;
    }
    if (is_ready) return check;
    webl_member_check_free(check);
    return NULL;
}

void webl_member_check_free(webl_member_check *check) {
    if (!check) return;
    if (check->has_inflate) p_inflateEnd(&check->zlib);
    if (check->zstd) p_ZSTD_freeDCtx(check->zstd);
    free(check);
}

int webl_member_check_begin(webl_member_check *check) {
    check->prefix_length = 0;
    switch (check->form) {
    case WEBL_MEMBER_GZIP: return p_inflateReset(&check->zlib) == Z_OK;
    case WEBL_MEMBER_ZSTD: return !p_ZSTD_isError(p_ZSTD_DCtx_reset(check->zstd, ZSTD_reset_session_only));
    }
    return 0;
}

static void keep(webl_member_check *check, size_t count) {
    size_t room = WEBL_MEMBER_PREFIX - check->prefix_length;
    if (count > room) count = room;
    memcpy(check->prefix + check->prefix_length, check->content, count);
    check->prefix_length += count;
}

webl_member_state webl_member_check_step(webl_member_check *check, const unsigned char *input, size_t *input_left) {
    while (1) {
        size_t before = *input_left, count;
        switch (check->form) {
        case WEBL_MEMBER_GZIP: {
            z_stream *stream = &check->zlib;
            uInt size = piece(before);
            stream->next_in = (Bytef *)input;
            stream->avail_in = size;
            stream->next_out = check->content;
            stream->avail_out = sizeof check->content;
            int code = p_inflate(stream, Z_NO_FLUSH);
            *input_left -= size - stream->avail_in;
            count = sizeof check->content - stream->avail_out;
            keep(check, count);
            if (code == Z_STREAM_END) return WEBL_MEMBER_END;
            if (code == Z_MEM_ERROR) return WEBL_MEMBER_NO_MEMORY;
            if (code != Z_OK && code != Z_BUF_ERROR) return WEBL_MEMBER_DAMAGED;
            break;
        }
        case WEBL_MEMBER_ZSTD: {
            ZSTD_inBuffer in = {input, before, 0};
            ZSTD_outBuffer out = {check->content, sizeof check->content, 0};
            size_t code = p_ZSTD_decompressStream(check->zstd, &out, &in);
            *input_left -= in.pos;
            count = out.pos;
            keep(check, count);
            if (p_ZSTD_isError(code)) return WEBL_MEMBER_DAMAGED;
            if (code == 0) return WEBL_MEMBER_END;
            break;
        }
        default: return WEBL_MEMBER_DAMAGED;
        }
        input += before - *input_left;
        /* With room left in the content, there is nothing more in the input. */
        if (count < sizeof check->content && *input_left == 0) return WEBL_MEMBER_OPEN;
        if (count == 0 && *input_left == before) return WEBL_MEMBER_DAMAGED;
    }
}

size_t webl_member_check_prefix(const webl_member_check *check, const unsigned char **prefix) {
    *prefix = check->prefix;
    return check->prefix_length;
}
