#include "CIDNATables.h"
#include "tables.h"

#define SCALAR_MASK 0x1FFFFFu

// The index of the last start that is not above the scalar; the first start is 0.
static size_t range_index(const uint32_t *starts, size_t count, uint32_t scalar) {
    size_t low = 0, high = count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if ((starts[middle] & SCALAR_MASK) <= scalar) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static idna_scalar_run run_of(uint32_t reference) {
    return (idna_scalar_run){ .offset = (uint16_t)(reference >> 8), .count = (uint8_t)reference };
}

idna_mapping idna_mapping_of(uint32_t scalar) {
    size_t index = range_index(idna_mapping_starts, idna_mapping_starts_count, scalar);
    return (idna_mapping){
        .status = (idna_status)(idna_mapping_starts[index] >> 21),
        .mapping = run_of(idna_mapping_references[index]),
    };
}

uint16_t idna_properties_of(uint32_t scalar) {
    return idna_property_values[range_index(idna_property_starts, idna_property_starts_count, scalar)];
}

idna_scalar_run idna_decomposition_of(uint32_t scalar) {
    size_t index = range_index(idna_decomposition_keys, idna_decomposition_keys_count, scalar);
    return run_of(idna_decomposition_keys[index] == scalar ? idna_decomposition_references[index] : 0);
}

uint32_t idna_composition_of(uint32_t first, uint32_t second) {
    uint64_t key = (uint64_t)first << 32 | second;
    size_t low = 0, high = idna_composition_keys_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (idna_composition_keys[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < idna_composition_keys_count && idna_composition_keys[low] == key ? idna_composition_values[low] : 0;
}

uint32_t idna_scalar_at(uint32_t index) {
    return index < idna_scalars_count ? idna_scalars[index] : 0;
}
