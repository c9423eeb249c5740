#include "Inflate.h"

#include <dlfcn.h>
#include <libdeflate.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <zlib.h>

#undef inflateInit2

/* Every function used, once: declares its pointer below and looks it up in load(). */
#define EACH_ZLIB(X) X(inflateInit2_) X(inflate) X(inflateReset) X(inflateEnd)
#define EACH_LIBDEFLATE(X)                                                                                     \
    X(libdeflate_alloc_decompressor) X(libdeflate_free_decompressor) X(libdeflate_gzip_decompress_ex)

#define DECLARE(name) static __typeof__(&name) p_##name;
EACH_ZLIB(DECLARE)
EACH_LIBDEFLATE(DECLARE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int has_zlib, has_libdeflate;

static void load(void) {
    void *library;
#define LOOK_UP(name) && (p_##name = (__typeof__(&name))dlsym(library, #name))
    library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    has_zlib = library EACH_ZLIB(LOOK_UP);
    library = dlopen("libdeflate.so.0", RTLD_NOW | RTLD_LOCAL);
    has_libdeflate = library EACH_LIBDEFLATE(LOOK_UP);
}

struct webl_inflater {
    z_stream zlib;
    int has_stream;
    struct libdeflate_decompressor *libdeflate;
};

webl_inflater *webl_inflater_create(void) {
    pthread_once(&once, load);
    if (!has_zlib) return NULL;
    webl_inflater *inflater = calloc(1, sizeof *inflater);
    if (!inflater) return NULL;
    if (has_libdeflate) inflater->libdeflate = p_libdeflate_alloc_decompressor();
    return inflater;
}

void webl_inflater_free(webl_inflater *inflater) {
    if (!inflater) return;
    if (inflater->has_stream) p_inflateEnd(&inflater->zlib);
    if (inflater->libdeflate) p_libdeflate_free_decompressor(inflater->libdeflate);
    free(inflater);
}

webl_inflate_result webl_inflate_whole(webl_inflater *inflater, const void *input, size_t *input_count, void *output,
                                       size_t *output_count) {
    if (!inflater->libdeflate) return WEBL_INFLATE_DAMAGED;
    size_t used = 0, made = 0;
    switch (p_libdeflate_gzip_decompress_ex(inflater->libdeflate, input, *input_count, output, *output_count, &used,
                                            &made)) {
    case LIBDEFLATE_SUCCESS:
        *input_count = used;
        *output_count = made;
        return WEBL_INFLATE_END;
    case LIBDEFLATE_INSUFFICIENT_SPACE: return WEBL_INFLATE_NO_ROOM;
    default: return WEBL_INFLATE_DAMAGED;
    }
}

int webl_inflater_begin(webl_inflater *inflater) {
    if (inflater->has_stream) return p_inflateReset(&inflater->zlib) == Z_OK;
    inflater->zlib = (z_stream){0};
    inflater->has_stream =
        p_inflateInit2_(&inflater->zlib, 16 + MAX_WBITS, ZLIB_VERSION, (int)sizeof(z_stream)) == Z_OK;
    return inflater->has_stream;
}

webl_inflate_result webl_inflater_step(webl_inflater *inflater, const void *input, size_t *input_left, void *output,
                                       size_t *output_left) {
    if (!inflater->has_stream) return WEBL_INFLATE_DAMAGED;
    z_stream *stream = &inflater->zlib;
    uInt input_size = *input_left < UINT_MAX ? (uInt)*input_left : UINT_MAX;
    uInt output_size = *output_left < UINT_MAX ? (uInt)*output_left : UINT_MAX;
    stream->next_in = (Bytef *)input;
    stream->avail_in = input_size;
    stream->next_out = output;
    stream->avail_out = output_size;
    int code = p_inflate(stream, Z_NO_FLUSH);
    *input_left -= input_size - stream->avail_in;
    *output_left -= output_size - stream->avail_out;
    switch (code) {
    case Z_OK:
    case Z_BUF_ERROR: return WEBL_INFLATE_MORE;
    case Z_STREAM_END: return WEBL_INFLATE_END;
    case Z_MEM_ERROR: return WEBL_INFLATE_NO_MEMORY;
    default: return WEBL_INFLATE_DAMAGED;
    }
}
