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

/* For the HTML parser (Parsing), which fills nodes by hand. xmlMalloc and xmlRealloc are variables too. */
static inline void *webl_xmlMalloc(size_t size) { return xmlMalloc(size); }
static inline void *webl_xmlRealloc(void *pointer, size_t size) { return xmlRealloc(pointer, size); }

/* The names that libxml2 compares by address when it frees. */
static inline const xmlChar *webl_text_name(void) { return xmlStringText; }
static inline const xmlChar *webl_comment_name(void) { return xmlStringComment; }

/* A node of no parent, or NULL without memory. The name belongs to the document's dictionary or is one of those above. */
static inline xmlNodePtr webl_make_node(xmlElementType type, const xmlChar *name, xmlDocPtr document,
                                        uint64_t position, unsigned short line) {
    xmlNodePtr node = (xmlNodePtr)xmlMalloc(sizeof(xmlNode));
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
    size_t inside = webl_inside_capacity(count);
    xmlNodePtr node = (xmlNodePtr)xmlMalloc(inside ? WEBL_INSIDE_OFFSET + inside : sizeof(xmlNode));
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
    node->content = inside ? (xmlChar *)&node->properties : (xmlChar *)xmlMalloc(count + 1);
    if (!node->content) {
        xmlFree(node);
        return NULL;
    }
    memcpy(node->content, bytes, count);
    node->content[count] = 0;
    return node;
}

/* Whether a text stands inside its node. */
static inline int webl_text_is_inside(xmlNodePtr node) { return node->content == (xmlChar *)&node->properties; }

/* Gives a text that stood inside its node a place of its own, of count bytes at first; 0 without memory. */
static inline int webl_move_text_outside(xmlNodePtr node, size_t count, size_t capacity) {
    xmlChar *content = (xmlChar *)xmlMalloc(capacity);
    if (!content)
        return 0;
    memcpy(content, node->content, count);
    memset((char *)node + WEBL_INSIDE_OFFSET, 0, sizeof(xmlNode) - WEBL_INSIDE_OFFSET);
    node->content = content;
    return 1;
}

/* Appends an attribute to an element, last being the attribute before it; NULL without memory. */
static inline xmlAttrPtr webl_append_attribute(xmlNodePtr element, xmlAttrPtr last, const xmlChar *name, xmlNsPtr ns,
                                               const unsigned char *bytes, size_t count) {
    xmlAttrPtr attribute = (xmlAttrPtr)xmlMalloc(sizeof(xmlAttr));
    if (!attribute)
        return NULL;
    memset(attribute, 0, sizeof(xmlAttr));
    if (count > 0) { /* an empty value needs no text: libxml2 reads it as "" all the same */
        xmlNodePtr text = webl_make_text(bytes, count, element->doc);
        if (!text) {
            xmlFree(attribute);
            return NULL;
        }
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

#endif
