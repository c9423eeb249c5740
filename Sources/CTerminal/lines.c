#define _GNU_SOURCE
#include "CTerminal.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

/* What is used of libedit 3.1 (libedit.so.2), declared here so that nothing of it is needed to build. */
typedef struct editline EditLine;
typedef struct historyW HistoryW;
typedef struct {
    int number;
    const wchar_t *text;
} HistoryEvent;
typedef struct {
    const wchar_t *start, *cursor, *end;
} LineInfo;

enum {
    SET_PROMPT = 0,
    SET_EDITOR = 2,
    SET_SIGNAL = 3,
    SET_BINDING = 4,
    SET_MODE_FLAGS = 8,
    SET_FUNCTION = 9,
    SET_HISTORY = 10,
    SET_READER = 13,
    SET_CONTEXT = 14,
    SET_RAW = 16,
    REDRAW = 20,
};
enum { HISTORY_SIZE = 1, HISTORY_ENTER = 10, HISTORY_UNIQUE = 20 };
enum { ANSWER_NOTHING = 0, ANSWER_REFRESH = 4, ANSWER_CURSOR = 5, ANSWER_BEEP = 9 };

EditLine *el_init(const char *, FILE *, FILE *, FILE *);
void el_end(EditLine *);
int el_wset(EditLine *, int, ...);
int el_wget(EditLine *, int, ...);
const wchar_t *el_wgets(EditLine *, int *);
const LineInfo *el_wline(EditLine *);
int el_winsertstr(EditLine *, const wchar_t *);
int el_cursor(EditLine *, int);
void el_beep(EditLine *);
void el_resize(EditLine *);
HistoryW *history_winit(void);
void history_wend(HistoryW *);
int history_w(HistoryW *, HistoryEvent *, int, ...);

#define EACH_FUNCTION(X)                                                                                       \
    X(el_init) X(el_end) X(el_wset) X(el_wget) X(el_wgets) X(el_wline) X(el_winsertstr) X(el_cursor)           \
    X(el_beep) X(el_resize) X(history_winit) X(history_wend) X(history_w)

#define DECLARE(name) static __typeof__(&name) p_##name;
EACH_FUNCTION(DECLARE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;

/* Characters are Unicode's in this one, whatever the environment says; libedit takes what the thread has. */
static locale_t unicode;

/* The handlers write the numbers of signals to it. */
static int signal_pipe[2] = {-1, -1};

static void load(void) {
    void *library = dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL);
#define LOOK_UP(name) && (p_##name = (__typeof__(&name))dlsym(library, #name))
    if (!(library EACH_FUNCTION(LOOK_UP))) return;
    unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    is_loaded = unicode && pipe2(signal_pipe, O_CLOEXEC | O_NONBLOCK) == 0;
}

int webl_lines_are_available(void) {
    pthread_once(&once, load);
    return is_loaded;
}

/* Signals that are waited for while a line is read. SIGCONT and SIGWINCH change what is shown; the others end the reading. */
static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGCONT};
enum { SIGNAL_COUNT = sizeof signals / sizeof *signals };

/* Characters of a line, at most: a MiB of UTF-8. */
enum { MAXIMUM_LENGTH = 1 << 18 };
enum { CONTROL_C = 3 };

struct webl_lines {
    EditLine *editor;
    HistoryW *history;
    wchar_t *prompt;
    char *line;
    webl_complete complete;
    void *context;
    struct sigaction before[SIGNAL_COUNT];
    int is_catching;
    /* Bytes of a character that turned out not to belong to the one before. */
    unsigned char pending;
    int has_pending;
    int is_interrupted, is_ended, is_too_long;
    /* Keys so far, and how many there were at the last Tab that had nothing to insert. */
    unsigned long keys, fruitless_tab;
    /* What is shown below the line before the next key, and how far the cursor goes back then. */
    char *listing;
    int way_back;
};

/* The text as libedit has it; NULL without memory. What is no UTF-8 becomes U+FFFD. To be called with the thread's locale set. */
static wchar_t *wide(const char *text, size_t length) {
    wchar_t *all = calloc(length + 1, sizeof *all);
    mbstate_t state = {0};
    size_t count = 0;
    while (all && length) {
        wchar_t character = 0;
        size_t used = mbrtowc(&character, text, length, &state);
        if (used == (size_t)-1 || used == (size_t)-2) {
            character = 0xFFFD;
            used = 1;
            state = (mbstate_t){0};
        }
        if (!used) used = 1;
        all[count++] = character ? character : 0xFFFD;
        text += used;
        length -= used;
    }
    return all;
}

/* The characters as UTF-8 with a NUL behind; NULL without memory. A line has no ends of lines in it, and no NUL. */
static char *narrow(const wchar_t *text, size_t count, size_t *length) {
    char *all = malloc(count * 4 + 1), *end = all;
    for (size_t index = 0; all && index < count; index++) {
        uint32_t scalar = (uint32_t)text[index];
        if (scalar > 0x10FFFF || (scalar >= 0xD800 && scalar < 0xE000)) scalar = 0xFFFD;
        if (scalar == 0 || scalar == '\n' || scalar == '\r') scalar = ' ';
        if (scalar < 0x80) {
            *end++ = (char)scalar;
            continue;
        }
        int more = scalar < 0x800 ? 1 : scalar < 0x10000 ? 2 : 3;
        *end++ = (char)((0xF00 >> (more + 1)) | (scalar >> (6 * more)));
        while (more--)
            *end++ = (char)(0x80 | ((scalar >> (6 * more)) & 0x3F));
    }
    if (all) {
        *end = 0;
        *length = (size_t)(end - all);
    }
    return all;
}

/* Signals */

static void noted(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    if (write(signal_pipe[1], &byte, 1) != 1) {
        /* The pipe is full: there is enough to do already. */
    }
    errno = saved;
}

static void catch_signals(webl_lines *lines) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = noted;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    lines->is_catching = 1;
    for (int index = 0; index < SIGNAL_COUNT; index++) {
        sigaction(signals[index], NULL, &lines->before[index]);
        /* What whoever started us has switched off (nohup) stays off. */
        if (lines->before[index].sa_handler != SIG_IGN) sigaction(signals[index], &action, NULL);
    }
}

static void release_signals(webl_lines *lines) {
    if (!lines->is_catching) return;
    lines->is_catching = 0;
    for (int index = 0; index < SIGNAL_COUNT; index++)
        sigaction(signals[index], &lines->before[index], NULL);
}

static void say(const char *text) {
    fputs(text, stdout);
    fflush(stdout);
}

static void set_raw(webl_lines *lines, int is_raw) { p_el_wset(lines->editor, SET_RAW, is_raw); }

static void redraw(webl_lines *lines) {
    say("\r");
    p_el_wset(lines->editor, REDRAW);
}

/* Ends the process as the signal would have, with the terminal as it was; if somebody else catches it, the reading ends. */
static void end_by(webl_lines *lines, int number) {
    set_raw(lines, 0);
    say("\r\n");
    release_signals(lines);
    lines->is_ended = 1;
    /* Threads of Dispatch have nearly all signals blocked. */
    sigset_t ending, mask;
    sigemptyset(&ending);
    sigaddset(&ending, number);
    pthread_sigmask(SIG_UNBLOCK, &ending, &mask);
    raise(number);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

/* Whether a signal asks for an interrupt. */
static int handle_signals(webl_lines *lines) {
    unsigned char number;
    int is_interrupt = 0;
    while (!lines->is_ended && read(signal_pipe[0], &number, 1) == 1) {
        switch (number) {
        case SIGINT: is_interrupt = 1; break;
        case SIGWINCH:
            p_el_resize(lines->editor);
            redraw(lines);
            break;
        case SIGCONT:
            /* Whoever had the terminal meanwhile may have left it in any mode. */
            set_raw(lines, 0);
            set_raw(lines, 1);
            p_el_resize(lines->editor);
            redraw(lines);
            break;
        default: end_by(lines, number);
        }
    }
    return is_interrupt;
}

/* Keys */

/* The next byte: 1; 0 at the end of input; -1 at an interrupt. */
static int next_byte(webl_lines *lines, unsigned char *byte) {
    if (lines->has_pending) {
        lines->has_pending = 0;
        *byte = lines->pending;
        return 1;
    }
    while (!lines->is_ended) {
        struct pollfd ready[] = {{.fd = 0, .events = POLLIN}, {.fd = signal_pipe[0], .events = POLLIN}};
        if (poll(ready, 2, -1) < 0) {
            if (errno == EINTR) continue;
            return 0;
        }
        if (ready[1].revents) {
            if (handle_signals(lines)) return -1;
            continue;
        }
        ssize_t count = read(0, byte, 1);
        if (count >= 0) return (int)count;
        if (errno != EINTR && errno != EAGAIN) return 0;
    }
    return 0;
}

/* The next character, by its bytes in UTF-8; as next_byte. */
static int next_character(webl_lines *lines, wchar_t *character) {
    unsigned char byte = 0;
    int result = next_byte(lines, &byte);
    if (result != 1) return result;
    *character = byte;
    if (byte < 0x80) return 1;
    int more = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
    *character = 0xFFFD;
    if (byte < 0xC2 || byte > 0xF4) return 1;
    uint32_t scalar = byte & (0x3Fu >> more);
    for (int index = 0; index < more; index++) {
        result = next_byte(lines, &byte);
        if (result != 1) return result;
        if ((byte & 0xC0) != 0x80) {
            lines->pending = byte;
            lines->has_pending = 1;
            return 1;
        }
        scalar = scalar << 6 | (byte & 0x3F);
    }
    const uint32_t least[] = {0x80, 0x800, 0x10000};
    if (scalar >= least[more - 1] && scalar <= 0x10FFFF && (scalar < 0xD800 || scalar >= 0xE000))
        *character = (wchar_t)scalar;
    return 1;
}

static webl_lines *context_of(EditLine *editor) {
    void *context = NULL;
    p_el_wget(editor, SET_CONTEXT, &context);
    return context;
}

/* Shows what was found, below the line, and the line once more. */
static void show_listing(webl_lines *lines) {
    say("\n");
    say(lines->listing);
    free(lines->listing);
    lines->listing = NULL;
    p_el_cursor(lines->editor, -lines->way_back);
    p_el_wset(lines->editor, REDRAW);
}

/* Called by libedit for each key. An interrupt ends the line as Return does, whatever is being asked for. */
static int read_key(EditLine *editor, wchar_t *key) {
    webl_lines *lines = context_of(editor);
    if (lines->listing) show_listing(lines);
    while (!lines->is_interrupted) {
        int result = next_character(lines, key);
        if (result < 0) *key = CONTROL_C;
        if (!result) {
            lines->is_ended = 1;
            return 0;
        }
        lines->keys++;
        const LineInfo *info = p_el_wline(editor);
        if (*key < ' ' || *key == 0x7F || info->end - info->start < MAXIMUM_LENGTH) return 1;
        if (!lines->is_too_long) p_el_beep(editor);
        lines->is_too_long = 1;
    }
    *key = '\n';
    return 1;
}

static unsigned char on_interrupt(EditLine *editor, int key) {
    (void)key;
    p_el_cursor(editor, INT_MAX / 2);
    p_el_winsertstr(editor, L"^C");
    context_of(editor)->is_interrupted = 1;
    return ANSWER_REFRESH;
}

static unsigned char on_suspend(EditLine *editor, int key) {
    (void)key;
    webl_lines *lines = context_of(editor);
    set_raw(lines, 0);
    say("\r\n");
    /* As the terminal does: all that runs in the foreground stops. The wait ends when it goes on, or at once where there is
       nobody who could let it. */
    kill(0, SIGTSTP);
    struct pollfd resumed = {.fd = signal_pipe[0], .events = POLLIN};
    poll(&resumed, 1, 200);
    set_raw(lines, 1);
    redraw(lines);
    return ANSWER_NOTHING;
}

static unsigned char on_tab(EditLine *editor, int key) {
    (void)key;
    webl_lines *lines = context_of(editor);
    const LineInfo *info = p_el_wline(editor);
    size_t length = 0;
    char *line = narrow(info->start, (size_t)(info->cursor - info->start), &length);
    if (!line) return ANSWER_BEEP;
    char *insertion = NULL, *listing = NULL;
    lines->complete(lines->context, line, length, &insertion, &listing);
    free(line);
    unsigned char answer = ANSWER_BEEP;
    if (insertion && *insertion) {
        wchar_t *text = wide(insertion, strlen(insertion));
        if (text && p_el_winsertstr(editor, text) == 0) answer = ANSWER_REFRESH;
        free(text);
    } else if (listing && *listing) {
        if (lines->fruitless_tab && lines->fruitless_tab + 1 == lines->keys) {
            lines->listing = listing;
            listing = NULL;
            info = p_el_wline(editor);
            lines->way_back = (int)(info->end - info->cursor);
            p_el_cursor(editor, lines->way_back);
            answer = ANSWER_CURSOR;
        }
        lines->fruitless_tab = lines->keys;
    }
    free(insertion);
    free(listing);
    return answer;
}

/* The editor */

static wchar_t *prompt_of(EditLine *editor) { return context_of(editor)->prompt; }

static int set_up(webl_lines *lines, const char *prompt) {
    HistoryEvent event;
    lines->prompt = wide(prompt, strlen(prompt));
    lines->history = p_history_winit();
    lines->editor = p_el_init("webinspect", stdin, stdout, stderr);
    if (!lines->prompt || !lines->history || !lines->editor) return 0;
    EditLine *editor = lines->editor;
    p_history_w(lines->history, &event, HISTORY_SIZE, WEBL_HISTORY_COUNT);
    p_history_w(lines->history, &event, HISTORY_UNIQUE, 1);
    p_el_wset(editor, SET_CONTEXT, lines);
    p_el_wset(editor, SET_PROMPT, prompt_of);
    p_el_wset(editor, SET_EDITOR, L"emacs");
    p_el_wset(editor, SET_SIGNAL, 0);
    p_el_wset(editor, SET_HISTORY, p_history_w, lines->history);
    p_el_wset(editor, SET_READER, read_key);
    p_el_wset(editor, SET_FUNCTION, L"webinspect-complete", L"Complete the word", on_tab);
    p_el_wset(editor, SET_FUNCTION, L"webinspect-interrupt", L"Give up the line", on_interrupt);
    p_el_wset(editor, SET_FUNCTION, L"webinspect-suspend", L"Stop the process", on_suspend);
    /* Control-C and Control-Z come as bytes, so that the terminal is put back before anything happens. */
    p_el_wset(editor, SET_MODE_FLAGS, L"-d", L"-isig", NULL);
    p_el_wset(editor, SET_BINDING, L"^I", L"webinspect-complete", NULL);
    p_el_wset(editor, SET_BINDING, L"^C", L"webinspect-interrupt", NULL);
    p_el_wset(editor, SET_BINDING, L"^Z", L"webinspect-suspend", NULL);
    p_el_wset(editor, SET_BINDING, L"^R", L"em-inc-search-prev", NULL);
    return 1;
}

webl_lines *webl_lines_open(const char *prompt, webl_complete complete) {
    const char *type = getenv("TERM");
    if (!isatty(0) || !isatty(1) || !type || !*type || !strcmp(type, "dumb") || !webl_lines_are_available()) return NULL;
    webl_lines *lines = calloc(1, sizeof *lines);
    if (!lines) return NULL;
    lines->complete = complete;
    locale_t before = uselocale(unicode);
    int is_ready = set_up(lines, prompt);
    uselocale(before);
    if (is_ready) return lines;
    webl_lines_close(lines);
    return NULL;
}

ptrdiff_t webl_lines_read(webl_lines *lines, void *context, const char **line) {
    free(lines->line);
    lines->line = NULL;
    lines->context = context;
    lines->is_interrupted = lines->is_ended = lines->is_too_long = lines->has_pending = 0;
    lines->fruitless_tab = 0;
    /* The clock's signal would end the process with a terminal that shows nothing. */
    sigset_t clock, mask;
    sigemptyset(&clock);
    sigaddset(&clock, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &clock, &mask);
    catch_signals(lines);
    locale_t before = uselocale(unicode);
    int count = 0;
    /* Before the prompt is shown: keys that follow on it are not for the terminal to handle. */
    set_raw(lines, 1);
    const wchar_t *text = p_el_wgets(lines->editor, &count);
    ptrdiff_t result = WEBL_LINES_END;
    if (lines->is_interrupted) {
        result = WEBL_LINES_INTERRUPTED;
    } else if (lines->is_too_long && text) {
        result = WEBL_LINES_TOO_LONG;
    } else if (text && count > 0 && !lines->is_ended) {
        size_t length = 0, characters = (size_t)count;
        while (characters && (text[characters - 1] == '\n' || text[characters - 1] == '\r'))
            characters--;
        lines->line = narrow(text, characters, &length);
        if (lines->line) result = (ptrdiff_t)length;
        *line = lines->line;
    }
    set_raw(lines, 0);
    /* What comes next begins a line of its own. */
    if (result == WEBL_LINES_END) say("\n");
    uselocale(before);
    release_signals(lines);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    return result;
}

void webl_lines_remember(webl_lines *lines, const char *line, size_t length) {
    locale_t before = uselocale(unicode);
    wchar_t *text = wide(line, length);
    HistoryEvent event;
    if (text) p_history_w(lines->history, &event, HISTORY_ENTER, text);
    free(text);
    uselocale(before);
}

void webl_lines_close(webl_lines *lines) {
    if (!lines) return;
    if (lines->editor) p_el_end(lines->editor);
    if (lines->history) p_history_wend(lines->history);
    free(lines->prompt);
    free(lines->line);
    free(lines->listing);
    free(lines);
}
