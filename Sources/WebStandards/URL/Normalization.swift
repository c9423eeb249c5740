import CIDNATables

/// Unicode Normalization Form C.
///
/// <https://www.unicode.org/reports/tr15/>
enum Normalization {
    /// The code points in NFC.
    ///
    /// - Complexity: O(*n* log *n*), for any number of consecutive marks.
    static func nfc(_ scalars: [UInt32]) -> [UInt32] {
        // Text below U+0300 is always in NFC: it is composed, and does not combine with its neighbours.
        guard scalars.contains(where: { $0 >= 0x300 }) else { return scalars }
        var (decomposed, classes) = decompose(scalars)
        reorder(&decomposed, &classes)
        return compose(decomposed, classes)
    }

    // MARK: Decomposition

    private static func decompose(_ scalars: [UInt32]) -> ([UInt32], [UInt8]) {
        var result: [UInt32] = []
        result.reserveCapacity(scalars.count)
        for scalar in scalars {
            if let syllable = Hangul.syllableIndex(scalar) {
                Hangul.decompose(syllable, into: &result)
                continue
            }
            let run = idna_decomposition_of(scalar)
            if run.count == 0 {
                result.append(scalar)
            }
            for index in 0..<UInt32(run.count) {
                result.append(idna_scalar_at(UInt32(run.offset) &+ index))
            }
        }
        return (result, result.map { ScalarProperties(of: $0).combiningClass })
    }

    /// Canonical ordering: sorts each run of non-starters by class, keeping the order of equal ones.
    private static func reorder(_ scalars: inout [UInt32], _ classes: inout [UInt8]) {
        var start = 0
        while start < scalars.count {
            guard classes[start] != 0 else {
                start += 1
                continue
            }
            var end = start
            var isSorted = true
            while end < scalars.count, classes[end] != 0 {
                if end > start, classes[end - 1] > classes[end] { isSorted = false }
                end += 1
            }
            if !isSorted {
                let order = (start..<end).sorted { (classes[$0], $0) < (classes[$1], $1) }
                let (oldScalars, oldClasses) = (order.map { scalars[$0] }, order.map { classes[$0] })
                scalars.replaceSubrange(start..<end, with: oldScalars)
                classes.replaceSubrange(start..<end, with: oldClasses)
            }
            start = end
        }
    }

    // MARK: Composition

    private static func compose(_ scalars: [UInt32], _ classes: [UInt8]) -> [UInt32] {
        var result: [UInt32] = []
        result.reserveCapacity(scalars.count)
        var starter: Int?
        var lastClass: UInt8 = 0
        for (scalar, combiningClass) in zip(scalars, classes) {
            // Blocked if a code point in between is a starter or has no lower class.
            if let index = starter,
                index == result.count - 1 || (lastClass != 0 && lastClass < combiningClass),
                let composite = composite(result[index], scalar)
            {
                result[index] = composite
                continue
            }
            if combiningClass == 0 {
                starter = result.count
            }
            lastClass = combiningClass
            result.append(scalar)
        }
        return result
    }

    private static func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
        if let syllable = Hangul.compose(first, second) { return syllable }
        let composite = idna_composition_of(first, second)
        return composite == 0 ? nil : composite
    }
}

/// The arithmetic of Hangul syllables, section 3.12 of the Unicode Standard.
private enum Hangul {
    private static let syllableBase: UInt32 = 0xAC00
    private static let leadingBase: UInt32 = 0x1100
    private static let vowelBase: UInt32 = 0x1161
    private static let trailingBase: UInt32 = 0x11A7
    private static let leadingCount: UInt32 = 19
    private static let vowelCount: UInt32 = 21
    private static let trailingCount: UInt32 = 28

    static func syllableIndex(_ scalar: UInt32) -> UInt32? {
        let index = scalar &- syllableBase
        return index < leadingCount &* vowelCount &* trailingCount ? index : nil
    }

    static func decompose(_ syllable: UInt32, into result: inout [UInt32]) {
        result.append(leadingBase &+ syllable / (vowelCount &* trailingCount))
        result.append(vowelBase &+ syllable / trailingCount % vowelCount)
        if syllable % trailingCount != 0 {
            result.append(trailingBase &+ syllable % trailingCount)
        }
    }

    static func compose(_ first: UInt32, _ second: UInt32) -> UInt32? {
        let leading = first &- leadingBase
        let vowel = second &- vowelBase
        if leading < leadingCount, vowel < vowelCount {
            return syllableBase &+ (leading &* vowelCount &+ vowel) &* trailingCount
        }
        let trailing = second &- trailingBase
        guard let syllable = syllableIndex(first), syllable % trailingCount == 0, trailing > 0,
            trailing < trailingCount
        else { return nil }
        return first &+ trailing
    }
}
