#include "CContentCoding.h"

#include <brotli/decode.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#undef inflateInit2

/* Every function used, once: declares its pointer below and looks it up in load(). */
#define EACH_ZLIB(X) X(inflateInit2_) X(inflate) X(inflateReset) X(inflateEnd)
#define EACH_BROTLI(X)                                                                                         \
    X(BrotliDecoderCreateInstance) X(BrotliDecoderDestroyInstance) X(BrotliDecoderDecompressStream)            \
    X(BrotliDecoderGetErrorCode)
#define EACH_ZSTD(X)                                                                                           \
    X(ZSTD_createDCtx) X(ZSTD_freeDCtx) X(ZSTD_DCtx_setParameter) X(ZSTD_DCtx_reset) X(ZSTD_decompressStream)  \
    X(ZSTD_isError)

#define DECLARE(name) static __typeof__(&name) p_##name;
EACH_ZLIB(DECLARE)
EACH_BROTLI(DECLARE)
EACH_ZSTD(DECLARE)

#ifdef __APPLE__
#define LIBRARY(name, version) "lib" name "." version ".dylib"
#else
#define LIBRARY(name, version) "lib" name ".so." version
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int has_zlib, has_brotli, has_zstd;

static void load(void) {
    void *library;
#define LOOK_UP(name) && (p_##name = (__typeof__(&name))dlsym(library, #name))
    library = dlopen(LIBRARY("z", "1"), RTLD_NOW | RTLD_LOCAL);
    has_zlib = library EACH_ZLIB(LOOK_UP);
    library = dlopen(LIBRARY("brotlidec", "1"), RTLD_NOW | RTLD_LOCAL);
    has_brotli = library EACH_BROTLI(LOOK_UP);
    library = dlopen(LIBRARY("zstd", "1"), RTLD_NOW | RTLD_LOCAL);
    has_zstd = library EACH_ZSTD(LOOK_UP);
}

int webl_coding_is_available(webl_coding coding) {
    pthread_once(&once, load);
    switch (coding) {
    case WEBL_CODING_GZIP:
    case WEBL_CODING_DEFLATE: return has_zlib;
    case WEBL_CODING_BROTLI: return has_brotli;
    case WEBL_CODING_ZSTD: return has_zstd;
    }
    return 0;
}

struct webl_decoder {
    webl_coding coding;
    z_stream zlib;
    int has_inflate;
    /* The first bytes of deflate, which tell its format. */
    unsigned char prefix[2];
    int prefix_length;
    BrotliDecoderState *brotli;
    ZSTD_DCtx *zstd;
};

/* No frame may ask for more than 8 MiB of window: RFC 9659. */
enum { ZSTD_WINDOW_LOG_MAX = 23 };

static int start_inflate(webl_decoder *decoder, int window_bits) {
    decoder->zlib = (z_stream){0};
    decoder->has_inflate =
        p_inflateInit2_(&decoder->zlib, window_bits, ZLIB_VERSION, (int)sizeof(z_stream)) == Z_OK;
    return decoder->has_inflate;
}

webl_decoder *webl_decoder_create(webl_coding coding) {
    if (!webl_coding_is_available(coding)) return NULL;
    webl_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->coding = coding;
    int is_ready = 1;
    switch (coding) {
    case WEBL_CODING_GZIP: is_ready = start_inflate(decoder, 16 + MAX_WBITS); break;
    case WEBL_CODING_DEFLATE: break; /* once its format is known */
    case WEBL_CODING_BROTLI:
        is_ready = (decoder->brotli = p_BrotliDecoderCreateInstance(NULL, NULL, NULL)) != NULL;
        break;
    case WEBL_CODING_ZSTD:
        is_ready = (decoder->zstd = p_ZSTD_createDCtx()) != NULL &&
                   !p_ZSTD_isError(
                       p_ZSTD_DCtx_setParameter(decoder->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG_MAX));
        break;
    }
    if (is_ready) return decoder;
    webl_decoder_free(decoder);
    return NULL;
}

void webl_decoder_free(webl_decoder *decoder) {
    if (!decoder) return;
    if (decoder->has_inflate) p_inflateEnd(&decoder->zlib);
    if (decoder->brotli) p_BrotliDecoderDestroyInstance(decoder->brotli);
    if (decoder->zstd) p_ZSTD_freeDCtx(decoder->zstd);
    free(decoder);
}

int webl_decoder_restart(webl_decoder *decoder) {
    switch (decoder->coding) {
    case WEBL_CODING_GZIP: return p_inflateReset(&decoder->zlib) == Z_OK;
    case WEBL_CODING_ZSTD: return !p_ZSTD_isError(p_ZSTD_DCtx_reset(decoder->zstd, ZSTD_reset_session_only));
    case WEBL_CODING_DEFLATE:
    case WEBL_CODING_BROTLI: return 0; /* a body has one stream of these */
    }
    return 0;
}

static webl_decode_result inflate_step(webl_decoder *decoder, const unsigned char *input, size_t *input_left,
                                       unsigned char *output, size_t *output_left) {
    z_stream *stream = &decoder->zlib;
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
    case Z_BUF_ERROR: return WEBL_DECODE_MORE;
    case Z_STREAM_END: return WEBL_DECODE_END;
    case Z_MEM_ERROR: return WEBL_DECODE_NO_MEMORY;
    default: return WEBL_DECODE_DAMAGED;
    }
}

/* Takes the two bytes that tell zlib's format from bare deflate, and feeds them to the right one. */
static webl_decode_result deflate_step(webl_decoder *decoder, const unsigned char *input, size_t *input_left,
                                       unsigned char *output, size_t *output_left) {
    if (decoder->has_inflate) return inflate_step(decoder, input, input_left, output, output_left);
    while (decoder->prefix_length < 2) {
        if (!*input_left) return WEBL_DECODE_MORE;
        decoder->prefix[decoder->prefix_length++] = *input++;
        --*input_left;
    }
    unsigned char *prefix = decoder->prefix;
    int is_zlib = (prefix[0] & 0x0F) == Z_DEFLATED && prefix[0] >> 4 <= 7 && (prefix[0] << 8 | prefix[1]) % 31 == 0;
    if (!start_inflate(decoder, is_zlib ? MAX_WBITS : -MAX_WBITS)) return WEBL_DECODE_NO_MEMORY;
    size_t prefix_left = 2, room = *output_left;
    webl_decode_result result = inflate_step(decoder, prefix, &prefix_left, output, output_left);
    if (result != WEBL_DECODE_MORE) return result;
    output += room - *output_left;
    return inflate_step(decoder, input, input_left, output, output_left);
}

static webl_decode_result brotli_step(webl_decoder *decoder, const unsigned char *input, size_t *input_left,
                                      unsigned char *output, size_t *output_left) {
    switch (p_BrotliDecoderDecompressStream(decoder->brotli, input_left, &input, output_left, &output, NULL)) {
    case BROTLI_DECODER_RESULT_SUCCESS: return WEBL_DECODE_END;
    case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
    case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: return WEBL_DECODE_MORE;
    case BROTLI_DECODER_RESULT_ERROR: break;
    }
    BrotliDecoderErrorCode code = p_BrotliDecoderGetErrorCode(decoder->brotli);
    return code <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES && code >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES
        ? WEBL_DECODE_NO_MEMORY
        : WEBL_DECODE_DAMAGED;
}

static webl_decode_result zstd_step(webl_decoder *decoder, const unsigned char *input, size_t *input_left,
                                    unsigned char *output, size_t *output_left) {
    ZSTD_inBuffer in = {input, *input_left, 0};
    ZSTD_outBuffer out = {output, *output_left, 0};
    size_t code = p_ZSTD_decompressStream(decoder->zstd, &out, &in);
    *input_left -= in.pos;
    *output_left -= out.pos;
    if (p_ZSTD_isError(code)) return WEBL_DECODE_DAMAGED;
    return code == 0 ? WEBL_DECODE_END : WEBL_DECODE_MORE;
}

webl_decode_result webl_decoder_step(webl_decoder *decoder, const unsigned char *input, size_t *input_left,
                                     unsigned char *output, size_t *output_left) {
    switch (decoder->coding) {
    case WEBL_CODING_GZIP: return inflate_step(decoder, input, input_left, output, output_left);
    case WEBL_CODING_DEFLATE: return deflate_step(decoder, input, input_left, output, output_left);
    case WEBL_CODING_BROTLI: return brotli_step(decoder, input, input_left, output, output_left);
    case WEBL_CODING_ZSTD: return zstd_step(decoder, input, input_left, output, output_left);
    }
    return WEBL_DECODE_DAMAGED;
}
