#include "CTreeWalk.h"

#include <libxml/HTMLparser.h>
#include <limits.h>
#include <string.h>

void *tree_walk_parse(const char *bytes, size_t count) {
    if (count > INT_MAX)
        return NULL;
    return htmlReadMemory(bytes, (int)count, NULL, "UTF-8",
                          HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET);
}

static const char *value(xmlNodePtr element, const char *name) {
    for (xmlAttrPtr attribute = element->properties; attribute; attribute = attribute->next)
        if (strcmp((const char *)attribute->name, name) == 0)
            return attribute->children ? (const char *)attribute->children->content : "";
    return NULL;
}

// The next node in document order.
static xmlNodePtr next(xmlNodePtr node) {
    if (node->type == XML_ELEMENT_NODE && node->children)
        return node->children;
    while (node && !node->next)
        node = node->parent;
    return node ? node->next : NULL;
}

size_t tree_walk_links(void *document) {
    size_t length = 0;
    for (xmlNodePtr node = xmlDocGetRootElement(document); node; node = next(node)) {
        if (node->type != XML_ELEMENT_NODE || strcmp((const char *)node->name, "a") != 0)
            continue;
        const char *href = value(node, "href");
        if (href)
            length += strlen(href);
    }
    return length;
}

static int has_word(const char *text, const char *word) {
    size_t count = strlen(word);
    for (const char *place = text; (place = strstr(place, word)); place += count) {
        char after = place[count];
        if ((place == text || strchr(" \t\n\f\r", place[-1])) && (!after || strchr(" \t\n\f\r", after)))
            return 1;
    }
    return 0;
}

size_t tree_walk_class(void *document, const char *word) {
    size_t count = 0;
    for (xmlNodePtr node = xmlDocGetRootElement(document); node; node = next(node)) {
        if (node->type != XML_ELEMENT_NODE)
            continue;
        const char *text = value(node, "class");
        count += text && has_word(text, word);
    }
    return count;
}
