// Unicode data for UTS #46 processing: constant tables, looked up by binary search.
//
// Nothing here allocates, initialises or can fail; scalars go in and numbers come out, so that the Swift side
// handles no pointers. The tables are written by Scripts/generate-idna-tables.
#ifndef CIDNATABLES_H
#define CIDNATABLES_H

#include <stdint.h>

typedef enum : uint8_t {
    idna_status_valid = 0,
    idna_status_ignored = 1,
    idna_status_disallowed = 2,
    idna_status_mapped = 3,
} idna_status;

// A run of scalars, read with idna_scalar_at.
typedef struct {
    uint16_t offset;
    uint8_t count;
} idna_scalar_run;

// What UTS #46 (nontransitional, without STD3 rules) does with a code point.
typedef struct {
    idna_status status;
    idna_scalar_run mapping;
} idna_mapping;

idna_mapping idna_mapping_of(uint32_t scalar);

// Bits 0-7 canonical combining class, 8-11 bidi class, 12-14 joining type, 15 whether general category is Mark.
// Bidi class: L R AL AN EN ES CS ET ON BN NSM from 0, 11 for any other. Joining type: 0 other, 1 L, 2 R, 3 D, 4 T.
uint16_t idna_properties_of(uint32_t scalar);

// The full canonical decomposition; a count of 0 means that the scalar is its own. Not for Hangul syllables.
idna_scalar_run idna_decomposition_of(uint32_t scalar);

// The primary composite of two scalars, 0 if there is none. Not for Hangul.
uint32_t idna_composition_of(uint32_t first, uint32_t second);

// The scalar at an index of a run, 0 past the end of the table.
uint32_t idna_scalar_at(uint32_t index);

#endif
