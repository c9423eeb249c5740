extension PageDifference {
    /// The difference up to which two numbers count as the same.
    public enum Tolerance: Hashable, Sendable {
        /// An absolute difference.
        case absolute(Double)
        /// A fraction of the larger number, as in 0.05.
        case relative(Double)

        /// Parses a tolerance, as in "0.5" and "5%"; `nil` for any other text.
        package init?(_ text: String) {
            let isPart = text.hasSuffix("%")
            let digits = isPart ? String(text.dropLast()) : text
            guard digits.utf8.allSatisfy({ $0.isASCIIDigit || "+-.eE".utf8.contains($0) }),
                let number = Double(digits), number >= 0, number.isFinite
            else { return nil }
            self = isPart ? .relative(number / 100) : .absolute(number)
        }

        /// Whether two words are numbers that differ by at most the tolerance.
        func covers(_ old: ArraySlice<UInt8>, _ new: ArraySlice<UInt8>) -> Bool {
            guard let one = Self.number(old), let other = Self.number(new) else { return false }
            return switch self {
            case .absolute(let most): abs(one - other) <= most
            case .relative(let part): abs(one - other) <= part * max(abs(one), abs(other))
            }
        }

        /// The number that a word represents, as in "17", "1,234.5" and "3,5"; `nil` if it is not a number, as for a
        /// version.
        ///
        /// The last point or comma is the decimal separator, unless it is one of several of the same kind, or a comma
        /// before three digits.
        static func number(_ word: ArraySlice<UInt8>) -> Double? {
            guard word.first?.isASCIIDigit == true, word.count <= 40 else { return nil }
            var groups = word.split(omittingEmptySubsequences: false) { $0 == 0x2E || $0 == 0x2C }
            guard let last = groups.last,
                groups.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) })
            else { return nil }
            let marks = word.filter { !$0.isASCIIDigit }
            let isGrouped = last.count == 3 && (marks == [0x2C] || marks.count > 1 && Set(marks).count == 1)
            let decimals = marks.isEmpty || isGrouped ? nil : groups.popLast()
            guard groups.dropFirst().allSatisfy({ $0.count == 3 }) else { return nil }
            let whole = String(decoding: Array(groups.joined()), as: UTF8.self)
            return Double(decimals.map { "\(whole).\(String(decoding: $0, as: UTF8.self))" } ?? whole)
        }
    }
}
