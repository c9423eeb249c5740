#define _XOPEN_SOURCE 700
#include "CTerminal.h"

#include <locale.h>
#include <wchar.h>

int webl_columns(uint32_t scalar) {
    /* Characters are Unicode's in this one, whatever the environment says. */
    static locale_t unicode;
    if (!unicode && !(unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0))) return 1;
    locale_t before = uselocale(unicode);
    int columns = wcwidth((wchar_t)scalar);
    uselocale(before);
    return columns < 0 ? 1 : columns;
}
