import WebStandards

/// Text of places where nothing can be escaped, changed where it would end them.
enum UnescapedText {
    /// Has the data of a comment not end it: a space comes before each `>` that would.
    ///
    /// <https://html.spec.whatwg.org/multipage/syntax.html#comments>
    static func closeComment(_ data: inout [UInt8]) {
        guard data.contains(UInt8(ascii: ">")) else { return }
        var output: [UInt8] = []
        for byte in data {
            if byte == UInt8(ascii: ">") {
                let isBeginning = output.isEmpty || output == [UInt8(ascii: "-")]
                if isBeginning || output.hasSuffix("--") || output.hasSuffix("--!") { output.append(0x20) }
            }
            output.append(byte)
        }
        data = output
    }

    /// Has the text of an element that is not escaped not end the element, nor go on behind its end.
    ///
    /// In what would end it, a backslash comes before the solidus: to scripts, in their strings, and to style sheets that is
    /// the same text.
    static func closeElement(_ text: inout [UInt8], _ name: String) {
        if name == "script" {
            guard !isScript(text) else { return }
            insertBackslashes(&text) { $0.hasTag("</script") || $0.hasPrefix("<!--") }
        } else if name != "plaintext" {
            let end = "</" + name
            insertBackslashes(&text) { $0.hasTag(end) }
        }
    }

    private static func insertBackslashes(_ text: inout [UInt8], where isEnd: (ArraySlice<UInt8>) -> Bool) {
        var output: [UInt8] = []
        var run = 0
        for index in text.indices where text[index] == UInt8(ascii: "<") && isEnd(text[index...]) {
            output += text[run...index]
            output.append(UInt8(ascii: "\\"))
            run = index + 1
        }
        guard run > 0 else { return }
        text = output + text[run...]
    }

    /// Whether the text of a script is read as it is, up to an end tag behind it and no further.
    ///
    /// <https://html.spec.whatwg.org/multipage/parsing.html#script-data-state>
    private static func isScript(_ text: [UInt8]) -> Bool {
        var isEscaped = false
        var isDoubleEscaped = false
        var index = 0
        while index < text.count {
            defer { index += 1 }
            if text[index] == UInt8(ascii: "-") {
                guard isEscaped, text[index...].hasPrefix("-->") else { continue }
                isEscaped = false
                isDoubleEscaped = false
            } else if text[index] == UInt8(ascii: "<") {
                let rest = text[index...]
                if !isEscaped, rest.hasPrefix("<!--") {
                    isEscaped = true
                    // Its hyphens may be those before a ">".
                    index += 1
                } else if rest.hasTag("</script") {
                    guard isDoubleEscaped else { return false }
                    isDoubleEscaped = false
                } else if isEscaped, rest.hasTag("<script") {
                    isDoubleEscaped = true
                }
            }
        }
        return !isDoubleEscaped
    }
}

extension Array<UInt8> {
    fileprivate func hasSuffix(_ word: String) -> Bool { suffix(word.utf8.count).elementsEqual(word.utf8) }
}

extension ArraySlice<UInt8> {
    fileprivate func hasPrefix(_ word: String) -> Bool { prefix(word.utf8.count).elementsEqual(word.utf8) }

    /// Whether the tag begins here that begins with this word, which is in lower case.
    fileprivate func hasTag(_ word: String) -> Bool {
        let start = prefix(word.utf8.count).lazy.map(\.asciiLowercased)
        guard start.elementsEqual(word.utf8), let next = dropFirst(word.utf8.count).first else {
            return false
        }
        return next.isASCIIWhitespace || next == UInt8(ascii: "/") || next == UInt8(ascii: ">")
    }
}
