// The generated tables, private to this target. Arrays of one name's prefix run in parallel.
#ifndef CIDNATABLES_TABLES_H
#define CIDNATABLES_TABLES_H

#include <stddef.h>
#include <stdint.h>

// Ranges of the UTS #46 mapping table: first code point in the low 21 bits, status above. Status: 0 valid,
// 1 ignored, 2 disallowed, 3 mapped. A reference is offset << 8 | count into idna_scalars.
extern const uint32_t idna_mapping_starts[];
extern const uint32_t idna_mapping_references[];
extern const size_t idna_mapping_starts_count;

// Ranges of equal properties: combining class, bidi class << 8, joining type << 12, mark << 15.
extern const uint32_t idna_property_starts[];
extern const uint16_t idna_property_values[];
extern const size_t idna_property_starts_count;

// Full canonical decompositions, without those of Hangul syllables.
extern const uint32_t idna_decomposition_keys[];
extern const uint32_t idna_decomposition_references[];
extern const size_t idna_decomposition_keys_count;

// Primary composites, without Hangul syllables: first << 32 | second.
extern const uint64_t idna_composition_keys[];
extern const uint32_t idna_composition_values[];
extern const size_t idna_composition_keys_count;

extern const uint32_t idna_scalars[];
extern const size_t idna_scalars_count;

#endif
