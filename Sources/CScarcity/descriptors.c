#include "CScarcity.h"

#include <unistd.h>

#ifdef __linux__
#include <sys/eventfd.h>

int webl_has_descriptors(int count) {
    int held[64], i = 0;
    while (i < count && i < 64 && (held[i] = eventfd(0, EFD_CLOEXEC)) >= 0) i++;
    int is_enough = i == count;
    while (i > 0) close(held[--i]);
    return is_enough;
}
#else
int webl_has_descriptors(int count) {
    (void)count;
    return 1;
}
#endif
