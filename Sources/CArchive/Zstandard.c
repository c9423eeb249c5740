#include "Zstandard.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <zstd.h>

/* Every function used, once: declares its pointer below and looks it up in load(). */
#define EACH_ZSTD(X)                                                                                           \
    X(ZSTD_createDCtx) X(ZSTD_freeDCtx) X(ZSTD_DCtx_setParameter) X(ZSTD_DCtx_reset)                           \
    X(ZSTD_DCtx_loadDictionary) X(ZSTD_decompressStream) X(ZSTD_isError)

#define DECLARE(name) static __typeof__(&name) p_##name;
EACH_ZSTD(DECLARE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int has_zstd;

static void load(void) {
    void *library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
#define LOOK_UP(name) && (p_##name = (__typeof__(&name))dlsym(library, #name))
    has_zstd = library EACH_ZSTD(LOOK_UP);
}

/* As the proposal for WARC in Zstandard has it, and RFC 9659 for the web: 8 MiB. */
enum { WINDOW_LOG_MAX = 23 };

struct webl_unzstd {
    ZSTD_DCtx *context;
};

webl_unzstd *webl_unzstd_create(void) {
    pthread_once(&once, load);
    if (!has_zstd) return NULL;
    webl_unzstd *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->context = p_ZSTD_createDCtx();
    if (decoder->context &&
        !p_ZSTD_isError(p_ZSTD_DCtx_setParameter(decoder->context, ZSTD_d_windowLogMax, WINDOW_LOG_MAX)))
        return decoder;
    webl_unzstd_free(decoder);
    return NULL;
}

void webl_unzstd_free(webl_unzstd *decoder) {
    if (!decoder) return;
    if (decoder->context) p_ZSTD_freeDCtx(decoder->context);
    free(decoder);
}

int webl_unzstd_set_dictionary(webl_unzstd *decoder, const void *bytes, size_t count) {
    return webl_unzstd_begin(decoder) && !p_ZSTD_isError(p_ZSTD_DCtx_loadDictionary(decoder->context, bytes, count));
}

int webl_unzstd_begin(webl_unzstd *decoder) {
    return !p_ZSTD_isError(p_ZSTD_DCtx_reset(decoder->context, ZSTD_reset_session_only));
}

webl_unzstd_result webl_unzstd_step(webl_unzstd *decoder, const void *input, size_t *input_left, void *output,
                                    size_t *output_left) {
    ZSTD_inBuffer in = {input, *input_left, 0};
    ZSTD_outBuffer out = {output, *output_left, 0};
    size_t code = p_ZSTD_decompressStream(decoder->context, &out, &in);
    *input_left -= in.pos;
    *output_left -= out.pos;
    if (p_ZSTD_isError(code)) return WEBL_UNZSTD_DAMAGED;
    return code == 0 ? WEBL_UNZSTD_END : WEBL_UNZSTD_MORE;
}
