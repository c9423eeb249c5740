internal import CEncodingTables

/// Finds the pointers that the standard's encoders use for a scalar value, each in constant time.
///
/// <https://encoding.spec.whatwg.org/#index-pointer>
enum ReverseIndex {
    /// "Index pointer" in index EUC-KR.
    static func eucKR(_ scalar: UInt32) -> UInt32? {
        pointer(
            scalar,
            bits: encoding_euc_kr_reverse_bits,
            ranks: encoding_euc_kr_reverse_ranks,
            pointers: encoding_euc_kr_reverse_pointers
        )
    }

    /// "Index pointer" in index gb18030.
    static func gb18030(_ scalar: UInt32) -> UInt32? {
        pointer(
            scalar,
            bits: encoding_gb18030_reverse_bits,
            ranks: encoding_gb18030_reverse_ranks,
            pointers: encoding_gb18030_reverse_pointers
        )
    }

    /// "Index pointer" in index jis0208.
    static func jis0208(_ scalar: UInt32) -> UInt32? {
        pointer(
            scalar,
            bits: encoding_jis0208_reverse_bits,
            ranks: encoding_jis0208_reverse_ranks,
            pointers: encoding_jis0208_reverse_pointers
        )
    }

    /// "Index Shift_JIS pointer", which leaves out a range of index jis0208.
    ///
    /// <https://encoding.spec.whatwg.org/#index-shift_jis-pointer>
    static func shiftJIS(_ scalar: UInt32) -> UInt32? {
        guard let pointer = jis0208(scalar) else { return nil }
        let first = UInt32(truncatingIfNeeded: ENCODING_SHIFT_JIS_EXCLUDED_FIRST)
        guard pointer >= first, pointer <= UInt32(truncatingIfNeeded: ENCODING_SHIFT_JIS_EXCLUDED_LAST) else {
            return pointer
        }
        let substitute = UInt32(encoding_shift_jis_substitutes(pointer &- first))
        return substitute != 0 ? substitute : nil
    }

    /// "Index Big5 pointer", which leaves out the Hong Kong characters at the index's start.
    ///
    /// <https://encoding.spec.whatwg.org/#index-big5-pointer>
    static func big5(_ scalar: UInt32) -> UInt32? {
        if scalar >> 16 == 2 { return big5Plane2(UInt16(truncatingIfNeeded: scalar)) }
        return pointer(
            scalar,
            bits: encoding_big5_reverse_bits,
            ranks: encoding_big5_reverse_ranks,
            pointers: encoding_big5_reverse_pointers
        )
    }

    /// The pointer of a scalar value in a single-byte encoding, by binary search among 128.
    static func singleByte(_ scalar: UInt32, _ encoding: TextEncoding) -> UInt8? {
        let offset = encoding.singleByteOffset
        var low: UInt32 = 0
        var high: UInt32 = 128
        while low < high {
            let middle = (low &+ high) / 2
            let pointer = encoding_single_byte_sorted(offset &+ middle)
            let found = UInt32(encoding_single_byte(offset &+ UInt32(pointer)))
            if found == scalar { return pointer }
            if found < scalar { low = middle &+ 1 } else { high = middle }
        }
        return nil
    }

    /// The pointer of the scalar value 0x20000 + `low`, by binary search.
    private static func big5Plane2(_ scalar: UInt16) -> UInt32? {
        var low: UInt32 = 0
        var high = UInt32(truncatingIfNeeded: ENCODING_BIG5_ASTRAL_COUNT)
        while low < high {
            let middle = (low &+ high) / 2
            let found = encoding_big5_astral_scalars(middle)
            if found == scalar { return UInt32(encoding_big5_astral_pointers(middle)) }
            if found < scalar { low = middle &+ 1 } else { high = middle }
        }
        return nil
    }

    /// Looks a scalar value up: its bit says whether it is there, the bits before it where its pointer is.
    @inline(__always)
    private static func pointer(
        _ scalar: UInt32,
        bits: (UInt32) -> UInt32,
        ranks: (UInt32) -> UInt16,
        pointers: (UInt32) -> UInt16
    ) -> UInt32? {
        let word = bits(scalar >> 5)
        let bit: UInt32 = 1 << (scalar & 31)
        guard word & bit != 0 else { return nil }
        let rank =
            UInt32(ranks(scalar >> 5)) &+ UInt32(truncatingIfNeeded: (word & (bit &- 1)).nonzeroBitCount)
        return UInt32(pointers(rank))
    }
}
