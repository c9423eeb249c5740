/// The formatting of words by the elements around them: elements that look the same are the same option.
struct Formatting: OptionSet, Hashable {
    let rawValue: UInt16

    static let strong = Formatting(rawValue: 1)
    static let emphasis = Formatting(rawValue: 2)
    static let underline = Formatting(rawValue: 4)
    static let struck = Formatting(rawValue: 8)
    static let marked = Formatting(rawValue: 16)
    static let lowered = Formatting(rawValue: 32)
    static let raised = Formatting(rawValue: 64)
    static let code = Formatting(rawValue: 128)
    static let small = Formatting(rawValue: 256)
    static let big = Formatting(rawValue: 512)
    static let quoted = Formatting(rawValue: 1024)

    init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Creates the formatting that elements with a name apply to their words.
    init(_ name: String) { self = Self.ofNames[name] ?? [] }

    private static let ofNames: [String: Formatting] = [
        "b": .strong, "strong": .strong, "i": .emphasis, "em": .emphasis, "cite": .emphasis, "dfn": .emphasis,
        "var": .emphasis, "u": .underline, "ins": .underline, "s": .struck, "strike": .struck, "del": .struck,
        "mark": .marked, "sub": .lowered, "sup": .raised, "code": .code, "kbd": .code, "samp": .code,
        "tt": .code, "small": .small, "big": .big, "q": .quoted,
    ]

    private static let names: [(Formatting, String)] = [
        (.strong, "b"), (.emphasis, "i"), (.underline, "u"), (.struck, "s"), (.marked, "mark"),
        (.lowered, "sub"), (.raised, "sup"), (.code, "code"), (.small, "small"), (.big, "big"),
        (.quoted, "q"),
    ]

    /// Returns a text in tags that represent the formatting.
    func around(_ text: String) -> String {
        Self.names.reversed().reduce(text) { text, entry in
            contains(entry.0) ? "<\(entry.1)>\(text)</\(entry.1)>" : text
        }
    }
}
