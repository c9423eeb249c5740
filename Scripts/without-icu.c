/* What libxml2 asks of ICU, for a release without it: there are no converters.
 *
 * WebLoader hands libxml2 UTF-8, which it reads by itself, and ICU's data are half of a binary. The header gives the
 * functions the names of its version. */
#include <unicode/ucnv.h>

UConverter *ucnv_open(const char *name, UErrorCode *status) {
    (void)name;
    *status = U_UNSUPPORTED_ERROR;
    return NULL;
}

/* Nobody has a converter to call these with. */
void ucnv_close(UConverter *converter) { (void)converter; }

void ucnv_convertEx(UConverter *to, UConverter *from, char **target, const char *end, const char **source,
                    const char *source_end, UChar *pivot_start, UChar **pivot_source, UChar **pivot_target,
                    const UChar *pivot_end, UBool reset, UBool flush, UErrorCode *status) {
    (void)to, (void)from, (void)target, (void)end, (void)source, (void)source_end, (void)pivot_start;
    (void)pivot_source, (void)pivot_target, (void)pivot_end, (void)reset, (void)flush;
    *status = U_UNSUPPORTED_ERROR;
}

void ucnv_setToUCallBack(UConverter *converter, UConverterToUCallback action, const void *context,
                         UConverterToUCallback *old_action, const void **old_context, UErrorCode *status) {
    (void)converter, (void)action, (void)context, (void)old_action, (void)old_context;
    *status = U_UNSUPPORTED_ERROR;
}

void ucnv_setFromUCallBack(UConverter *converter, UConverterFromUCallback action, const void *context,
                           UConverterFromUCallback *old_action, const void **old_context, UErrorCode *status) {
    (void)converter, (void)action, (void)context, (void)old_action, (void)old_context;
    *status = U_UNSUPPORTED_ERROR;
}

void UCNV_TO_U_CALLBACK_STOP(const void *context, UConverterToUnicodeArgs *arguments, const char *units, int32_t length,
                             UConverterCallbackReason reason, UErrorCode *status) {
    (void)context, (void)arguments, (void)units, (void)length, (void)reason, (void)status;
}

void UCNV_FROM_U_CALLBACK_STOP(const void *context, UConverterFromUnicodeArgs *arguments, const UChar *units,
                               int32_t length, UChar32 point, UConverterCallbackReason reason, UErrorCode *status) {
    (void)context, (void)arguments, (void)units, (void)length, (void)point, (void)reason, (void)status;
}
