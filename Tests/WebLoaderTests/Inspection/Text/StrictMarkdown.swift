/// Reads paragraphs and code of Markdown as CommonMark and GitHub's Markdown do, and refuses all that would be markup of
/// another kind: what a writer makes of plain text has none.
struct StrictMarkdown {
    enum Failure: Error {
        case markup(String)
    }

    /// The text of a paragraph, a space for each line that is broken.
    static func text(ofParagraph lines: [Substring]) throws -> String {
        var text = ""
        for (number, line) in lines.enumerated() {
            var line = line
            try refuseBlock(line)
            if number + 1 < lines.count {
                // A hard break; one that is escaped itself would be text.
                let backslashes = line.reversed().prefix { $0 == "\\" }.count
                guard backslashes % 2 == 1 else { throw Failure.markup("a line without a break: \(line)") }
                line = line.dropLast()
            }
            text += try inlines(Array(line.unicodeScalars)) + (number + 1 < lines.count ? " " : "")
        }
        return text
    }

    /// The lines of a block of code.
    static func code(ofBlock lines: [Substring]) throws -> [Substring] {
        guard let first = lines.first, let last = lines.last, lines.count > 1, first.count >= 3,
            first == last,
            first.allSatisfy({ $0 == "`" })
        else { throw Failure.markup("no fences") }
        let code = lines.dropFirst().dropLast()
        for line in code
        where line.drop(while: { $0 == " " }).prefix(while: { $0 == "`" }).count >= first.count {
            throw Failure.markup("a fence inside: \(line)")
        }
        return Array(code)
    }

    /// Refuses a line that begins a block of another kind.
    ///
    /// <https://spec.commonmark.org/0.31.2/#leaf-blocks>, <https://github.github.com/gfm/#tables-extension->
    private static func refuseBlock(_ line: Substring) throws {
        let patterns: [Regex<AnyRegexOutput>] = [
            /^ {0,3}#{1,6}([ \t]|$)/.anyRegex, /^ {0,3}>/.anyRegex, /^ {0,3}[-+*]([ \t]|$)/.anyRegex,
            /^ {0,3}\d{1,9}[.)]([ \t]|$)/.anyRegex, /^ {0,3}(```[^`]*$|~~~)/.anyRegex,
            /^ {0,3}<[A-Za-z\/!?]/.anyRegex,
            /^ {0,3}=+[ \t]*$/.anyRegex, /^ {0,3}([-_*])[ \t]*(\1[ \t]*){2,}$/.anyRegex,
            /^ {0,3}-+[ \t]*$/.anyRegex,
            /^( {4}|\t)/.anyRegex, /^[ |]*:?-+:?[ ]*(\|[ ]*:?-+:?[ ]*)*\|?[ ]*$/.anyRegex,
            /^ {0,3}\[[^\]]*\]:/.anyRegex,
        ]
        for pattern in patterns where line.firstMatch(of: pattern) != nil {
            throw Failure.markup(String(line))
        }
    }

    /// The text of a line.
    ///
    /// <https://spec.commonmark.org/0.31.2/#inlines>
    private static func inlines(_ text: [Unicode.Scalar]) throws -> String {
        var output = String.UnicodeScalarView()
        var index = 0
        /// Where a pair of brackets ends that is no link.
        var pairEnd: Int?
        while index < text.count {
            let scalar = text[index]
            let rest = String(String.UnicodeScalarView(text[index...]))
            switch scalar {
            case "\\":
                guard index + 1 < text.count, isPunctuation(text[index + 1]) else {
                    output.append(scalar)
                    break
                }
                index += 1
                output.append(text[index])
            case "`":
                let length = text[index...].prefix { $0 == "`" }.count
                var end = index + length
                while end < text.count {
                    let run = text[end...].prefix { $0 == "`" }.count
                    if run == length { break }
                    end += max(run, 1)
                }
                guard end < text.count else { throw Failure.markup("backticks: \(rest)") }
                var code = text[(index + length)..<end]
                if code.count > 1, code.first == " ", code.last == " ", code.contains(where: { $0 != " " }) {
                    code = code.dropFirst().dropLast()
                }
                output.append(contentsOf: code)
                index = end + length - 1
            case "*", "~": throw Failure.markup(rest)
            case "<":
                guard rest.firstMatch(of: /^<[A-Za-z\/!?]/) == nil else { throw Failure.markup(rest) }
                output.append(scalar)
            case "[":
                guard let pair = rest.firstMatch(of: /^\[[^\[\]^][^\[\]]*\](?![(\[:])/) else {
                    throw Failure.markup(rest)
                }
                pairEnd = index + pair.output.unicodeScalars.count - 1
                output.append(scalar)
            case "]":
                guard pairEnd == index else { throw Failure.markup(rest) }
                output.append(scalar)
            case "_":
                let before = index > 0 ? text[index - 1] : " "
                let after = index + 1 < text.count ? text[index + 1] : " "
                guard isWord(before), isWord(after) else { throw Failure.markup(rest) }
                output.append(scalar)
            case "&":
                guard rest.firstMatch(of: /^&#?[A-Za-z0-9]+;/) == nil else { throw Failure.markup(rest) }
                output.append(scalar)
            default:
                guard rest.firstMatch(of: /^(?i:www\.|[a-z]+:\/\/)/) == nil else {
                    throw Failure.markup(rest)
                }
                output.append(scalar)
            }
            index += 1
        }
        return String(output)
    }

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && 0x21..<0x7F ~= scalar.value && !isWord(scalar)
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
    }
}

extension Regex {
    /// The same, without what it captures.
    fileprivate var anyRegex: Regex<AnyRegexOutput> { Regex<AnyRegexOutput>(self) }
}
