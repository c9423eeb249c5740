import WebStandards

/// The target that the fragment of a URL names: an element, or words of the page's text.
package struct URLFragment: Equatable, Sendable {
    /// The name of the element as it is written, without what is a directive; empty for the top of the page.
    package let name: String

    /// The words to look for; several are alternatives.
    package let texts: [TextDirective]

    /// Takes a fragment as a URL has it, without "#".
    ///
    /// [The fragment directive](https://wicg.github.io/scroll-to-text-fragment/#the-fragment-directive)
    package init(_ fragment: String) {
        let bytes = Array(fragment.utf8)
        let delimiter = Array(":~:".utf8)
        guard
            let start = bytes.indices.first(where: {
                bytes[$0...].prefix(delimiter.count).elementsEqual(delimiter)
            })
        else {
            name = fragment
            texts = []
            return
        }
        name = String(decoding: bytes[..<start], as: UTF8.self)
        texts = bytes[(start + delimiter.count)...].split(separator: UInt8(ascii: "&"))
            .prefix(Self.maximumTexts).compactMap { TextDirective($0) }
    }

    /// More are not looked for, since each is looked for in the whole of the page.
    private static let maximumTexts = 32

    /// The names that an element may have to be meant, in their order: as it is written, and percent-decoded.
    package var names: [String] {
        let decoded = String(decoding: PercentDecoding.decode(name.utf8.span), as: UTF8.self)
        return decoded == name ? [name] : [name, decoded]
    }

    /// Whether it means the top of the page where no element has its name.
    package var isTop: Bool { name.isEmpty || names.contains { $0.isEqualIgnoringASCIICase(to: "top") } }
}

/// Words to look for on a page, as a URL has them: `text=[prefix-,]start[,end][,-suffix]`.
///
/// [Parse a text directive](https://wicg.github.io/scroll-to-text-fragment/#parse-a-text-directive)
package struct TextDirective: Equatable, Sendable {
    package let prefix: String?
    package let start: String
    package let end: String?
    package let suffix: String?

    /// Takes a directive of a fragment; nil for any other than this one, and for a malformed one.
    init?(_ directive: some Collection<UInt8>) {
        let mark = Array("text=".utf8)
        guard directive.starts(with: mark) else { return nil }
        var parts = directive.dropFirst(mark.count)
            .split(separator: UInt8(ascii: ","), maxSplits: 4, omittingEmptySubsequences: false)
            .map { Array($0) }
        guard parts.count <= 4 else { return nil }
        var prefix: [UInt8]?
        var suffix: [UInt8]?
        if parts.count > 1, let first = parts.first, first.last == UInt8(ascii: "-") {
            prefix = first.dropLast()
            parts.removeFirst()
        }
        if parts.count > 1, let last = parts.last, last.first == UInt8(ascii: "-") {
            suffix = Array(last.dropFirst())
            parts.removeLast()
        }
        guard (1...2).contains(parts.count), let start = parts.first, !start.isEmpty else { return nil }
        let end = parts.count == 2 ? parts[1] : nil
        guard [prefix, suffix, end].allSatisfy({ $0?.isEmpty != true }) else { return nil }
        self.prefix = prefix.map(Self.decoded)
        self.start = Self.decoded(start)
        self.end = end.map(Self.decoded)
        self.suffix = suffix.map(Self.decoded)
    }

    private static func decoded(_ bytes: [UInt8]) -> String {
        String(decoding: PercentDecoding.decode(bytes.span), as: UTF8.self)
    }
}
