/* The HTML parser's tables (generated) and its byte scanners. */
#ifndef WEBLOADER_CHTMLTABLES_H
#define WEBLOADER_CHTMLTABLES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Names: numbers (atoms) to text, and what the standard says of them. Index 0 is no name. */
extern const char webl_name_text[];
extern const unsigned short webl_name_offset[];
extern const unsigned char webl_name_length[];
extern const unsigned char webl_element_traits[];
extern const unsigned short webl_svg_element_adjusted[];
extern const unsigned short webl_svg_attribute_adjusted[];
extern const unsigned short webl_foreign_attribute[];

typedef struct {
    uint64_t low, high;
    uint32_t atom;
} webl_name_slot;

extern const unsigned short webl_name_displacement[256];
extern const webl_name_slot webl_name_slots[1024];

/* The atom of a lowercase name of at most 16 bytes, given as two little-endian words; 0 if unknown. */
static inline uint32_t webl_name_atom(uint64_t low, uint64_t high) {
    uint64_t mix = (low ^ (high * 0x9E3779B97F4A7C15u)) * 0xD6E8FEB86659FD93u;
    uint32_t index = ((uint32_t)(mix >> 40) & 1023) ^ webl_name_displacement[mix >> 56];
    const webl_name_slot *_Nonnull slot = &webl_name_slots[index];
    return slot->low == low && slot->high == high ? slot->atom : 0;
}

/* Named character references: a trie whose root is node 0. */
typedef struct {
    uint16_t first;  /* index of the first child */
    uint16_t value;  /* 1 + index of the value of the name that ends here, or 0 */
    uint8_t count;   /* number of children */
    uint8_t byte;
} webl_reference_node;

typedef struct {
    uint8_t length;
    uint8_t bytes[7];
} webl_reference_value;

extern const webl_reference_node webl_reference_nodes[];
extern const webl_reference_value webl_reference_values[];

/* The child of node for a byte, or 0. */
static inline uint32_t webl_reference_child(uint32_t node, uint8_t byte) {
    const webl_reference_node *_Nonnull parent = &webl_reference_nodes[node];
    for (uint32_t index = parent->first, end = index + parent->count; index < end; index++)
        if (webl_reference_nodes[index].byte == byte)
            return index;
    return 0;
}

/* Swift does not import arrays of unknown length. */
static inline const uint8_t *_Nonnull webl_name_bytes(uint32_t atom) {
    return (const uint8_t *)webl_name_text + webl_name_offset[atom];
}
static inline uint8_t webl_name_count(uint32_t atom) { return webl_name_length[atom]; }
static inline uint8_t webl_traits(uint32_t atom) { return webl_element_traits[atom]; }
static inline uint32_t webl_adjusted_svg_element(uint32_t atom) { return webl_svg_element_adjusted[atom]; }
static inline uint32_t webl_adjusted_svg_attribute(uint32_t atom) { return webl_svg_attribute_adjusted[atom]; }
static inline uint32_t webl_adjusted_foreign_attribute(uint32_t atom) { return webl_foreign_attribute[atom]; }
static inline uint32_t webl_reference_node_value(uint32_t node) { return webl_reference_nodes[node].value; }
static inline const uint8_t *_Nonnull webl_reference_bytes(uint32_t value) {
    return webl_reference_values[value].bytes;
}
static inline uint8_t webl_reference_count(uint32_t value) { return webl_reference_values[value].length; }

/* Scanners: the index at or after from of the first byte that is one of those named, or to. */

#if defined(__SSE2__)
#define WEBL_SCAN(name, vector_test, byte_test)                                                   \
    static inline size_t name(const uint8_t *_Nonnull bytes, size_t from, size_t to) {            \
        while (from + 16 <= to) {                                                                 \
            __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(bytes + from));           \
            unsigned mask = (unsigned)_mm_movemask_epi8(vector_test);                             \
            if (mask)                                                                             \
                return from + (size_t)__builtin_ctz(mask);                                        \
            from += 16;                                                                           \
        }                                                                                         \
        for (; from < to; from++) {                                                               \
            uint8_t c = bytes[from];                                                              \
            if (byte_test)                                                                        \
                return from;                                                                      \
        }                                                                                         \
        return to;                                                                                \
    }
#define WEBL_IS(byte) _mm_cmpeq_epi8(v, _mm_set1_epi8(byte))
#define WEBL_OR(a, b) _mm_or_si128(a, b)
#else
#define WEBL_SCAN(name, vector_test, byte_test)                                                   \
    static inline size_t name(const uint8_t *_Nonnull bytes, size_t from, size_t to) {            \
        for (; from < to; from++) {                                                               \
            uint8_t c = bytes[from];                                                              \
            if (byte_test)                                                                        \
                return from;                                                                      \
        }                                                                                         \
        return to;                                                                                \
    }
#endif

/* < & NUL CR: the data and RCDATA states */
WEBL_SCAN(webl_scan_data,
          WEBL_OR(WEBL_OR(WEBL_IS('<'), WEBL_IS('&')), WEBL_OR(WEBL_IS(0), WEBL_IS('\r'))),
          c == '<' || c == '&' || c == 0 || c == '\r')
/* < NUL CR: the RAWTEXT and script data states */
WEBL_SCAN(webl_scan_raw, WEBL_OR(WEBL_IS('<'), WEBL_OR(WEBL_IS(0), WEBL_IS('\r'))),
          c == '<' || c == 0 || c == '\r')
/* < - NUL CR: the script data escaped states */
WEBL_SCAN(webl_scan_escaped,
          WEBL_OR(WEBL_OR(WEBL_IS('<'), WEBL_IS('-')), WEBL_OR(WEBL_IS(0), WEBL_IS('\r'))),
          c == '<' || c == '-' || c == 0 || c == '\r')
/* NUL CR: the PLAINTEXT state */
WEBL_SCAN(webl_scan_plain, WEBL_OR(WEBL_IS(0), WEBL_IS('\r')), c == 0 || c == '\r')
/* ] NUL CR: the CDATA section state */
WEBL_SCAN(webl_scan_cdata, WEBL_OR(WEBL_IS(']'), WEBL_OR(WEBL_IS(0), WEBL_IS('\r'))),
          c == ']' || c == 0 || c == '\r')
/* - < > ! NUL CR: the comment state */
WEBL_SCAN(webl_scan_comment,
          WEBL_OR(WEBL_OR(WEBL_IS('-'), WEBL_IS('<')), WEBL_OR(WEBL_IS(0), WEBL_IS('\r'))),
          c == '-' || c == '<' || c == 0 || c == '\r')
/* > NUL CR: the bogus comment state */
WEBL_SCAN(webl_scan_bogus, WEBL_OR(WEBL_IS('>'), WEBL_OR(WEBL_IS(0), WEBL_IS('\r'))),
          c == '>' || c == 0 || c == '\r')
/* > ? NUL CR: the processing instruction data state */
WEBL_SCAN(webl_scan_instruction,
          WEBL_OR(WEBL_OR(WEBL_IS('>'), WEBL_IS('?')), WEBL_OR(WEBL_IS(0), WEBL_IS('\r'))),
          c == '>' || c == '?' || c == 0 || c == '\r')
/* " & NUL CR: the attribute value (double-quoted) state */
WEBL_SCAN(webl_scan_double_quoted,
          WEBL_OR(WEBL_OR(WEBL_IS('"'), WEBL_IS('&')), WEBL_OR(WEBL_IS(0), WEBL_IS('\r'))),
          c == '"' || c == '&' || c == 0 || c == '\r')
/* ' & NUL CR: the attribute value (single-quoted) state */
WEBL_SCAN(webl_scan_single_quoted,
          WEBL_OR(WEBL_OR(WEBL_IS('\''), WEBL_IS('&')), WEBL_OR(WEBL_IS(0), WEBL_IS('\r'))),
          c == '\'' || c == '&' || c == 0 || c == '\r')

/* A tag or attribute name: where it ends, and whether it has bytes that may not stay: uppercase letters, NUL. */
typedef struct {
    size_t end;
    uint32_t care;
} webl_name_extent;

static inline webl_name_extent webl_scan_name(const uint8_t *_Nonnull bytes, size_t from, size_t to, int attribute) {
    webl_name_extent extent = {from, 0};
#if defined(__SSE2__)
    while (extent.end + 16 <= to) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(bytes + extent.end));
        __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x20)), v);
        __m128i ends = WEBL_OR(WEBL_OR(low, WEBL_IS('>')), WEBL_IS('/'));
        if (attribute)
            ends = WEBL_OR(ends, WEBL_IS('='));
        __m128i upper = _mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8('A' - 1)),
                                      _mm_cmplt_epi8(v, _mm_set1_epi8('Z' + 1)));
        unsigned mask = (unsigned)_mm_movemask_epi8(ends);
        unsigned uppers = (unsigned)_mm_movemask_epi8(upper);
        if (mask) {
            unsigned index = (unsigned)__builtin_ctz(mask);
            extent.care |= uppers & ((1u << index) - 1);
            extent.end += index;
            break;
        }
        extent.care |= uppers;
        extent.end += 16;
    }
#endif
    for (; extent.end < to; extent.end++) {
        uint8_t c = bytes[extent.end];
        if (c == '>' || c == '/' || c == ' ' || c == '\n' || c == '\t' || c == '\f' || c == '\r' ||
            (c == '=' && attribute))
            break;
        if (c == 0 || (c >= 'A' && c <= 'Z'))
            extent.care = 1;
    }
    return extent;
}

/* A place in the text: lines end at LF, CR or CR LF; a column is counted in scalar values. Both from 1. */
typedef struct {
    uint64_t line, column;
} webl_position;

/* Moves a place over bytes[from ..< to]; a CR at the very end is not yet counted where the next byte is LF. */
static inline void webl_advance_bytewise(const uint8_t *_Nonnull bytes, size_t from, size_t to, size_t limit,
                                         webl_position *_Nonnull place) {
    for (; from < to; from++) {
        uint8_t c = bytes[from];
        if (c == '\n' || (c == '\r' && !(from + 1 < limit && bytes[from + 1] == '\n'))) {
            place->line++;
            place->column = 1;
        } else if ((c & 0xC0) != 0x80) {
            place->column++;
        }
    }
}

static inline void webl_advance(const uint8_t *_Nonnull bytes, size_t from, size_t to, size_t limit,
                                webl_position *_Nonnull place) {
#if defined(__SSE2__)
    while (from + 16 <= to) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(bytes + from));
        unsigned lines = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('\n')));
        unsigned returns = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('\r')));
        unsigned leads = (unsigned)_mm_movemask_epi8(_mm_cmpgt_epi8(v, _mm_set1_epi8(-65)));
        if (returns) {
            webl_advance_bytewise(bytes, from, from + 16, limit, place);
        } else if (lines) {
            unsigned last = 31u - (unsigned)__builtin_clz(lines);
            unsigned after = leads >> (last + 1);
            place->line += (uint64_t)__builtin_popcount(lines);
            place->column = 1 + (uint64_t)__builtin_popcount(after);
        } else {
            place->column += leads == 0xFFFF ? 16 : (uint64_t)__builtin_popcount(leads);
        }
        from += 16;
    }
    /* The rest, shorter than a vector: tags stand close together, so this is the usual case. */
    if (from < to && from + 16 <= limit) {
        unsigned valid = (1u << (to - from)) - 1;
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(bytes + from));
        unsigned lines = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('\n'))) & valid;
        unsigned returns = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('\r'))) & valid;
        unsigned leads = (unsigned)_mm_movemask_epi8(_mm_cmpgt_epi8(v, _mm_set1_epi8(-65))) & valid;
        if (!returns) {
            if (lines) {
                unsigned last = 31u - (unsigned)__builtin_clz(lines);
                place->line += (uint64_t)__builtin_popcount(lines);
                place->column = 1;
                leads >>= last + 1;
                valid >>= last + 1;
            }
            place->column += (uint64_t)__builtin_popcount(leads);
            return;
        }
    }
#endif
    webl_advance_bytewise(bytes, from, to, limit, place);
}

#endif
