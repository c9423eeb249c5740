import CIDNATables

/// The properties of a code point that UTS #46 and normalization need.
package struct ScalarProperties {
    private let bits: UInt16

    package init(of scalar: UInt32) {
        bits = idna_properties_of(scalar)
    }

    /// Canonical_Combining_Class.
    var combiningClass: UInt8 { UInt8(truncatingIfNeeded: bits) }

    var isVirama: Bool { combiningClass == 9 }

    /// Whether General_Category is Mark.
    var isMark: Bool { bits >> 15 != 0 }

    package var bidiClass: BidiClass {
        BidiClass(rawValue: UInt8(truncatingIfNeeded: bits >> 8 & 0xF)) ?? .other
    }

    var joiningType: JoiningType {
        JoiningType(rawValue: UInt8(truncatingIfNeeded: bits >> 12 & 0x7)) ?? .other
    }

    /// Bidi_Class, as far as RFC 5893 distinguishes classes; the numbers are those of CIDNATables.h.
    package enum BidiClass: UInt8 {
        case leftToRight, rightToLeft, arabicLetter, arabicNumber, europeanNumber, europeanSeparator
        case commonSeparator, europeanTerminator, otherNeutral, boundaryNeutral, nonspacingMark, other
    }

    /// Joining_Type, as far as RFC 5892 distinguishes types; the numbers are those of CIDNATables.h.
    enum JoiningType: UInt8 {
        case other, left, right, dual, transparent
    }
}
