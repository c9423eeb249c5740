/// Punycode, in time O(*n* log *n*).
///
/// RFC 3492's loops scan the whole label for every distinct code point, which takes hours for a long hostile
/// label. Here a tree that counts positions replaces those scans; the arithmetic is the RFC's.
///
/// <https://www.rfc-editor.org/rfc/rfc3492>
enum Punycode {
    private static let base = 36
    private static let tMin = 1
    private static let tMax = 26
    private static let skew = 38
    private static let damp = 700
    private static let initialBias = 72
    private static let initialN = 0x80
    private static let maxInt = Int(UInt32.max)

    /// Section 6.1.
    private static func adapt(_ delta: Int, _ pointCount: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damp : delta / 2
        delta += delta / pointCount
        var k = 0
        while delta > (base - tMin) &* tMax / 2 {
            delta /= base - tMin
            k += base
        }
        return k + (base - tMin + 1) &* delta / (delta + skew)
    }

    private static func threshold(_ k: Int, _ bias: Int) -> Int {
        min(max(k - bias, tMin), tMax)
    }

    // MARK: Encoding

    /// Appends the Punycode of a label, section 6.3; false on overflow.
    static func encode(_ label: ArraySlice<UInt32>, to output: inout [UInt8]) -> Bool {
        let scalars = Array(label)
        var handledPositions = CountingTree(count: scalars.count)
        var handled = 0
        for (position, scalar) in scalars.enumerated() where scalar < initialN {
            output.append(UInt8(truncatingIfNeeded: scalar))
            handledPositions.insert(position)
            handled += 1
        }
        let basicCount = handled
        if basicCount > 0 {
            output.append(URLByte.hyphen)
        }
        let order = scalars.indices.filter { scalars[$0] >= initialN }.sorted {
            (scalars[$0], $0) < (scalars[$1], $1)
        }
        var n = initialN
        var delta = 0
        var bias = initialBias
        var round = 0
        while round < order.count {
            let scalar = Int(scalars[order[round]])
            delta += (scalar - n) &* (handled + 1)
            n = scalar
            // Every code point below n that the RFC's scan meets raises delta by one.
            let handledBefore = handled
            let roundStart = round
            var passed = 0
            while round < order.count, Int(scalars[order[round]]) == n {
                let below = handledPositions.count(before: order[round])
                delta += below - passed
                passed = below
                guard delta <= maxInt else { return false }
                appendInteger(delta, bias, to: &output)
                bias = adapt(delta, handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
                round += 1
            }
            delta += handledBefore - passed + 1
            n += 1
            for index in roundStart..<round {
                handledPositions.insert(order[index])
            }
        }
        return true
    }

    private static func appendInteger(_ integer: Int, _ bias: Int, to output: inout [UInt8]) {
        var q = integer
        var k = base
        while true {
            let t = threshold(k, bias)
            guard q >= t else { break }
            output.append(digit(t + (q - t) % (base - t)))
            q = (q - t) / (base - t)
            k += base
        }
        output.append(digit(q))
    }

    private static func digit(_ value: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: value < 26 ? value + 0x61 : value - 26 + 0x30)
    }

    // MARK: Decoding

    /// The code points of a Punycode string, section 6.2; nil if it is invalid.
    static func decode(_ input: ArraySlice<UInt32>) -> [UInt32]? {
        guard input.allSatisfy({ $0 < 0x80 }) else { return nil }
        var basics: ArraySlice<UInt32> = []
        var encoded = input
        if let delimiter = input.lastIndex(of: UInt32(URLByte.hyphen)), delimiter > input.startIndex {
            basics = input[..<delimiter]
            encoded = input[(delimiter + 1)...]
        }
        guard let insertions = decodeInsertions(encoded, basicCount: basics.count) else { return nil }
        return place(insertions, among: basics)
    }

    private struct Insertion {
        let scalar: UInt32
        let index: Int
    }

    private static func decodeInsertions(_ encoded: ArraySlice<UInt32>, basicCount: Int) -> [Insertion]? {
        var insertions: [Insertion] = []
        var n = initialN
        var i = 0
        var bias = initialBias
        var pointer = encoded.startIndex
        while pointer < encoded.endIndex {
            let oldI = i
            var weight = 1
            var k = base
            while true {
                guard pointer < encoded.endIndex, let digit = digitValue(encoded[pointer]) else { return nil }
                pointer += 1
                // Both factors are at most maxInt, so that Int does not overflow before the check.
                i += digit &* weight
                guard i <= maxInt else { return nil }
                let t = threshold(k, bias)
                if digit < t { break }
                weight &*= base - t
                guard weight <= maxInt else { return nil }
                k += base
            }
            let count = basicCount + insertions.count + 1
            bias = adapt(i - oldI, count, isFirst: oldI == 0)
            n += i / count
            i %= count
            guard n <= 0x10FFFF, let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: n)) else {
                return nil
            }
            insertions.append(Insertion(scalar: scalar.value, index: i))
            i += 1
        }
        return insertions
    }

    /// Performs the insertions, last first: the last one's index is its final position, and each before it
    /// counts only the positions that are still free.
    private static func place(_ insertions: [Insertion], among basics: ArraySlice<UInt32>) -> [UInt32] {
        let count = basics.count + insertions.count
        var result = [UInt32](repeating: 0, count: count)
        var free = CountingTree(filled: count)
        var isTaken = [Bool](repeating: false, count: count)
        for insertion in insertions.reversed() {
            let position = free.removeElement(at: insertion.index)
            result[position] = insertion.scalar
            isTaken[position] = true
        }
        var position = 0
        for scalar in basics {
            while isTaken[position] { position += 1 }
            result[position] = scalar
            position += 1
        }
        return result
    }

    private static func digitValue(_ scalar: UInt32) -> Int? {
        let byte = UInt8(truncatingIfNeeded: scalar)
        if URLByte.isAlpha(byte) { return Int((byte | 0x20) &- 0x61) }
        return URLByte.isDigit(byte) ? Int(byte &- 0x30) + 26 : nil
    }
}
