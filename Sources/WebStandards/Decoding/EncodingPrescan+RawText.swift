/// The text in which tags are not elements, such as that of `script` and `title`.
extension EncodingPrescan {
    /// The elements whose text the tokenizer reads as RCDATA or RAWTEXT when scripts are off.
    private static let rawTextElements: [StaticString] = [
        "title", "style", "textarea", "xmp", "iframe", "noembed", "noframes",
    ]

    /// Where the tokenizer is in a script's text.
    private enum ScriptState {
        case data
        case escaped
        case doubleEscaped
    }

    /// The position where the text behind a start tag ends, if it is text in which tags are not elements.
    ///
    /// That is the position of its end tag, or `start` for any other element. Nil means that there is no end.
    ///
    /// <https://html.spec.whatwg.org/multipage/parsing.html#rcdata-state>
    func rawTextEnd(of name: Range<Int>, from start: Int) -> Int? {
        if isText(name, "script") { return scriptEnd(from: start) }
        if isText(name, "plaintext") { return nil }
        guard let element = Self.rawTextElements.first(where: { isText(name, $0) }) else { return start }
        var position = start
        while let found = index(of: UInt8(ascii: "<"), from: position) {
            if byte(at: found + 1) == UInt8(ascii: "/"), isTagName(element, at: found + 2) { return found }
            position = found + 1
        }
        return nil
    }

    /// The position of a script's end tag; an end tag inside `<!-- <script>` does not count.
    ///
    /// <https://html.spec.whatwg.org/multipage/parsing.html#script-data-state>
    private func scriptEnd(from start: Int) -> Int? {
        var state = ScriptState.data
        var position = start
        while let byte = byte(at: position) {
            if byte == UInt8(ascii: "<") {
                let isEnd = self.byte(at: position + 1) == UInt8(ascii: "/")
                let isScript = isTagName("script", at: position + (isEnd ? 2 : 1))
                switch state {
                case .data:
                    if isEnd, isScript { return position }
                    if matches("<!--", at: position) {
                        state = .escaped
                        // The same hyphens may also be those of `-->`.
                        position += 3
                    }
                case .escaped:
                    if isEnd, isScript { return position }
                    if isScript { state = .doubleEscaped }
                case .doubleEscaped:
                    if isEnd, isScript { state = .escaped }
                }
            } else if byte == UInt8(ascii: ">"), state != .data, matches("--", at: position - 2) {
                state = .data
            }
            position += 1
        }
        return nil
    }

    /// Whether the whole tag name `name` stands at `position`.
    private func isTagName(_ name: StaticString, at position: Int) -> Bool {
        guard matchesIgnoringCase(name, at: position) else { return false }
        guard let next = byte(at: position + name.utf8CodeUnitCount) else { return false }
        return next.isASCIIWhitespace || next == UInt8(ascii: "/") || next == UInt8(ascii: ">")
    }
}
