/* What libxml2 alone takes for pages, from bytes to freed trees: parse ROUNDS FILE...
 *
 * Prints the median processor time of a round as JSON. Stands in for the shared program of the same purpose. */
#include <libxml/HTMLparser.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct page {
    char *bytes;
    long size;
};

static int read_page(const char *path, struct page *page) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    int is_read = fseek(file, 0, SEEK_END) == 0 && (page->size = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0 &&
                  (page->bytes = malloc(page->size + 1)) &&
                  fread(page->bytes, 1, page->size, file) == (size_t)page->size;
    fclose(file);
    return is_read;
}

static int by_value(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double processor_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void parse(const struct page *page) {
    xmlFreeDoc(htmlReadMemory(page->bytes, (int)page->size, NULL, "UTF-8",
                              HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET |
                                  HTML_PARSE_NODEFDTD));
}

int main(int count, char **arguments) {
    int rounds = count > 2 ? atoi(arguments[1]) : 0, pages = count - 2;
    if (rounds < 1) {
        fprintf(stderr, "usage: parse ROUNDS FILE...\n");
        return 2;
    }
    struct page *all = calloc(pages, sizeof *all);
    double *times = calloc(rounds, sizeof *times);
    long bytes = 0;
    for (int index = 0; index < pages; index++) {
        if (!read_page(arguments[index + 2], &all[index])) {
            perror(arguments[index + 2]);
            return 2;
        }
        bytes += all[index].size;
    }
    /* The first round warms the caches. */
    for (int round = -1; round < rounds; round++) {
        double start = processor_time();
        for (int index = 0; index < pages; index++)
            parse(&all[index]);
        if (round >= 0)
            times[round] = processor_time() - start;
    }
    qsort(times, rounds, sizeof *times, by_value);
    printf("{\"bytes\": %ld, \"median_cpu_s\": %.6f}\n", bytes, times[rounds / 2]);
    return 0;
}
