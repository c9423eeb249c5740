/* The folder of a browser: its profile, its home, its temporary files. */
#define _GNU_SOURCE
#include "browser.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The file whose lock says that a folder is in use, and which says that it is one of ours. */
static const char lock_name[] = ".webinspect-browser";
static const char prefix[] = "webinspect-browser-";
static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";

enum {
    RANDOM = 6,
    /* What takes longer is left to the next sweep. */
    REMOVAL_SECONDS = 10,
};

/* Writes a number's digits, and returns where they end. */
static char *write_number(char *place, unsigned long number, unsigned base) {
    char digits[24];
    int count = 0;
    do
        digits[count++] = "0123456789abcdef"[number % base];
    while (number /= base);
    while (count)
        *place++ = digits[--count];
    *place = 0;
    return place;
}

/* MARK: Removing */

struct removal {
    int top;
    dev_t device;
    unsigned long moved; /* for new names */
    unsigned long done;  /* how much was removed or moved */
    unsigned long seen;  /* how many names the top had when it was read last */
    long deadline;
};

static long seconds(void) {
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)now.tv_sec;
}

/* A folder in another one, not by way of a link and on the same device, made accessible to its owner; -1 otherwise. */
static int open_folder(int parent, const char *name, dev_t device) {
    int path = openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (path < 0)
        return -1;
    int folder = -1;
    struct stat status;
    if (!fstat(path, &status) && status.st_dev == device) {
        if ((status.st_mode & S_IRWXU) != S_IRWXU) {
            /* Only so is the mode of what such a descriptor stands for changed: its name may be a link's by now. */
            char own[40] = "/proc/self/fd/";
            write_number(own + strlen(own), (unsigned long)path, 10);
            fchmodat(AT_FDCWD, own, S_IRWXU, 0);
        }
        folder = openat(path, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    }
    close(path);
    return folder;
}

/* Moves a folder up to the top, where its turn will come: so it does not matter how deep folders are. */
static void move_up(struct removal *removal, int parent, const char *name) {
    /* Whoever moves a folder must be allowed to write to it, too. */
    int folder = open_folder(parent, name, removal->device);
    if (folder < 0)
        return;
    close(folder);
    for (int attempt = 0; attempt < 100; attempt++) {
        char new[40] = "moved-";
        write_number(new + strlen(new), removal->moved++, 16);
        if (!renameat(parent, name, removal->top, new)) {
            removal->done++;
            return;
        }
        /* Something may have that name. */
        if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR)
            return;
    }
}

static void empty(struct removal *removal, int folder);

static void remove_entry(struct removal *removal, int folder, const char *name) {
    if (!unlinkat(folder, name, 0)) {
        removal->done++;
        return;
    }
    if (errno != EISDIR)
        return;
    if (folder != removal->top) {
        move_up(removal, folder, name);
        return;
    }
    int inner = open_folder(folder, name, removal->device);
    if (inner < 0)
        return;
    empty(removal, inner);
    close(inner);
    if (!unlinkat(folder, name, AT_REMOVEDIR))
        removal->done++;
}

/* Reads a folder once, and removes what can be; it calls itself for those at the top only. */
static void empty(struct removal *removal, int folder) {
    int is_top = folder == removal->top;
    _Alignas(struct webl_browser_entry) char buffer[4096];
    long count;
    while ((count = syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0 && seconds() <= removal->deadline) {
        for (long offset = 0; offset < count;) {
            const struct webl_browser_entry *entry = (const void *)(buffer + offset);
            offset += entry->length;
            if (!strcmp(entry->name, ".") || !strcmp(entry->name, ".."))
                continue;
            /* Until all else is gone, the folder says what it is. */
            if (is_top && !strcmp(entry->name, lock_name))
                continue;
            if (is_top)
                removal->seen++;
            remove_entry(removal, folder, entry->name);
        }
    }
}

void webl_browser_folder_remove(const struct webl_browser_folder *folder) {
    struct stat status;
    if (fstat(folder->folder, &status))
        return;
    fchmod(folder->folder, S_IRWXU);
    struct removal removal = {.top = folder->folder, .device = status.st_dev, .deadline = seconds() + REMOVAL_SECONDS};
    unsigned long before;
    do {
        before = removal.done;
        removal.seen = 0;
        lseek(folder->folder, 0, SEEK_SET);
        empty(&removal, folder->folder);
    } while (removal.seen && removal.done != before && seconds() <= removal.deadline);
    if (removal.seen)
        return;
    unlinkat(folder->folder, lock_name, 0);
    unlinkat(folder->place, folder->name, AT_REMOVEDIR);
}

void webl_browser_folder_close(const struct webl_browser_folder *folder) {
    close(folder->lock);
    close(folder->folder);
    close(folder->place);
}

/* MARK: Making */

/* Whether a descriptor is of something of this user's own, and of that kind. */
static int is_own(int descriptor, mode_t kind) {
    struct stat status;
    return !fstat(descriptor, &status) && status.st_uid == geteuid() && (status.st_mode & S_IFMT) == kind &&
        status.st_nlink > 0;
}

/* Makes a folder of that name and locks it; EAGAIN if somebody sweeping has been quicker. */
static int make(struct webl_browser_folder *folder) {
    if (mkdirat(folder->place, folder->name, S_IRWXU))
        return errno == EEXIST ? EAGAIN : errno;
    folder->folder = openat(folder->place, folder->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder->folder < 0)
        return errno == ENOENT ? EAGAIN : errno;
    if (!is_own(folder->folder, S_IFDIR))
        return EAGAIN;
    /* Whatever the mask says that takes rights away. */
    if (fchmod(folder->folder, S_IRWXU))
        return errno;
    folder->lock =
        openat(folder->folder, lock_name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (folder->lock < 0)
        return errno == ENOENT ? EAGAIN : errno;
    /* Where there are no locks nobody sweeping gets one either. */
    if (flock(folder->lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return EAGAIN;
    return is_own(folder->lock, S_IFREG) ? 0 : EAGAIN;
}

static void close_one(int *descriptor) {
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

int webl_browser_folder_make(const char *place, struct webl_browser_folder *folder) {
    *folder = (struct webl_browser_folder){.folder = -1, .lock = -1};
    folder->place = open(place, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder->place < 0)
        return errno;
    int code = EAGAIN;
    for (int attempt = 0; attempt < 100 && code == EAGAIN; attempt++) {
        unsigned char random[RANDOM];
        if (getrandom(random, sizeof random, 0) != sizeof random) {
            code = EIO;
            break;
        }
        memcpy(folder->name, prefix, sizeof prefix);
        char *end = write_number(folder->name + strlen(prefix), (unsigned long)getpid(), 10);
        *end++ = '-';
        for (int index = 0; index < RANDOM; index++)
            *end++ = letters[random[index] % (sizeof letters - 1)];
        *end = 0;
        code = make(folder);
        if (code) {
            close_one(&folder->lock);
            close_one(&folder->folder);
        }
    }
    if (code)
        close_one(&folder->place);
    return code;
}

/* MARK: Sweeping */

/* Whether a name is one that is made here. */
static int is_name(const char *name) {
    if (strncmp(name, prefix, strlen(prefix)))
        return 0;
    name += strlen(prefix);
    size_t digits = strspn(name, "0123456789");
    return digits > 0 && digits < 11 && name[digits] == '-' && strlen(name + digits + 1) == RANDOM &&
        strspn(name + digits + 1, letters) == RANDOM;
}

static void sweep_one(int place, const char *name) {
    struct webl_browser_folder folder = {.place = place, .lock = -1};
    folder.folder = openat(place, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder.folder < 0)
        return;
    if (is_own(folder.folder, S_IFDIR)) {
        strcpy(folder.name, name);
        folder.lock = openat(folder.folder, lock_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (folder.lock < 0) {
            /* Whoever made it has not come further, or the last one to remove it; it goes only if nothing is in it. */
            if (errno == ENOENT)
                unlinkat(place, name, AT_REMOVEDIR);
        } else if (!flock(folder.lock, LOCK_EX | LOCK_NB) && is_own(folder.lock, S_IFREG)) {
            webl_browser_folder_remove(&folder);
        }
    }
    close_one(&folder.lock);
    close_one(&folder.folder);
}

void webl_browser_sweep(const char *path) {
    int place = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (place < 0)
        return;
    _Alignas(struct webl_browser_entry) char buffer[16384];
    long count;
    while ((count = syscall(SYS_getdents64, place, buffer, sizeof buffer)) > 0) {
        for (long offset = 0; offset < count;) {
            const struct webl_browser_entry *entry = (const void *)(buffer + offset);
            offset += entry->length;
            if (is_name(entry->name))
                sweep_one(place, entry->name);
        }
    }
    close(place);
}
