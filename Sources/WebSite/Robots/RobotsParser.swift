import WebStandards

/// A parser for robots.txt.
///
/// [RFC 9309, section 2.2](https://www.rfc-editor.org/rfc/rfc9309#section-2.2)
struct RobotsParser {
    private(set) var groups = RobotsGroups()
    private(set) var sitemaps: [RobotsRules.SitemapLine] = []
    private(set) var unknownLineCount = 0

    private let isComplete: Bool
    private var hasGroup = false
    /// Whether the next agent begins a group, since a rule precedes it.
    private var isGroupClosed = true
    /// Whether the next agent begins a run with a delay of its own.
    ///
    /// A delay does not end a group, but does not hold for agents after it.
    private var isDelayClosed = true

    private enum Key {
        case userAgent
        case allow
        case disallow
        case sitemap
        case crawlDelay
    }

    init(isComplete: Bool = true) {
        self.isComplete = isComplete
    }

    mutating func parse(_ bytes: Span<UInt8>) {
        var start = 0
        for byte: UInt8 in [0xEF, 0xBB, 0xBF] {
            guard start < bytes.count, bytes[start] == byte else { break }
            start += 1
        }
        var number = 1
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
            // Only the beginning of a line counts, so that the line may be cut off after it.
            let isWhole = end < bytes.count || isComplete
            guard isWhole || end - start >= RobotsRules.maximumLineLength else { return }
            read(bytes, start..<min(end, start + RobotsRules.maximumLineLength), number)
            let isPair = end + 1 < bytes.count && bytes[end] == 0x0D && bytes[end + 1] == 0x0A
            start = end + (isPair ? 2 : 1)
            number += 1
        }
    }

    private mutating func read(_ bytes: Span<UInt8>, _ whole: Range<Int>, _ number: Int) {
        let comment = Self.firstIndex(bytes, whole) { $0 == UInt8(ascii: "#") }
        let line = Self.trimmed(bytes, whole.lowerBound..<(comment ?? whole.upperBound))
        guard !line.isEmpty else { return }
        guard let (keyRange, valueRange) = Self.split(bytes, line),
            let key = Self.key(bytes.extracting(keyRange))
        else {
            unknownLineCount += 1
            return
        }
        let value = bytes.extracting(valueRange)
        switch key {
        case .userAgent: addAgent(value)
        case .allow, .disallow:
            let shown = Self.trimmed(bytes, whole)
            addRule(value, allows: key == .allow, lineNumber: number, line: shown)
        case .sitemap:
            guard !value.isEmpty else { return }
            let location = unsafe value.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
            sitemaps.append(RobotsRules.SitemapLine(number: number, location: location))
        case .crawlDelay:
            guard hasGroup else { return }
            isDelayClosed = true
            if let delay = Self.delay(value) { groups.add(delay: delay) }
        }
    }

    private mutating func addAgent(_ value: Span<UInt8>) {
        if isGroupClosed { groups.beginGroup() }
        if isDelayClosed { groups.beginDelay() }
        (hasGroup, isGroupClosed, isDelayClosed) = (true, false, false)
        let isForAll =
            !value.isEmpty && value[0] == UInt8(ascii: "*")
            && (value.count == 1 || value[1].isASCIIWhitespace)
        let agent = isForAll ? "*" : Self.token(value)
        if !agent.isEmpty { groups.add(agent: agent) }
    }

    private mutating func addRule(_ value: Span<UInt8>, allows: Bool, lineNumber: Int, line: Range<Int>) {
        // Rules before the first agent are ignored.
        guard hasGroup else { return }
        (isGroupClosed, isDelayClosed) = (true, true)
        guard !value.isEmpty else { return }
        groups.add(rule: value, allows: allows, lineNumber: lineNumber, line: line)
    }

    // MARK: - Parts of a line

    /// Returns the key and the value around the first colon, or around white space that separates exactly two words.
    private static func split(
        _ bytes: Span<UInt8>,
        _ line: Range<Int>
    ) -> (key: Range<Int>, value: Range<Int>)? {
        var separator = firstIndex(bytes, line) { $0 == UInt8(ascii: ":") }
        if separator == nil, let space = firstIndex(bytes, line, where: \.isASCIIWhitespace) {
            let value = trimmed(bytes, space..<line.upperBound)
            if firstIndex(bytes, value, where: \.isASCIIWhitespace) == nil { separator = space }
        }
        guard let separator else { return nil }
        let key = trimmed(bytes, line.lowerBound..<separator)
        return key.isEmpty ? nil : (key, trimmed(bytes, separator + 1..<line.upperBound))
    }

    private static func firstIndex(
        _ bytes: Span<UInt8>,
        _ range: Range<Int>,
        where condition: (UInt8) -> Bool
    ) -> Int? {
        for index in range where condition(bytes[index]) { return index }
        return nil
    }

    /// The words that keys begin with, including misspelt ones; a suffix ("Disallowed") is ignored.
    private static let keys: [(word: StaticString, key: Key)] = [
        ("disallow", .disallow), ("allow", .allow), ("user-agent", .userAgent), ("sitemap", .sitemap),
        ("crawl-delay", .crawlDelay), ("useragent", .userAgent), ("user agent", .userAgent),
        ("dissallow", .disallow), ("dissalow", .disallow), ("disalow", .disallow), ("diasllow", .disallow),
        ("disallaw", .disallow), ("site-map", .sitemap), ("crawldelay", .crawlDelay),
    ]

    private static func key(_ key: Span<UInt8>) -> Key? {
        keys.first { begins(key, $0.word) }?.key
    }

    private static func begins(_ key: Span<UInt8>, _ word: StaticString) -> Bool {
        guard key.count >= word.utf8CodeUnitCount else { return false }
        for index in 0..<word.utf8CodeUnitCount
        where unsafe key[index].asciiLowercased != word.utf8Start[index] {
            return false
        }
        return true
    }

    private static func trimmed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, bytes[start].isASCIIWhitespace { start += 1 }
        while start < end, bytes[end - 1].isASCIIWhitespace { end -= 1 }
        return start..<end
    }

    /// Returns the product token at the beginning of an agent's name, in lower case; empty if there is no token.
    ///
    /// [RFC 9309, section 2.2.1](https://www.rfc-editor.org/rfc/rfc9309#section-2.2.1)
    static func token(_ name: Span<UInt8>) -> String {
        var token: [UInt8] = []
        for index in name.indices {
            let byte = name[index]
            guard byte.isASCIIAlpha || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") else { break }
            token.append(byte.asciiLowercased)
        }
        return String(decoding: token, as: UTF8.self)
    }

    /// Parses a number of seconds, which may have a fraction; `nil` for other text.
    private static func delay(_ text: Span<UInt8>) -> Duration? {
        let longest = RobotsRules.maximumCrawlDelay
        var (seconds, nanoseconds) = (0, 0)
        var unit = 100_000_000
        var (hasDigit, hasPoint) = (false, false)
        for index in text.indices {
            let byte = text[index]
            if byte == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
                continue
            }
            guard byte.isASCIIDigit else { return nil }
            hasDigit = true
            if hasPoint {
                nanoseconds += unit *| Int(byte &- 0x30)
                unit /= 10
            } else {
                seconds.appendDigit(byte)
            }
        }
        guard hasDigit else { return nil }
        return seconds < longest.components.seconds ? .seconds(seconds) + .nanoseconds(nanoseconds) : longest
    }
}
