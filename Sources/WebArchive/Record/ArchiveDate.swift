package import WebStandards

extension Timestamp {
    /// Parses a date of an archive: in W3C's profile of ISO 8601, from a year to nanoseconds, or 4 to 17 digits.
    ///
    /// Digits below the millisecond are ignored. Times without a zone are UTC.
    ///
    /// [WARC 1.1, section 5.4](https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1-annotated/),
    /// [Date and Time Formats](https://www.w3.org/TR/NOTE-datetime)
    package init?(archiveDate text: String) {
        var reader = ArchiveDateReader(Array(text.utf8))
        guard let milliseconds = reader.read() else { return nil }
        self.init(millisecondsSince1970: milliseconds)
    }
}

/// A parser of such dates.
private struct ArchiveDateReader {
    private let bytes: [UInt8]
    private var index = 0
    /// Year, month, day, hour, minute, second.
    private var parts: (Int64, Int64, Int64, Int64, Int64, Int64) = (0, 1, 1, 0, 0, 0)
    private var milliseconds: Int64 = 0
    private var offset: Int64 = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Milliseconds since 1970; nil if it is no date.
    mutating func read() -> Int64? {
        let digits = bytes.prefix { $0.isASCIIDigit }.count
        guard digits == bytes.count && 4...17 ~= digits ? readDigits() : readParts() else {
            return nil
        }
        guard index == bytes.count, 1...12 ~= parts.1, parts.3 < 24,
            parts.4 < 60, parts.5 < 61
        else { return nil }
        let days = HTTPDate.CivilDate(year: parts.0, month: parts.1, day: parts.2).daysSince1970
        guard HTTPDate.CivilDate(daysSince1970: days).day == parts.2 else { return nil }
        let seconds = days &* 86400 &+ parts.3 &* 3600 &+ parts.4 &* 60 &+ parts.5 &- offset
        return seconds &* 1000 &+ milliseconds
    }

    private mutating func readDigits() -> Bool {
        guard let year = number(4) else { return false }
        parts.0 = year
        // Each is there whole or not at all.
        for part in 1...5 {
            if index == bytes.count { return true }
            guard let value = number(2) else { return false }
            set(part, value)
        }
        if index < bytes.count { readFraction() }
        return true
    }

    private mutating func readParts() -> Bool {
        guard let year = number(4) else { return false }
        parts.0 = year
        for part in 1...2 {
            if index == bytes.count { return true }
            guard take("-"), let value = number(2) else { return false }
            set(part, value)
        }
        if index == bytes.count { return true }
        guard take("T") || take("t") || take(" "), let hour = number(2), take(":"),
            let minute = number(2)
        else { return false }
        set(3, hour)
        set(4, minute)
        if take(":") {
            guard let second = number(2) else { return false }
            set(5, second)
            if take(".") || take(",") {
                guard readFraction() else { return false }
            }
        }
        return readZone()
    }

    /// Reads digits behind the second, of which three count.
    @discardableResult private mutating func readFraction() -> Bool {
        let start = index
        var scale: Int64 = 100
        while index < bytes.count, bytes[index].isASCIIDigit {
            milliseconds &+= Int64(bytes[index] &- 0x30) &* scale
            scale /= 10
            index += 1
        }
        return index > start
    }

    private mutating func readZone() -> Bool {
        if index == bytes.count || take("Z") || take("z") { return true }
        let isBehind = take("-")
        guard isBehind || take("+"), let hours = number(2) else { return false }
        _ = take(":")
        let minutes = index == bytes.count ? 0 : number(2)
        guard let minutes, hours < 24, minutes < 60 else { return false }
        offset = (hours &* 3600 &+ minutes &* 60) &* (isBehind ? -1 : 1)
        return true
    }

    private mutating func set(_ part: Int, _ value: Int64) {
        switch part {
        case 1: parts.1 = value
        case 2: parts.2 = value
        case 3: parts.3 = value
        case 4: parts.4 = value
        default: parts.5 = value
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, UInt32(bytes[index]) == character.value else { return false }
        index += 1
        return true
    }

    /// A number of so many digits.
    private mutating func number(_ count: Int) -> Int64? {
        guard count <= bytes.count - index else { return nil }
        var value: Int64 = 0
        for _ in 0..<count {
            guard bytes[index].isASCIIDigit else { return nil }
            value = value &* 10 &+ Int64(bytes[index] &- 0x30)
            index += 1
        }
        return value
    }
}
