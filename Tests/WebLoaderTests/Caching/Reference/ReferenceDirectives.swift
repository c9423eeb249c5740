/// The Cache-Control directives of a message, and those that Pragma stands for.
///
/// [RFC 9111, section 5.2](https://www.rfc-editor.org/rfc/rfc9111#section-5.2)
struct ReferenceDirectives {
    /// Names in lower case, and what follows the equals sign; quotes taken off.
    private var all: [(name: String, argument: String?)] = []

    init(_ lines: [String]) {
        for line in lines {
            for element in Self.elements(line) {
                let parts = element.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let name = parts[0].lowercased()
                guard !name.isEmpty else { continue }
                var argument = parts.count > 1 ? String(parts[1]) : nil
                if let text = argument, text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") {
                    argument = String(text.dropFirst().dropLast())
                }
                all.append((name, argument))
            }
        }
    }

    var isEmpty: Bool { all.isEmpty }

    /// Whether a directive is there, whatever its argument.
    func has(_ name: String) -> Bool { all.contains { $0.name == name } }

    /// The arguments of a directive, an absent one as nil.
    func arguments(_ name: String) -> [String?] { all.filter { $0.name == name }.map(\.argument) }

    /// Section 1.2.2: a number of seconds, 2^31 at most; `nil` if it is invalid.
    static func seconds(_ text: String?) -> Int64? {
        guard let text, !text.isEmpty, text.allSatisfy({ "0123456789".contains($0) }) else { return nil }
        // Longer than any number that fits is more than 2^31 too.
        return min(Int64(text) ?? .max, 1 << 31)
    }

    /// Section 4.2.1: the most restrictive of several values; an invalid one counts as stale.
    func freshness(_ name: String) -> Int64? { arguments(name).map { Self.seconds($0) ?? 0 }.min() }

    /// The seconds that a directive permits: the most restrictive of several values; an invalid one permits nothing.
    func permission(_ name: String) -> Int64? {
        let all = arguments(name).map { Self.seconds($0) }
        return all.contains { $0 == nil } ? nil : all.compactMap { $0 }.min()
    }

    /// Sections 5.2.2.4 and 5.2.2.7: whether a directive that may name fields is about the whole message.
    func isUnqualified(_ name: String) -> Bool {
        arguments(name).contains {
            ($0 ?? "").split(separator: ",").allSatisfy { $0.allSatisfy { $0 == " " } }
        }
    }

    /// The elements of a list, taken apart at commas that stand in no quoted string.
    private static func elements(_ line: String) -> [String] {
        var elements = [""]
        var isQuoted = false
        for character in line {
            if character == "\"" { isQuoted.toggle() }
            if character == ",", !isQuoted {
                elements.append("")
            } else {
                elements[elements.count - 1].append(character)
            }
        }
        return elements.map { trimmed(Substring($0)) }
    }

    /// A text without spaces and tabs around it.
    static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
