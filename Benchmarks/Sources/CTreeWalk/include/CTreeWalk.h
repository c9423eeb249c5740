// Walks of libxml2 trees, as one writes them by hand: what selecting is compared with.
#ifndef CTREEWALK_H
#define CTREEWALK_H

#include <stddef.h>

// A tree that libxml2's own HTML parser has made; NULL without memory. Never freed.
void *tree_walk_parse(const char *bytes, size_t count);

// The total length of the href attributes of all a elements.
size_t tree_walk_links(void *document);

// How many elements have a class that is this word.
size_t tree_walk_class(void *document, const char *word);

// Parses a page, evaluates XPath expressions on it one after the other, takes the texts of all their nodes or of the
// first, and frees it all; the texts' total length.
size_t tree_walk_rules(const char *bytes, size_t count, const char *const *expressions, const int *are_lists,
                       size_t rules);

#endif
