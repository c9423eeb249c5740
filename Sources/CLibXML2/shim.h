/* What Swift sees of libxml2. Macros and mutable globals do not import, so they are wrapped here. */
#ifndef WEBLOADER_CLIBXML2_SHIM_H
#define WEBLOADER_CLIBXML2_SHIM_H

/* libxml2's encoding.h would pull in ICU's headers, which clash with the ICU inside Foundation. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>
#include <libxml/HTMLtree.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlsave.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What it was built with. */
static inline const char *webl_libxml2_version(void) { return LIBXML_DOTTED_VERSION; }

/* xmlFree is a variable holding a function pointer. */
static inline void webl_xmlFree(void *pointer) { xmlFree(pointer); }

/* Some of libxml2's functions report to stderr, unless somebody else takes what they say; for this thread and new ones. */
static inline void webl_discard_message(void *context, const char *message, ...) {
    (void)context;
    (void)message;
}
static inline void webl_silence(void) {
    xmlThrDefSetGenericErrorFunc(NULL, webl_discard_message);
    xmlSetGenericErrorFunc(NULL, webl_discard_message);
}

/* The memory of a tree of the HTML parser (Parsing), which fills nodes by hand and frees all of them at once: docs/decisions/0002.
   It is taken from a few large pieces, in the order of the page, and belongs to the document, whose _private holds this.
   libxml2 may read such a tree; it must not change, grow or free what is in it. */
struct webl_arena {
    unsigned char *place; /* where the next is taken from */
    size_t left;          /* bytes left there */
    size_t piece_size;    /* bytes of the newest piece */
    struct webl_piece *pieces;
    struct webl_large *large;
};
struct webl_piece {
    struct webl_piece *next;
};
/* Something large has memory of its own, and can grow. */
struct webl_large {
    struct webl_large *next, *previous;
};

#define WEBL_FIRST_PIECE 4096
#define WEBL_LARGEST_PIECE 65536
#define WEBL_LARGE 4096

static inline struct webl_arena *webl_arena_of(xmlDocPtr document) { return (struct webl_arena *)document->_private; }

/* Gives a new document an arena; 0 without memory. */
static inline int webl_begin_tree(xmlDocPtr document) {
    struct webl_arena *arena = (struct webl_arena *)xmlMalloc(sizeof(struct webl_arena));
    if (!arena)
        return 0;
    memset(arena, 0, sizeof(struct webl_arena));
    arena->piece_size = WEBL_FIRST_PIECE / 2;
    document->_private = arena;
    return 1;
}

/* Frees a document, with all that its arena has, be it in the tree or beside it. */
static inline void webl_free_tree(xmlDocPtr document) {
    struct webl_arena *arena = webl_arena_of(document);
    if (!arena) {
        xmlFreeDoc(document);
        return;
    }
    /* The nodes are not libxml2's to free; a DOCTYPE among them is, and it looks at its neighbours. */
    document->children = document->last = NULL;
    xmlFreeDoc(document);
    for (struct webl_piece *piece = arena->pieces, *next; piece; piece = next) {
        next = piece->next;
        xmlFree(piece);
    }
    for (struct webl_large *large = arena->large, *next; large; large = next) {
        next = large->next;
        xmlFree(large);
    }
    xmlFree(arena);
}

static inline void *webl_link_large(struct webl_arena *arena, struct webl_large *large) {
    large->next = arena->large;
    large->previous = NULL;
    if (arena->large)
        arena->large->previous = large;
    arena->large = large;
    return large + 1;
}

/* What does not go into the newest piece. */
__attribute__((noinline)) static void *webl_take_more(struct webl_arena *arena, size_t size) {
    if (size > WEBL_LARGE) {
        struct webl_large *large = (struct webl_large *)xmlMalloc(sizeof(struct webl_large) + size);
        return large ? webl_link_large(arena, large) : NULL;
    }
    size_t piece_size = arena->piece_size < WEBL_LARGEST_PIECE ? arena->piece_size * 2 : WEBL_LARGEST_PIECE;
    struct webl_piece *piece = (struct webl_piece *)xmlMalloc(sizeof(struct webl_piece) + WEBL_LARGE + piece_size);
    if (!piece)
        return NULL;
    piece->next = arena->pieces;
    arena->pieces = piece;
    arena->piece_size = piece_size;
    arena->place = (unsigned char *)(piece + 1) + size;
    arena->left = WEBL_LARGE + piece_size - size;
    return piece + 1;
}

/* Memory for a part of a tree, which is not cleared; NULL if there is none. */
static inline void *webl_take(struct webl_arena *arena, size_t size) {
    size = (size + 7) & ~(size_t)7;
    if (size > arena->left || size > WEBL_LARGE)
        return webl_take_more(arena, size);
    void *taken = arena->place;
    arena->place += size;
    arena->left -= size;
    return taken;
}

/* A copy of some bytes with a NUL behind them, which belongs to the tree; NULL without memory. */
static inline xmlChar *webl_take_copy(xmlDocPtr document, const unsigned char *bytes, size_t count) {
    xmlChar *copy = (xmlChar *)webl_take(webl_arena_of(document), count + 1);
    if (!copy)
        return NULL;
    memcpy(copy, bytes, count);
    copy[count] = 0;
    return copy;
}

/* The names that libxml2 compares by address when it frees. */
static inline const xmlChar *webl_text_name(void) { return xmlStringText; }
static inline const xmlChar *webl_comment_name(void) { return xmlStringComment; }

/* A node of no parent, or NULL without memory. The name belongs to the document or is one of those above. */
static inline xmlNodePtr webl_make_node(xmlElementType type, const xmlChar *name, xmlDocPtr document,
                                        uint64_t position, unsigned short line) {
    xmlNodePtr node = (xmlNodePtr)webl_take(webl_arena_of(document), sizeof(xmlNode));
    if (!node)
        return NULL;
    memset(node, 0, sizeof(xmlNode));
    node->_private = (void *)(uintptr_t)position;
    node->type = type;
    node->name = name;
    node->doc = document;
    node->line = line;
    return node;
}

/* libxml2 lets a short text stand inside its node, where an element has its attributes, and tells it by the address.
   Ours may go on to the end of the node and beyond, up to this many bytes: one allocation instead of two. So psvi, line
   and extra mean nothing in a text node; libxml2 itself looks at none of them. */
#define WEBL_INSIDE_LIMIT 256
#define WEBL_INSIDE_OFFSET offsetof(xmlNode, properties)

/* The bytes that there is room for inside a text node that was made with count bytes, or 0 if its text is outside. */
static inline size_t webl_inside_capacity(size_t count) {
    if (count >= WEBL_INSIDE_LIMIT)
        return 0;
    size_t least = sizeof(xmlNode) - WEBL_INSIDE_OFFSET;
    return count + 1 > least ? count + 1 : least;
}

/* Copies fewer than 16 bytes: most texts and values are that short, and a call takes longer. */
static inline void webl_copy_short(unsigned char *to, const unsigned char *from, size_t count) {
    if (count >= 8) {
        memcpy(to, from, 8);
        memcpy(to + count - 8, from + count - 8, 8);
    } else if (count >= 4) {
        memcpy(to, from, 4);
        memcpy(to + count - 4, from + count - 4, 4);
    } else {
        for (size_t index = 0; index < count; index++)
            to[index] = from[index];
    }
}

/* A text node of a copy of the bytes, or NULL without memory. */
static inline xmlNodePtr webl_make_text(const unsigned char *bytes, size_t count, xmlDocPtr document) {
    struct webl_arena *arena = webl_arena_of(document);
    size_t inside = webl_inside_capacity(count);
    xmlNodePtr node = (xmlNodePtr)webl_take(arena, inside ? WEBL_INSIDE_OFFSET + inside : sizeof(xmlNode));
    if (!node)
        return NULL;
    memset(node, 0, sizeof(xmlNode));
    node->type = XML_TEXT_NODE;
    node->name = xmlStringText;
    node->doc = document;
    if (count < 16) {
        node->content = (xmlChar *)&node->properties;
        webl_copy_short(node->content, bytes, count);
        return node;
    }
    node->content = inside ? (xmlChar *)&node->properties : (xmlChar *)webl_take(arena, count + 1);
    if (!node->content)
        return NULL;
    memcpy(node->content, bytes, count);
    node->content[count] = 0;
    return node;
}

/* Whether a text stands inside its node. */
static inline int webl_text_is_inside(xmlNodePtr node) { return node->content == (xmlChar *)&node->properties; }

/* Gives a text of count bytes that stands in room bytes more room; 0 without memory. What it leaves stays with the tree. */
static inline int webl_grow_text(xmlNodePtr node, size_t count, size_t room, size_t new_room) {
    struct webl_arena *arena = webl_arena_of(node->doc);
    int is_inside = webl_text_is_inside(node);
    xmlChar *content = NULL;
    if (!is_inside && room > WEBL_LARGE) {
        struct webl_large *large = (struct webl_large *)(void *)node->content - 1;
        struct webl_large *next = large->next, *previous = large->previous;
        struct webl_large *grown = (struct webl_large *)xmlRealloc(large, sizeof(struct webl_large) + new_room);
        if (!grown)
            return 0;
        if (next)
            next->previous = grown;
        if (previous)
            previous->next = grown;
        else
            arena->large = grown;
        content = (xmlChar *)(grown + 1);
    } else {
        content = (xmlChar *)webl_take(arena, new_room);
        if (!content)
            return 0;
        memcpy(content, node->content, count);
    }
    if (is_inside)
        memset((char *)node + WEBL_INSIDE_OFFSET, 0, sizeof(xmlNode) - WEBL_INSIDE_OFFSET);
    node->content = content;
    return 1;
}

/* Appends an attribute to an element, last being the attribute before it; NULL without memory. */
static inline xmlAttrPtr webl_append_attribute(xmlNodePtr element, xmlAttrPtr last, const xmlChar *name, xmlNsPtr ns,
                                               const unsigned char *bytes, size_t count) {
    xmlAttrPtr attribute = (xmlAttrPtr)webl_take(webl_arena_of(element->doc), sizeof(xmlAttr));
    if (!attribute)
        return NULL;
    memset(attribute, 0, sizeof(xmlAttr));
    if (count > 0) { /* an empty value needs no text: libxml2 reads it as "" all the same */
        xmlNodePtr text = webl_make_text(bytes, count, element->doc);
        if (!text)
            return NULL;
        attribute->children = attribute->last = text;
        text->parent = (xmlNodePtr)attribute;
    }
    attribute->type = XML_ATTRIBUTE_NODE;
    attribute->name = name;
    attribute->parent = element;
    attribute->doc = element->doc;
    attribute->ns = ns;
    attribute->prev = last;
    if (last)
        last->next = attribute;
    else
        element->properties = attribute;
    return attribute;
}

/* Declares a namespace on an element that has none, without a prefix; 0 without memory. */
static inline int webl_declare_namespace(xmlNodePtr element, const char *uri) {
    xmlNsPtr declaration = (xmlNsPtr)webl_take(webl_arena_of(element->doc), sizeof(xmlNs));
    xmlChar *href = webl_take_copy(element->doc, (const unsigned char *)uri, strlen(uri));
    if (!declaration || !href)
        return 0;
    memset(declaration, 0, sizeof(xmlNs));
    declaration->type = XML_LOCAL_NAMESPACE;
    declaration->href = href;
    element->nsDef = declaration;
    return 1;
}

#endif
