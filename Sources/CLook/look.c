#include "CLook.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char look[] = {
#embed "look.css"
};

const char *webl_look(size_t *length) {
    *length = sizeof look;
    return look;
}
