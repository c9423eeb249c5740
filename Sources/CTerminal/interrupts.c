#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int interrupt_pipe[2] = {-1, -1};
static volatile sig_atomic_t interrupt_count;

static void interrupted(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    if (write(interrupt_pipe[1], &byte, 1) != 1) {
        /* The pipe is full: the signals before this one are not even read yet. */
    }
    if (++interrupt_count == 2) {
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        signal(SIGHUP, SIG_DFL);
    }
    errno = saved;
}

static void interrupted_again(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    if (write(interrupt_pipe[1], &byte, 1) != 1) {
        /* The pipe is full: nobody has read the ones before this one yet. */
    }
    errno = saved;
}

/* Has signals handled from now on, and returns the end of the pipe that the handler writes to; -1 without a pipe. */
static int catch_signals(void (*handler)(int), const int *signals, size_t count) {
    if (pipe2(interrupt_pipe, O_CLOEXEC) != 0)
        return -1;
    fcntl(interrupt_pipe[1], F_SETFL, O_NONBLOCK);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < count; i++) {
        struct sigaction old;
        /* What whoever started us has switched off (nohup) stays off. */
        if (sigaction(signals[i], 0, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, 0);
    }
    return interrupt_pipe[0];
}

int webl_catch_interrupts(void) {
    const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    return catch_signals(interrupted, signals, sizeof signals / sizeof *signals);
}

int webl_catch_each_interrupt(void) {
    const int signals[] = {SIGINT};
    return catch_signals(interrupted_again, signals, 1);
}
