#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* This process's environment with others in front: of two variables of one name, getenv finds the first. */
static char **environment_with(char *const *additions) {
    size_t added = 0, own = 0;
    while (additions[added])
        added++;
    while (environ && environ[own])
        own++;
    char **all = calloc(added + own + 1, sizeof *all);
    if (!all)
        return NULL;
    memcpy(all, additions, added * sizeof *all);
    size_t count = added;
    for (size_t index = 0; index < own; index++) {
        size_t name = strcspn(environ[index], "=");
        int is_replaced = 0;
        for (size_t other = 0; other < added && !is_replaced; other++)
            is_replaced = strcspn(additions[other], "=") == name && !strncmp(additions[other], environ[index], name);
        if (!is_replaced)
            all[count++] = environ[index];
    }
    return all;
}

static int start(char *const *arguments, char *const *environment, int input, pid_t *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int code = posix_spawn_file_actions_init(&actions);
    if (code)
        return code;
    code = posix_spawnattr_init(&attributes);
    if (code) {
        posix_spawn_file_actions_destroy(&actions);
        return code;
    }
    /* What this process ignores or catches means nothing to the other. */
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    const int signals[] = {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP, SIGALRM};
    for (unsigned index = 0; index < sizeof signals / sizeof *signals; index++)
        sigaddset(&usual, signals[index]);
    code = posix_spawnattr_setsigmask(&attributes, &none);
    if (!code)
        code = posix_spawnattr_setsigdefault(&attributes, &usual);
    /* A group of its own can be ended with all that it has started; Ctrl-C lets it finish. */
    if (!code)
        code = posix_spawnattr_setpgroup(&attributes, 0);
    if (!code)
        code = posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    if (!code)
        code = posix_spawn_file_actions_adddup2(&actions, input, 0);
    /* Standard output is for this process's data alone. */
    if (!code)
        code = posix_spawn_file_actions_adddup2(&actions, 2, 1);
    if (!code)
        code = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    if (!code)
        code = posix_spawnp(process, arguments[0], &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

/* The strings that stand one behind the other, as a list that ends with NULL; NULL without memory. */
static char **list_of(const char *strings, size_t count) {
    char **list = calloc(count + 1, sizeof *list);
    for (size_t index = 0; list && index < count; index++) {
        /* Whoever gets a list of arguments may not change them; its type is from before there was a word for that. */
        list[index] = (char *)strings;
        strings += strlen(strings) + 1;
    }
    return list;
}

int webl_start_program(
    const char *arguments, size_t argument_count, const char *additions, size_t addition_count, int *input, pid_t *process) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return errno;
    char **words = list_of(arguments, argument_count), **added = list_of(additions, addition_count);
    char **environment = added ? environment_with(added) : NULL;
    int code = words && environment ? start(words, environment, ends[0], process) : ENOMEM;
    free(environment);
    free(added);
    free(words);
    close(ends[0]);
    if (code) {
        close(ends[1]);
        return code;
    }
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    *input = ends[1];
    return 0;
}
