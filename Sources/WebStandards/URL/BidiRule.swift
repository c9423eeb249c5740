/// The Bidi Rule of RFC 5893, section 2.
///
/// <https://www.rfc-editor.org/rfc/rfc5893#section-2>
enum BidiRule {
    private typealias Class = ScalarProperties.BidiClass

    /// Whether a label makes its domain a Bidi domain name.
    static func makesBidiDomain(_ label: ArraySlice<UInt32>) -> Bool {
        label.contains { scalar in
            switch ScalarProperties(of: scalar).bidiClass {
            case .rightToLeft, .arabicLetter, .arabicNumber: true
            default: false
            }
        }
    }

    /// Whether a label of a Bidi domain name satisfies the six conditions; an empty one has nothing to violate.
    static func isSatisfied(by label: ArraySlice<UInt32>) -> Bool {
        guard let first = label.first else { return true }
        // 1.
        switch ScalarProperties(of: first).bidiClass {
        case .rightToLeft, .arabicLetter: return isValidRightToLeft(label)
        case .leftToRight: return isValidLeftToRight(label)
        default: return false
        }
    }

    private static func isValidRightToLeft(_ label: ArraySlice<UInt32>) -> Bool {
        var last: Class = .other
        var hasEuropeanNumber = false
        var hasArabicNumber = false
        for scalar in label {
            let bidiClass = ScalarProperties(of: scalar).bidiClass
            // 2.
            switch bidiClass {
            case .leftToRight, .other: return false
            case .europeanNumber: hasEuropeanNumber = true
            case .arabicNumber: hasArabicNumber = true
            default: break
            }
            if bidiClass != .nonspacingMark { last = bidiClass }
        }
        // 3. and 4.
        switch last {
        case .rightToLeft, .arabicLetter, .europeanNumber, .arabicNumber:
            return !(hasEuropeanNumber && hasArabicNumber)
        default:
            return false
        }
    }

    private static func isValidLeftToRight(_ label: ArraySlice<UInt32>) -> Bool {
        var last: Class = .other
        for scalar in label {
            let bidiClass = ScalarProperties(of: scalar).bidiClass
            // 5.
            switch bidiClass {
            case .rightToLeft, .arabicLetter, .arabicNumber, .other: return false
            default: break
            }
            if bidiClass != .nonspacingMark { last = bidiClass }
        }
        // 6.
        return last == .leftToRight || last == .europeanNumber
    }
}
