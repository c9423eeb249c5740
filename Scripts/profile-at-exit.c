/* What Scripts/coverage links into every program: with it, those that end by _exit write down what they ran too.
 *
 * All add to the file that WEBLOADER_PROFILES names, where SwiftPM would have some megabytes for each of some thousand
 * processes. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What the command ends with when its time is up, in a signal handler that may have interrupted an allocation: writing
   allocates. */
#define LIMIT 6

int __llvm_profile_write_file(void) __attribute__((weak));

/* Before the profile's own constructor, which has no such number. */
__attribute__((constructor(101))) static void choose_file(void) {
    const char *file = getenv("WEBLOADER_PROFILES");
    if (file)
        setenv("LLVM_PROFILE_FILE", file, 1);
}

/* The linker meets this one before the C library's. */
void _exit(int status) {
    if (__llvm_profile_write_file && status != LIMIT)
        __llvm_profile_write_file();
    for (;;)
        syscall(SYS_exit_group, status);
}
