extension PageDifference {
    /// By how much two numbers may differ and be taken for the same.
    public enum Tolerance: Hashable, Sendable {
        /// By so much.
        case absolute(Double)
        /// By this part of the larger one, as in 0.05.
        case relative(Double)

        /// Reads one, as in "0.5" and "5%"; nil for any other text.
        package init?(_ text: String) {
            let isPart = text.hasSuffix("%")
            let digits = isPart ? String(text.dropLast()) : text
            guard digits.utf8.allSatisfy({ $0.isASCIIDigit || "+-.eE".utf8.contains($0) }),
                let number = Double(digits), number >= 0, number.isFinite
            else { return nil }
            self = isPart ? .relative(number / 100) : .absolute(number)
        }

        /// Whether two words are numbers that differ by no more.
        func covers(_ old: ArraySlice<UInt8>, _ new: ArraySlice<UInt8>) -> Bool {
            guard let one = Self.number(old), let other = Self.number(new) else { return false }
            return switch self {
            case .absolute(let most): abs(one - other) <= most
            case .relative(let part): abs(one - other) <= part * max(abs(one), abs(other))
            }
        }

        /// What a word is as a number, as in "17", "1,234.5" and "3,5"; nil for none, as a version.
        ///
        /// The last point or comma is that of decimals, unless it is one of several of a kind, or a comma before three digits.
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
